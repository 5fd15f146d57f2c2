// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import type { Knob } from "../src/contract";
import { place, source } from "../src/details";
import { format, restore } from "../src/link";
import { grouped, microseconds } from "../src/numbers";
import { command, initial, least, withLegalTick, withPulse, withSystem } from "../src/state";
import { clamped, nice, ticks, zoomed } from "../src/view";
import { MANIFEST, PROGRAM, system } from "./fixture";

const START = initial(MANIFEST, PROGRAM);

test("the first state shows FreeRTOS and the unit", () => {
  assert.deepEqual([START.systems.a.name, START.systems.b.name], ["freertos", "hwrtos"]);
});

test("a link restores the state that it was made of", () => {
  const state = { ...withPulse(START, 1, 777), seed: 9, waits: "0-7", knobs: { load: 7 }, view: { from: 10, to: 90 } };
  const text = format(state);
  assert.equal(
    text,
    "program=interrupt&kernels=freertos,hwrtos&seed=9&wait-states=0-7&set.load=7&pulse=3@400&pulse=3@777&view=10-90",
  );
  assert.deepEqual(restore(`#${text}`, MANIFEST, PROGRAM), { state, notice: "" });
});

test("values of a link that are not allowed are replaced, and named", () => {
  const { state, notice } = restore("#program=interrupt&seed=-1&set.load=99&pulse=3@5000&pulse=7@1", MANIFEST, PROGRAM);
  assert.deepEqual([state.seed, state.knobs["load"], state.pulses.map((pulse) => pulse.cycle)], [0, 10, [999]]);
  const replaced = "load 99 is now 10; pulse 5000 is now 999; pulse 7@1 is left out; seed -1 is now 0";
  assert.equal(notice, `The link has values that are not allowed: ${replaced}.`);
  assert.equal(restore("#program=none", MANIFEST, PROGRAM).state.program, PROGRAM);
});

test("both sides never show the same kernel", () => {
  const swapped = withSystem(START, "a", START.systems.b);
  assert.deepEqual([swapped.systems.a.name, swapped.systems.b.name], ["hwrtos", "freertos"]);
});

test("the command names only what the visitor has changed of the program", () => {
  const state = { ...START, knobs: { load: 5 } };
  const words = "--max-cycles 1000 --seed 1 --wait-states 0 --set load=5 --pulse 3@400 --pulse 3@600";
  assert.equal(command(state, system("sw")), `melanion run apps/gallery/interrupt --kernel sw --freertos ${words}`);
});

test("a view stays within the run, and a zoom keeps its cycle", () => {
  assert.deepEqual(clamped({ from: -50, to: 50 }, 1000), { from: 0, to: 100 });
  assert.deepEqual(clamped({ from: 950, to: 1050 }, 1000), { from: 900, to: 1000 });
  assert.deepEqual(zoomed({ from: 0, to: 400 }, 0.5, 100, 1000), { from: 50, to: 250 });
  assert.deepEqual([0.1, 2, 3, 11, 60].map(nice), [1, 2, 5, 20, 100]);
  assert.deepEqual(ticks({ from: 15, to: 45 }, 300, 100), [20, 30, 40]);
});

test("numbers and addresses are written for readers", () => {
  assert.equal(grouped(1234567), "1\u202f234\u202f567");
  const times = [357, 12, 123456].map((cycles) => microseconds(cycles, 100));
  assert.deepEqual(times, ["3.57 µs", "0.12 µs", "1\u202f235 µs"]);
  const functions: [number, number, string][] = [[16, 8, "main"], [32, 4, "trap"]];
  assert.deepEqual([16, 20, 24, 33].map((address) => place(functions, address)), ["main", "main+0x4", "", "trap+0x1"]);
  const rows: [number, number, number][] = [[16, 0, 3], [20, 0, 4], [24, -1, 0]];
  const lines = [15, 16, 23, 24].map((address) => source({ files: ["a.c"], rows }, address));
  assert.deepEqual(lines, ["", "a.c:3", "a.c:4", ""]);
});

test("a tick that a system cannot have is lengthened, and said", () => {
  const tick: Knob = { name: "tick_cycles", title: "", unit: "", minimum: 1, maximum: 9000, value: 1000, tick: true };
  const program = { ...PROGRAM, knobs: [...PROGRAM.knobs, tick] };
  const state = initial(MANIFEST, program);
  const larger = { ...state.systems.b, name: "large", shortest_tick: 2112 };
  assert.deepEqual(withLegalTick(state), { state, sentence: "" });
  const found = withLegalTick({ ...state, systems: { ...state.systems, b: larger } });
  assert.equal(found.state.knobs["tick_cycles"], 2112);
  assert.equal(
    found.sentence.replaceAll("\u202f", " "),
    "A tick of 1 000 cycles is too short for large, whose shortest tick has 2 112 cycles: these runs have that one.",
  );
  assert.equal(found.state.knobs["load"], state.knobs["load"]);
  assert.equal(least(state, tick), 576);
  assert.equal(withLegalTick(initial(MANIFEST, PROGRAM)).sentence, "");
});
