/* SPDX-License-Identifier: Apache-2.0 */
/* lists.c: lists for programs, and operations that nobody comes between. */
#include "parts.h"

#include "atomic.h"
#include "list.h"

static List_t list, other;
static ListItem_t items[4];

static void ordered(void)
{
    for (uint32_t i = 0; i < 4; i++) {
        DONE(vListInitialiseItem(&items[i]));
        DONE(listSET_LIST_ITEM_OWNER(&items[i], (void *)(uintptr_t)(100 + i)));
        DONE(listSET_LIST_ITEM_VALUE(&items[i], i == 3 ? 20 : 10 * (3 - i))); /* 30, 20, 10, 20 */
    }
    DONE(vListInitialise(&list));
    vListInitialise(&other);
    SHOW(pdTRUE, listLIST_IS_INITIALISED(&list) ? pdTRUE : pdFALSE);
    SHOW(pdTRUE, listLIST_IS_EMPTY(&list));
    for (uint32_t i = 0; i < 4; i++) {
        DONE(vListInsert(&list, &items[i]));
    }
    SHOW(4, listCURRENT_LIST_LENGTH(&list));
    SHOW(10, listGET_ITEM_VALUE_OF_HEAD_ENTRY(&list));
    SHOW(102, listGET_OWNER_OF_HEAD_ENTRY(&list));
    const uint32_t order[] = {102, 101, 103, 100}; /* equals as they came */
    const ListItem_t *item = listGET_HEAD_ENTRY(&list);
    SHOW(&items[2], listGET_HEAD_ENTRY(&list));
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(order[i], listGET_LIST_ITEM_OWNER(item));
        item = listGET_NEXT(item);
    }
    SHOW(listGET_HEAD_ENTRY(&list), listGET_NEXT(listGET_END_MARKER(&list)));
    SHOW(item, listGET_END_MARKER(&list));
    SHOW(102, listGET_LIST_ITEM_OWNER(&items[2]));
    SHOW(20, listGET_LIST_ITEM_VALUE(&items[3]));
}

static void round_and_out(void)
{
    void *owner;
    DONE(listGET_OWNER_OF_NEXT_ENTRY(owner, &list));
    CHECK(102, owner);
    listGET_OWNER_OF_NEXT_ENTRY(owner, &list);
    CHECK(101, owner);
    SHOW(pdTRUE, listIS_CONTAINED_WITHIN(&list, &items[1]));
    CHECK(pdFALSE, listIS_CONTAINED_WITHIN(&other, &items[1]));
    SHOW(3, uxListRemove(&items[1])); /* the round goes on behind it */
    SHOW(NULL, listLIST_ITEM_CONTAINER(&items[1]));
    DONE(vListInsertEnd(&list, &items[1])); /* the last of the round, which is at its first */
    const uint32_t order[] = {103, 100, 101, 102};
    for (uint32_t i = 0; i < 4; i++) {
        listGET_OWNER_OF_NEXT_ENTRY(owner, &list);
        CHECK(order[i], owner);
    }
}

static void atomic(void)
{
    static uint32_t volatile word = 5;
    static uint32_t one, two;
    static void *volatile pointer = &one;
    SHOW(ATOMIC_COMPARE_AND_SWAP_SUCCESS, Atomic_CompareAndSwap_u32(&word, 6, 5));
    CHECK(ATOMIC_COMPARE_AND_SWAP_FAILURE, Atomic_CompareAndSwap_u32(&word, 7, 5));
    SHOW(&one, Atomic_SwapPointers_p32(&pointer, &two));
    SHOW(ATOMIC_COMPARE_AND_SWAP_FAILURE, Atomic_CompareAndSwapPointers_p32(&pointer, NULL, &one));
    SHOW(6, Atomic_Add_u32(&word, 10));
    SHOW(16, Atomic_Subtract_u32(&word, 4));
    SHOW(12, Atomic_Increment_u32(&word));
    SHOW(13, Atomic_Decrement_u32(&word));
    SHOW(12, Atomic_OR_u32(&word, 3));
    SHOW(15, Atomic_AND_u32(&word, 6));
    SHOW(6, Atomic_XOR_u32(&word, 5));
    SHOW(3, Atomic_NAND_u32(&word, 2));
    CHECK(~2u, word);
}

void lists(void)
{
    ordered();
    round_and_out();
    atomic();
}
