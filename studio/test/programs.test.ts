// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { format, parse, parseValues } from "../src/programs";

test("interrupts of a program are read by line, in the order of their cycles", () => {
  const lines = parse(" 3@44000, 4@100 3@40000", 50_000);
  assert.deepEqual(lines, [
    { number: 3, name: "line 3", pulses: [40_000, 44_000] },
    { number: 4, name: "line 4", pulses: [100] },
  ]);
  assert.equal(format(lines ?? []), "3@40000 3@44000 4@100");
  assert.deepEqual(parse("", 10), []);
});

test("what is no interrupt of the run is refused", () => {
  for (const text of ["3", "3@", "@5", "64@5", "3@0", "3@50000", "3@-1", "3@1e3", "x@1", "3@5;4@6"]) {
    assert.equal(parse(text, 50_000), null);
  }
});

test("variables are names with numbers of 32 bits", () => {
  assert.deepEqual(parseValues(" turns=5, gap=-1 all=4294967295"), { turns: 5, gap: -1, all: 4294967295 });
  assert.deepEqual(parseValues(""), {});
  for (const text of ["turns", "turns=", "=5", "1a=5", "a=0x5", "a=4294967296", "a=-2147483649", "a=5;b=6"]) {
    assert.equal(parseValues(text), null);
  }
});
