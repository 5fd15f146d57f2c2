// SPDX-License-Identifier: Apache-2.0
// What the hardware unit did: its cycles, as a watched simulation records them (soc/sim/unit/window.h), with the words of its microprogram.

/** microprogram.json.gz: the listing of the assembler (melanion/micro/report.py). A label is that of the word, or the last one before it. */
export interface Listing {
  format: 1;
  files: string[];
  words: [address: number, label: string, offset: number, text: string, comment: string, file: number, line: number][];
}

/** The unit's part of a run: from the first cycle on, before the other one. */
export interface Window {
  first: number;
  until: number;
}

/** Records of a window, and the words that they mean. */
export interface Watched {
  cycles: ArrayBuffer;
  listing: Listing;
}

export interface UnitCycle {
  cycle: number; // of the cores: a unit with twice their clock has two in each
  address: number;
  flags: number;
}

/** A line of the panel. `number`: cycle of the step, from 1 on. */
export interface Line {
  cycle: number;
  number: number;
  place: string; // label + offset
  text: string;
  comment: string;
  source: string; // file:line
  did: string[];
  lost: boolean; // the word had no effect
}

/** One step of the unit. `whole`: its begin and its end are in the window. */
export interface Step {
  entry: string;
  answered: number | null; // number of its line
  whole: boolean;
  lines: Line[];
}

export const RECORD = 8;
const [ANNULLED, STALLS, IDLE, WAITS_BUSY, READY_BUSY, BEGINS, ACTIVE] = [1, 2, 4, 8, 16, 32, 64];
const [ANSWERED, DISPATCH] = [8, 12]; // first bit of the cores
const [BEFORE, BEHIND] = [600, 300]; // cycles: longer than any step but those with long chains

/** Cycles around an event in which its step is. */
export function around({ begin }: { begin: number }): Window {
  return { first: Math.max(begin - BEFORE, 0), until: begin + BEHIND };
}

export function decode(cycles: ArrayBuffer): UnitCycle[] {
  const view = new DataView(cycles);
  return Array.from({ length: Math.floor(view.byteLength / RECORD) }, (_, index) => ({
    cycle: view.getUint32(RECORD * index, true),
    address: view.getUint16(RECORD * index + 4, true),
    flags: view.getUint16(RECORD * index + 6, true),
  }));
}

/** The step that an event is of; null: the unit did nothing then. An event appears in the cycle behind that in which it took effect. */
export function step(cycles: readonly UnitCycle[], event: number, listing: Listing): Step | null {
  const at = cycles.findLastIndex((each) => each.cycle < event && !rests(each));
  if (at < 0) return null;
  const last = (index: number): boolean => waits(cycles[index + 1]);
  let begin = at;
  while (begin > 0 && !has(cycles[begin], BEGINS)) begin -= 1;
  let end = at;
  while (end + 1 < cycles.length && !last(end)) end += 1;
  const lines = new Lines(listing);
  const found = cycles.slice(begin, end + 1).map((each, index) => lines.of(each, index + 1, cycles[begin + index - 1]));
  const answer = cycles.slice(begin, end + 1).findIndex((each) => cores(each, ANSWERED).length > 0);
  const entry = cycles[has(cycles[begin], BEGINS) ? begin + 2 : begin];
  return {
    entry: lines.label(entry?.address ?? -1),
    answered: answer < 0 ? null : answer + 1,
    whole: has(cycles[begin], BEGINS) && end + 1 < cycles.length,
    lines: found,
  };
}

function has(cycle: UnitCycle | undefined, flag: number): boolean {
  return cycle !== undefined && (cycle.flags & flag) !== 0;
}

/** It is at the word that begins steps. */
function waits(cycle: UnitCycle | undefined): boolean {
  return has(cycle, IDLE) && !has(cycle, ANNULLED);
}

function rests(cycle: UnitCycle): boolean {
  return waits(cycle) && has(cycle, STALLS);
}

/** Numbers of the cores with a flag. */
function cores({ flags }: UnitCycle, first: number): number[] {
  return [0, 1, 2, 3].filter((core) => (flags >> (first + core)) & 1);
}

class Lines {
  private readonly words = new Map<number, Listing["words"][number]>();

  constructor(private readonly listing: Listing) {
    for (const word of listing.words) this.words.set(word[0], word);
  }

  label(address: number): string {
    return this.words.get(address)?.[1] ?? `0x${address.toString(16)}`;
  }

  of(cycle: UnitCycle, number: number, before: UnitCycle | undefined): Line {
    const word = this.words.get(cycle.address);
    const [, label, offset, text = "", comment = "", file = -1, line = 0] = word ?? [];
    const name = this.listing.files[file];
    return {
      cycle: cycle.cycle,
      number,
      place: word ? `${label}${offset ? `+${offset}` : ""}` : `0x${cycle.address.toString(16)}`,
      text,
      comment,
      source: name === undefined ? "" : `${name}:${line}`,
      did: did(cycle, before),
      lost: has(cycle, ANNULLED),
    };
  }
}

function did(cycle: UnitCycle, before: UnitCycle | undefined): string[] {
  const found: string[] = [];
  const busy = [has(cycle, WAITS_BUSY) ? "wait lists" : "", has(cycle, READY_BUSY) ? "ready lists" : ""].filter(Boolean);
  if (has(cycle, BEGINS)) found.push("takes the request");
  if (has(cycle, ANNULLED)) found.push("annulled");
  else if (has(cycle, STALLS)) found.push(busy.length > 0 ? `waits for the ${busy.join(" and ")}` : "waits");
  else if (!has(cycle, ACTIVE)) found.push("its condition does not hold");
  if (busy.length > 0 && !has(cycle, STALLS)) found.push(`${busy.join(" and ")} at work`);
  for (const core of cores(cycle, ANSWERED)) found.push(`core ${core} is answered`);
  if (before) {
    const [now, then] = [cores(cycle, DISPATCH), cores(before, DISPATCH)];
    for (const core of now.filter((each) => !then.includes(each))) found.push(`dispatch line of core ${core} rises`);
    for (const core of then.filter((each) => !now.includes(each))) found.push(`dispatch line of core ${core} falls`);
  }
  return found;
}
