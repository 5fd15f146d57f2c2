// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { around, decode, type Listing, RECORD, step } from "../src/unit";

const LISTING: Listing = {
  format: 1,
  files: ["hw/micro/system.mu", "hw/micro/semaphore.mu"],
  words: [
    [1, "idle", 0, "idle", "reads the record", 0, 4],
    [2, "idle", 1, "test waiter", "", 0, 5],
    [332, "command semaphore_take", 0, "x = M + TAKE", "", 1, 40],
    [333, "command semaphore_take", 1, "if carry: done E_OK", "one less", 1, 41],
  ],
};
const [ANNULLED, STALLS, IDLE, READY, BEGINS, ACTIVE] = [1, 2, 4, 16, 32, 64];
const ANSWERED = 1 << 8;
const DISPATCH = 1 << 12;

function records(...rows: [cycle: number, address: number, flags: number][]): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(RECORD * rows.length));
  rows.forEach(([cycle, address, flags], index) => {
    view.setUint32(RECORD * index, cycle, true);
    view.setUint16(RECORD * index + 4, address, true);
    view.setUint16(RECORD * index + 6, flags, true);
  });
  return view.buffer;
}

const TAKE = decode(
  records(
    [98, 1, IDLE | STALLS],
    [100, 1, IDLE | BEGINS | ACTIVE],
    [100, 2, ANNULLED],
    [101, 332, ACTIVE | READY],
    [101, 333, ACTIVE | ANSWERED],
    [102, 334, ANNULLED | DISPATCH],
    [102, 1, IDLE | STALLS],
  ),
);

test("a step goes from the word that takes the request to the next one that could", () => {
  const found = step(TAKE, 102, LISTING);
  assert.equal(found?.entry, "command semaphore_take");
  assert.deepEqual([found?.answered, found?.whole], [4, true]);
  assert.deepEqual(
    found?.lines.map(({ cycle, number, place, lost }) => [cycle, number, place, lost]),
    [
      [100, 1, "idle", false],
      [100, 2, "idle+1", true],
      [101, 3, "command semaphore_take", false],
      [101, 4, "command semaphore_take+1", false],
      [102, 5, "0x14e", true],
    ],
  );
  assert.deepEqual(found?.lines.map(({ did }) => did.join("; ")), [
    "takes the request",
    "annulled",
    "ready lists at work",
    "core 0 is answered",
    "annulled; dispatch line of core 0 rises",
  ]);
  const { text, comment, source } = found?.lines[3] ?? {};
  assert.deepEqual([text, comment, source], ["if carry: done E_OK", "one less", "hw/micro/semaphore.mu:41"]);
});

test("a word whose effects do not happen, and one that waits for lists, say so", () => {
  const found = step(decode(records([9, 1, IDLE | BEGINS | ACTIVE], [9, 332, STALLS | READY], [10, 332, 0])), 11, LISTING);
  assert.deepEqual(found?.lines.slice(1).map(({ did }) => did), [
    ["waits for the ready lists"],
    ["its condition does not hold"],
  ]);
  assert.equal(found?.whole, false);
});

test("a unit that rests has no step, and a step that began before the window is not whole", () => {
  assert.equal(step(TAKE, 99, LISTING), null);
  const cut = step(TAKE.slice(2), 102, LISTING);
  assert.deepEqual([cut?.whole, cut?.entry, cut?.lines.length], [false, "idle", 4]);
});

test("a window is around the event", () => {
  assert.deepEqual(around({ begin: 40 }), { first: 0, until: 340 });
});
