// SPDX-License-Identifier: Apache-2.0
// Decodes a trace (spec/trace.yaml): 24 bytes a record, little endian.
import type { Names } from "./contract";

export const RECORD = 24;
const HIGH_WORD = 2 ** 32;

export interface TraceEvent {
  cycle: number;
  kind: number;
  core: number;
  a: number;
  b: number;
  c: number;
  d: number;
}

/** End of a run. `code`: exit code of the program; `pc`: place of the last instruction. */
export interface Ending {
  reason: string;
  code: number;
  cycle: number;
  pc: number;
}

/** Events in the order of their cycles; those of one cycle keep the order of the file. */
export function decode(trace: ArrayBuffer): TraceEvent[] {
  const view = new DataView(trace);
  const events: TraceEvent[] = [];
  for (let at = 0; at + RECORD <= view.byteLength; at += RECORD) {
    events.push({
      cycle: view.getUint32(at, true) + view.getUint32(at + 4, true) * HIGH_WORD,
      kind: view.getUint8(at + 8),
      core: view.getUint8(at + 9),
      a: view.getUint16(at + 10, true),
      b: view.getUint32(at + 12, true),
      c: view.getUint32(at + 16, true),
      d: view.getUint32(at + 20, true),
    });
  }
  return events.sort((first, second) => first.cycle - second.cycle);
}

/** Reason and code with which the run ended; null: the trace has no end. */
export function ending(events: readonly TraceEvent[], names: Names): Ending | null {
  const last = events.findLast((event) => event.kind === names.trace["EXIT"]);
  if (last === undefined) return null;
  const found = Object.entries(names.exit).find(([, value]) => value === last.a);
  const reason = (found?.[0] ?? `reason ${last.a}`).toLowerCase().replaceAll("_", " ");
  return { reason, code: last.b | 0, cycle: last.cycle, pc: last.c };
}
