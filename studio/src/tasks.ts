// SPDX-License-Identifier: Apache-2.0
// Tasks of a trace: their names, which the program tells, and the switches of FreeRTOS, which have handles only.
import type { Names } from "./contract";
import type { TraceEvent } from "./trace";

const MEMORY = 0x10000000; // address of the first byte of an image
const NOBODY = 0xffff; // task of a switch that only has a handle
const LONGEST_NAME = 64;

export interface Tasks {
  names: Record<string, string>; // by number
  handles: Map<number, number>; // handle → number
}

/** A task tells its number, the address of its name and its handle by three tracepoints in a row. */
export function findTasks(events: readonly TraceEvent[], image: Uint8Array, names: Names): Tasks {
  const found: Tasks = { names: {}, handles: new Map() };
  let number = 0;
  for (const { kind, a, b } of events) {
    if (kind !== names.trace["TRACEPOINT"]) continue;
    if (a === names.task_tracepoint) number = b;
    else if (a === names.task_tracepoint + 1) found.names[number] = text(image, b - MEMORY);
    else if (a === names.task_tracepoint + 2) found.handles.set(b, number);
  }
  return found;
}

/** Text in an image, up to its zero byte. */
function text(image: Uint8Array, offset: number): string {
  const bytes = image.subarray(offset, offset + LONGEST_NAME);
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/**
 * Events whose switches have numbers of tasks. A handle without a task is that of idle; where the program tells no
 * tasks, handles have numbers in the order in which they first run, idle, too. A switch to the task that ran before is
 * left out. melanion/run/switches.py does the same.
 */
export function numbered(events: readonly TraceEvent[], tasks: Tasks, idle: number, names: Names): TraceEvent[] {
  let before = idle;
  const found: TraceEvent[] = [];
  const unnamed = new Map<number, number>();
  const number = (handle: number): number => {
    if (tasks.handles.size > 0) return tasks.handles.get(handle) ?? idle;
    if (!unnamed.has(handle)) unnamed.set(handle, unnamed.size);
    return unnamed.get(handle) ?? idle;
  };
  for (const event of events) {
    if (event.kind !== names.trace["DISPATCH"] || event.a !== NOBODY) {
      found.push(event);
      continue;
    }
    const task = number(event.c);
    if (task !== before) found.push({ ...event, a: task, b: before, c: 0 });
    before = task;
  }
  return found;
}
