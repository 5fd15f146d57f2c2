// SPDX-License-Identifier: Apache-2.0
// What `melanion page` writes beside this program (melanion/studio): the manifest, and one file for each program on each system.
// Cycles count from reset. Addresses are those of the memory of the system.
import type { Window } from "./unit";

/** manifest.json */
export interface Manifest {
  format: 1;
  commit: string; // of the sources that everything here was made from; ends with `+` when they had been edited
  clock_mhz: number; // assumed: turns cycles into µs
  systems: System[];
  programs: Program[];
  names: Names;
}

export interface System {
  name: string; // "hwrtos"; the simulation is systems/NAME/sim.js, sim.wasm
  title: string; // "hardware unit on the bus"
  text: string; // one sentence
  slot: number; // of the palette, the same colour on every page of Melanion
  unit: boolean; // a hardware unit executes its calls: microprogram.json.gz has its words (unit.ts)
  replayed: boolean; // the golden model knows what its calls mean
  idle: number; // the number of the idle context, as a task
  cores: number;
  shortest_tick: number; // in cycles
  bytes: number; // of sim.wasm
}

export interface Program {
  name: string;
  title: string;
  text: string; // what there is to see
  systems: string[];
  cycles: number; // the run ends here at the latest; with up to w wait states it takes 1 + w times as many, and pulses come as much later
  lines: Line[]; // interrupt lines that the page may raise; empty: the program raises its own
  region: Region | null; // what is measured
  knobs: Knob[];
}

export interface Line {
  number: number;
  name: string;
  pulses: number[]; // cycles in which it rises, unless the visitor moves them
}

/** A span from an edge of an interrupt line (line: null: from a place in the program) to a place in the program. */
export interface Region {
  number: number;
  name: string;
  line: number | null;
}

/** A variable of the program that has another value when the run begins. */
export interface Knob {
  name: string; // of the variable
  title: string;
  unit: string; // may be empty
  minimum: number;
  maximum: number;
  value: number; // of the program as it is
  tick?: boolean; // length of a tick: the shortest tick of both systems is another minimum
  choices?: string[]; // names of minimum … maximum, when they are no quantities
}

/** The values of spec/ by number. */
export interface Names {
  trace: Record<string, number>; // "COMMAND": 1, …
  exit: Record<string, number>; // "PROGRAM": 0, …
  command: Record<string, string>; // "12": "semaphore_take"
  status: Record<string, string>; // "-18": "E_ID"; "0": "E_OK"
  action: Record<string, string>; // of an interrupt, "1": "semaphore_give"
  waiting: number; // the status of a call whose caller now waits
  handler: number; // a reader that is a handler, no task
  first_tracepoint: number; // of region 0: its begin; its end is one more; two for each region
  // A task tells its name by three tracepoints in a row: its number (value: the number), the address of its name in the memory, which is the
  // image, and its handle, which FreeRTOS's switches have (`c` of a dispatch whose `a` is 0xFFFF).
  task_tracepoint: number;
}

/** programs/PROGRAM/SYSTEM.json; the image is programs/PROGRAM/SYSTEM.bin, from address 0x10000000 on */
export interface Built {
  tracepoints: string; // the simulation's file
  variables: Record<string, number>; // knob → address
  functions: [address: number, size: number, name: string][]; // sorted by address
  // Source lines: at each address another one begins; file -1: no source's code. Sorted by address.
  lines: { files: string[]; rows: [address: number, file: number, line: number][] };
  arguments: string[]; // of the simulation, besides those of a request
  model: unknown; // for model.py: sizes and rules of the golden model; null: not replayed
}

// ---- the worker that simulates -------------------------------------------------------------------

export interface Request {
  id: number;
  system: string;
  program: string;
  seed: number;
  wait_states: string; // "0", "0-7"
  cycles: number;
  pulses: [line: number, cycle: number][];
  knobs: Record<string, number>;
  window?: Window; // the answer is what the unit does in these cycles
}

export type Answer =
  | { id: number; kind: "progress"; cycles: number }
  | { id: number; kind: "done"; trace: ArrayBuffer; console: string; said: string; seconds: number }
  | { id: number; kind: "watched"; cycles: ArrayBuffer }
  | { id: number; kind: "failed"; message: string };

// ---- the worker with the golden model (Pyodide) --------------------------------------------------

export interface Replay {
  id: number;
  trace: ArrayBuffer;
  model: unknown;
  tasks: Record<string, string>;
}

export type Verdict =
  | { id: number; kind: "loading" }
  | { id: number; kind: "agrees"; events: number; seconds: number; waits: Wait[]; inherited: Inherited[] }
  | { id: number; kind: "differs"; message: string }
  | { id: number; kind: "failed"; message: string };

/** A wait of a task, in cycles; `end` null: it goes on. `by`: whose doing its end was ("task 3", "interrupt 7", "its timeout"); `cause`: the cycle of that. */
export interface Wait {
  task: number;
  begin: number;
  end: number | null;
  what: string; // "semaphore 5"
  by?: string;
  cause?: number | null;
}

/** A task has this priority instead of `base`, its own: that of the tasks `givers` (none: of a ceiling). */
export interface Inherited {
  task: number;
  begin: number;
  end: number | null;
  priority: number;
  base: number;
  givers: number[];
}
