/* SPDX-License-Identifier: Apache-2.0 */
/* cpp.c: what a program needs that has sources in C++: constructors of its variables run before main(), new and delete are pvPortMalloc and vPortFree. The linker
 * takes it out of every other program (melanion/build/linkage.py). Destructors of variables never run: main() does not return. */
#include <FreeRTOS.h>

typedef void (*constructor_t)(void);
extern const constructor_t freertos_constructors[], freertos_constructors_end[];

int __real_main(void);
int __wrap_main(void);

int __wrap_main(void)
{
    for (const constructor_t *each = freertos_constructors; each != freertos_constructors_end; each++) {
        (*each)();
    }
    return __real_main();
}

/* Names as the compiler mangles them; a program may have its own. */
#define FREERTOS_OWN __attribute__((weak))
#define FREERTOS_NEW(name)          \
    void *name(size_t bytes);       \
    FREERTOS_OWN void *name(size_t bytes) \
    {                               \
        return pvPortMalloc(bytes); \
    }
#define FREERTOS_DELETE(name)                       \
    void name(void *block, size_t bytes);           \
    FREERTOS_OWN void name(void *block, size_t bytes) \
    {                                               \
        (void)bytes;                                \
        vPortFree(block);                           \
    }
FREERTOS_NEW(_Znwj)     /* new */
FREERTOS_NEW(_Znaj)     /* new[] */
FREERTOS_DELETE(_ZdlPv) /* delete, whose second argument is then any word */
FREERTOS_DELETE(_ZdaPv) /* delete[] */
FREERTOS_DELETE(_ZdlPvj)
FREERTOS_DELETE(_ZdaPvj)

void __cxa_pure_virtual(void);
FREERTOS_OWN void __cxa_pure_virtual(void)
{
    configASSERT(0);
    for (;;) {
    }
}
