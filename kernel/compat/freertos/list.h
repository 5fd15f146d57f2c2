/* SPDX-License-Identifier: Apache-2.0 */
/* list.h: doubly linked lists of FreeRTOS for programs; the layer itself has none. A list is a ring with an end marker, whose value is the largest. The
 * caller keeps others out. */
#ifndef LIST_H
#define LIST_H

#include "FreeRTOS.h"

#ifdef __cplusplus
extern "C" {
#endif

struct xLIST;
typedef struct xLIST_ITEM {
    TickType_t xItemValue;
    struct xLIST_ITEM *pxNext, *pxPrevious;
    void *pvOwner;
    struct xLIST *pxContainer;
} ListItem_t;
typedef ListItem_t MiniListItem_t;

typedef struct xLIST {
    volatile UBaseType_t uxNumberOfItems;
    ListItem_t *pxIndex; /* the item that the last round came to */
    MiniListItem_t xListEnd;
} List_t;

static inline void vListInitialise(List_t *const pxList)
{
    pxList->uxNumberOfItems = 0;
    pxList->xListEnd.xItemValue = portMAX_DELAY;
    pxList->xListEnd.pvOwner = NULL;
    pxList->xListEnd.pxContainer = NULL;
    pxList->pxIndex = pxList->xListEnd.pxNext = pxList->xListEnd.pxPrevious = &pxList->xListEnd;
}

static inline void vListInitialiseItem(ListItem_t *const pxItem)
{
    pxItem->pxContainer = NULL;
}

/* Link an item before `next`. */
static inline void freertos_list_link(List_t *list, ListItem_t *item, ListItem_t *next)
{
    item->pxNext = next;
    item->pxPrevious = next->pxPrevious;
    item->pxPrevious->pxNext = next->pxPrevious = item;
    item->pxContainer = list;
    list->uxNumberOfItems = list->uxNumberOfItems + 1u;
}

/* Insert behind all whose value is not larger. */
static inline void vListInsert(List_t *const pxList, ListItem_t *const pxNewListItem)
{
    ListItem_t *next = pxList->xListEnd.pxNext;
    while (next != &pxList->xListEnd && next->xItemValue <= pxNewListItem->xItemValue) {
        next = next->pxNext;
    }
    freertos_list_link(pxList, pxNewListItem, next);
}

/* Insert as the last that a round comes to. */
static inline void vListInsertEnd(List_t *const pxList, ListItem_t *const pxNewListItem)
{
    freertos_list_link(pxList, pxNewListItem, pxList->pxIndex);
}

/* Remove an item; returns the number that is left. */
static inline UBaseType_t uxListRemove(ListItem_t *const pxItemToRemove)
{
    List_t *const list = pxItemToRemove->pxContainer;
    pxItemToRemove->pxNext->pxPrevious = pxItemToRemove->pxPrevious;
    pxItemToRemove->pxPrevious->pxNext = pxItemToRemove->pxNext;
    if (list->pxIndex == pxItemToRemove) {
        list->pxIndex = pxItemToRemove->pxPrevious;
    }
    pxItemToRemove->pxContainer = NULL;
    list->uxNumberOfItems = list->uxNumberOfItems - 1u;
    return list->uxNumberOfItems;
}

/* The owner of the next item of the round; the list is not empty. */
static inline void *freertos_list_next(List_t *list)
{
    list->pxIndex = list->pxIndex->pxNext;
    if (list->pxIndex == &list->xListEnd) {
        list->pxIndex = list->xListEnd.pxNext;
    }
    return list->pxIndex->pvOwner;
}

#define listSET_LIST_ITEM_OWNER(item, owner) ((item)->pvOwner = (void *)(owner))
#define listGET_LIST_ITEM_OWNER(item) ((item)->pvOwner)
#define listSET_LIST_ITEM_VALUE(item, value) ((item)->xItemValue = (value))
#define listGET_LIST_ITEM_VALUE(item) ((item)->xItemValue)
#define listGET_ITEM_VALUE_OF_HEAD_ENTRY(list) ((list)->xListEnd.pxNext->xItemValue)
#define listGET_HEAD_ENTRY(list) ((list)->xListEnd.pxNext)
#define listGET_NEXT(item) ((item)->pxNext)
#define listGET_END_MARKER(list) ((ListItem_t const *)&(list)->xListEnd)
#define listLIST_IS_EMPTY(list) ((list)->uxNumberOfItems == 0 ? pdTRUE : pdFALSE)
#define listCURRENT_LIST_LENGTH(list) ((list)->uxNumberOfItems)
#define listGET_OWNER_OF_NEXT_ENTRY(owner, list) ((owner) = freertos_list_next(list))
#define listGET_OWNER_OF_HEAD_ENTRY(list) ((list)->xListEnd.pxNext->pvOwner)
#define listIS_CONTAINED_WITHIN(list, item) ((item)->pxContainer == (list) ? pdTRUE : pdFALSE)
#define listLIST_ITEM_CONTAINER(item) ((item)->pxContainer)
#define listLIST_IS_INITIALISED(list) ((list)->xListEnd.xItemValue == portMAX_DELAY)

#ifdef __cplusplus
}
#endif

#endif
