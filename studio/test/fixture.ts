// SPDX-License-Identifier: Apache-2.0
// A small manifest, and records of a trace, for the tests.
import type { Manifest, Names, Program, System } from "../src/contract";
import { RECORD } from "../src/trace";

export const NAMES: Names = {
  trace: { COMMAND: 1, DISPATCH: 2, TRAP: 16, MRET: 17, IRQ_OFF: 18, IRQ_WIRE: 19, TRACEPOINT: 20, EXIT: 22 },
  exit: { PROGRAM: 0, CYCLE_LIMIT: 1 },
  command: { "4": "task_exit", "19": "semaphore_take" },
  status: { "0": "E_OK", "-18": "E_ID" },
  action: {},
  waiting: 2,
  handler: 0xffff,
  first_tracepoint: 0x100,
  task_tracepoint: 0x1f0,
};

export function system(name: string, replayed = true, cores = 1): System {
  return { name, title: name, text: "", slot: 0, unit: name === "hwrtos", replayed, idle: 8, cores, shortest_tick: 576, bytes: 0 };
}

export const PROGRAM: Program = {
  name: "interrupt",
  title: "",
  text: "",
  systems: ["freertos", "sw", "hwrtos"],
  cycles: 1000,
  lines: [{ number: 3, name: "sample", pulses: [400, 600] }],
  region: { number: 0, name: "interrupt to task", line: 3 },
  knobs: [{ name: "load", title: "load", unit: "", minimum: 0, maximum: 10, value: 4 }],
};

export const MANIFEST: Manifest = {
  format: 1,
  commit: "0",
  clock_mhz: 100,
  systems: [system("freertos", false), system("sw"), system("hwrtos")],
  programs: [PROGRAM],
  names: NAMES,
};

/** What a record says besides its cycle and its kind; the rest is 0. */
interface Rest {
  core?: number;
  a?: number;
  b?: number;
  c?: number;
  d?: number;
}

export type Entry = [cycle: number, kind: string, rest?: Rest];

export function trace(...entries: Entry[]): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(entries.length * RECORD));
  entries.forEach(([cycle, kind, { core = 0, a = 0, b = 0, c = 0, d = 0 } = {}], index) => {
    const at = index * RECORD;
    view.setBigUint64(at, BigInt(cycle), true);
    view.setUint8(at + 8, NAMES.trace[kind] ?? 0);
    view.setUint8(at + 9, core);
    view.setUint16(at + 10, a, true);
    [b, c, d].forEach((word, place) => view.setInt32(at + 12 + 4 * place, word, true));
  });
  return view.buffer;
}
