/* SPDX-License-Identifier: Apache-2.0 */
/* event.h: what the program has besides the FreeRTOS interface: a line of events that is written as they happen and printed when a scenario is over; an
 * interrupt; the end of the run. */
#ifndef EVENT_H
#define EVENT_H

#include <stdint.h>

/* One more event, with a number or without. Callers: tasks and handlers. */
void event(const char *what);
void event_number(const char *what, uint32_t number);

/* Print the events so far as the scenario `name`. */
void report(const char *name);

/* Do something in a handler, at once. */
void in_handler(void (*what)(void));

/* End the run well. */
void finish(void);

#endif
