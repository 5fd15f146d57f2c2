// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { bins } from "../src/bins";
import { figures, longest, measure } from "../src/regions";
import { cycles, latency } from "../src/sweep";
import { decode } from "../src/trace";
import { NAMES, trace } from "./fixture";

const BEGIN = { a: 0x100 };
const END = { a: 0x101, b: 1 };

test("a span of a line begins at each edge; one end serves the oldest ones", () => {
  const region = { number: 0, name: "", line: 3 };
  const edge = { a: 3 };
  const events = decode(
    trace(
      [10, "IRQ_WIRE", edge],
      [12, "IRQ_WIRE", { a: 4 }],
      [14, "IRQ_WIRE", edge],
      [16, "IRQ_WIRE", edge],
      [20, "TRACEPOINT", { a: 0x101, b: 2 }],
      [30, "TRACEPOINT", { a: 0x103, b: 1 }],
    ),
  );
  const found = measure(events, region, NAMES);
  assert.deepEqual(found, { spans: [{ begin: 10, end: 20 }, { begin: 14, end: 20 }], open: [16] });
  assert.deepEqual([latency(found, 14, true), latency(found, 17, true), latency(found, 99, true)], [6, null, null]);
  assert.equal(latency(found, 99, false), 10);
});

test("a span of places that begins again has not ended", () => {
  const region = { number: 0, name: "", line: null };
  const events = decode(trace([1, "TRACEPOINT", BEGIN], [5, "TRACEPOINT", BEGIN], [9, "TRACEPOINT", END]));
  assert.deepEqual(measure(events, region, NAMES), { spans: [{ begin: 5, end: 9 }], open: [] });
});

test("figures are those of melanion/measure/regions.py", () => {
  const lengths = Array.from({ length: 200 }, (_, index) => 200 - index);
  assert.deepEqual(figures(lengths), { count: 200, minimum: 1, median: 100, p99: 198, maximum: 200 });
  assert.equal(figures([]), null);
  assert.deepEqual(longest([{ begin: 0, end: 4 }, { begin: 8, end: 12 }]), { begin: 0, end: 4 });
});

test("both kernels share the bins of a sweep", () => {
  const sample = (latency: number | null) => ({ cycle: 0, latency });
  const found = bins({ a: [sample(10), sample(11), sample(null)], b: [sample(29)] }, 10);
  assert.deepEqual([found?.width, found?.first, found?.count], [2, 10, 10]);
  assert.deepEqual(found?.of.a.map((bin) => bin.samples.length), [2, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  assert.equal(found?.of.b.at(-1)?.samples.length, 1);
  assert.equal(bins({ a: [], b: [] }, 10), null);
});

test("a sweep has both ends of its range", () => {
  assert.deepEqual(cycles({ from: 5, to: 9, step: 2 }), [5, 7, 9]);
  assert.deepEqual(cycles({ from: 5, to: 4, step: 1 }), []);
});
