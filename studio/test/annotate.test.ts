// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { annotate } from "../src/annotate";
import type { Row, Slice } from "../src/rows";

function slice(begin: number, end: number, look: Slice["look"], name = ""): Slice {
  return { track: "", name, begin, end, look, values: {} };
}

const ROWS: Row[] = [
  { title: "interrupts", task: null, slices: [slice(20, 20, "line")] },
  { title: "high", task: 1, slices: [slice(0, 10, "running"), slice(10, 30, "waits", "mutex_lock(5)")] },
  { title: "low", task: 2, slices: [slice(10, 30, "running")] },
];

test("a task is ready from the end of its wait on, and an arrow leads from whoever ended it", () => {
  const wait = { task: 1, begin: 8, end: 25, what: "mutex 5", by: "task 2", cause: 24 };
  const { rows, arrows } = annotate(ROWS, [wait], []);
  const told = rows[1]?.slices.map(({ begin, end, look, name }) => [begin, end, look, name]);
  assert.deepEqual(told?.slice(1), [[10, 25, "waits", "mutex 5"], [25, 30, "off", "ready"]]);
  assert.deepEqual(rows[1]?.slices[1]?.values, { call: "mutex_lock(5)", "ended by": "task 2" });
  assert.deepEqual(arrows, [{ cycle: 25, from: 2, to: 1 }]);
});

test("an interrupt that ends a wait has the arrow of its row; a wait that goes on has none", () => {
  const served = { task: 1, begin: 8, end: 21, what: "a notification", by: "interrupt 3", cause: 20 };
  assert.deepEqual(annotate(ROWS, [served], []).arrows, [{ cycle: 21, from: 0, to: 1 }]);
  const open = annotate(ROWS, [{ task: 1, begin: 8, end: null, what: "mutex 5" }], []);
  assert.deepEqual(open.arrows, []);
  assert.deepEqual(open.rows[1]?.slices.map(({ end }) => end), [10, 30]);
});

test("an inherited priority is an event of its row, with its givers", () => {
  const inherited = { task: 2, begin: 12, end: null, priority: 7, base: 1, givers: [1] };
  const found = annotate(ROWS, [], [inherited]).rows[2]?.slices[1];
  assert.deepEqual([found?.name, found?.begin, found?.values["from"]], ["↑7", 12, "high"]);
  assert.equal(found?.values["until"], "the end of the run");
});
