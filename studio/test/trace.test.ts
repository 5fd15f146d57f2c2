// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { draw } from "../src/drawing";
import { rows, slices } from "../src/rows";
import { findTasks, numbered } from "../src/tasks";
import { decode, ending } from "../src/trace";
import { NAMES, PROGRAM, system, trace } from "./fixture";

const told = (number: number, address: number, handle: number): Parameters<typeof trace> => [
  [1, "TRACEPOINT", { a: 0x1f0, b: number }],
  [1, "TRACEPOINT", { a: 0x1f1, b: address }],
  [1, "TRACEPOINT", { a: 0x1f2, b: handle }],
];

test("records are sorted by cycle, and those of one cycle keep their order", () => {
  const events = decode(trace([2 ** 33, "MRET"], [5, "TRAP", { a: 1 }], [5, "TRAP", { a: 2 }]));
  assert.deepEqual(events.map(({ cycle, a }) => [cycle, a]), [[5, 1], [5, 2], [2 ** 33, 0]]);
});

test("a run ends with a reason and the exit code of its program", () => {
  const limit = decode(trace([9, "EXIT", { a: 1 }]));
  assert.deepEqual(ending(limit, NAMES), { reason: "cycle limit", code: 0, cycle: 9, pc: 0 });
  assert.equal(ending(decode(trace([9, "EXIT", { b: -3 }])), NAMES)?.code, -3);
  assert.equal(ending([], NAMES), null);
});

test("a task waits in the call for which it was left, and is preempted otherwise", () => {
  const events = decode(
    trace(
      [10, "DISPATCH", { a: 1, b: 8 }],
      [20, "COMMAND", { a: 19, b: 7, d: 2 }],
      [21, "DISPATCH", { a: 2, b: 1 }],
      [30, "DISPATCH", { a: 1, b: 2 }],
      [40, "COMMAND", { a: 4 }],
      [41, "DISPATCH", { a: 8, b: 1 }],
      [50, "EXIT", { a: 1 }],
    ),
  );
  const found = slices(draw(events, system("hwrtos"), { 1: "ping" }, NAMES));
  const of = (track: string) => found.get(track)?.map(({ begin, end, name }) => [begin, end, name]);
  const ping = [[10, 21, "running"], [21, 30, "semaphore_take(7)"], [30, 41, "running"]];
  assert.deepEqual(of("tasks / task 1 ping"), ping);
  assert.deepEqual(of("tasks / task 2"), [[21, 30, "running"], [30, 50, "preempted"]]);
  assert.deepEqual(of("tasks / idle"), [[41, 50, "running"]]);
  assert.deepEqual(of("kernel"), [[20, 20, "semaphore_take(7)"], [40, 40, "task_exit(0)"]]);
});

test("interrupts off are drawn from their begin, traps until they return", () => {
  const events = decode(trace([5, "TRAP", { a: 0x800b, b: 64 }], [9, "MRET"], [12, "IRQ_OFF", { b: 8, c: 68 }]));
  const found = rows(draw(events, system("sw"), {}, NAMES), null, { spans: [], open: [] }, PROGRAM.lines);
  const told = found.map((row) => [row.title, row.slices.map(({ begin, end, name }) => [begin, end, name])]);
  assert.deepEqual(told, [["trap", [[5, 9, "external interrupt"]]], ["interrupts off", [[4, 12, "interrupts off"]]]]);
});

test("switches of FreeRTOS get the number of the task with their handle, else that of idle", () => {
  const image = new TextEncoder().encode("..ping\0pong\0");
  const switched = (cycle: number, handle: number): [number, string, object] => [
    cycle,
    "DISPATCH",
    { a: 0xffff, c: handle },
  ];
  const entries = [...told(0, 0x10000002, 70), ...told(1, 0x10000007, 71)];
  const events = decode(trace(...entries, switched(5, 70), switched(6, 70), switched(7, 99), switched(8, 71)));
  const tasks = findTasks(events, image, NAMES);
  assert.deepEqual(tasks.names, { 0: "ping", 1: "pong" });
  const switches = numbered(events, tasks, 8, NAMES).filter(({ kind }) => kind === NAMES.trace["DISPATCH"]);
  assert.deepEqual(switches.map(({ cycle, a, b }) => [cycle, a, b]), [[5, 0, 8], [7, 8, 0], [8, 1, 8]]);
});
