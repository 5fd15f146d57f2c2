// SPDX-License-Identifier: Apache-2.0
// Answers of the server of `melanion studio` (melanion/studio/api.py), beside the contract of the page.
import type { Built, Manifest, Program, Region, System } from "./contract";
import type { Served } from "./simulators";
import type { Window } from "./unit";

/** api/start */
export interface StudioManifest extends Manifest {
  systems: ServedSystem[];
  programs: ServedProgram[];
  studio: About;
}

export interface About {
  folder: string | null; // folder of the visitor, whose sources are edited
  exports: string; // exported folders come below it
  limits: string; // of builds and runs, in words
  choices: Choices;
}

export interface Choices {
  kernels: { name: string; text: string; bus: boolean }[]; // bus: its unit can have another place
  axes: { name: string; words: string[] }[]; // one word of each may follow the kernel
  places: string[];
  memories: string[];
  sizes: Size[];
}

export interface Size {
  name: string;
  label: string;
  title: string;
  minimum: number;
  maximum: number;
}

/** api/system */
export interface ServedSystem extends System {
  core: string;
  sizes: Record<string, number>;
  parts: Parts | null; // parts of the name; null: it is a file
  price: Price;
  yaml: string;
  command: string; // that prints it
}

export interface Parts {
  kernel: string;
  words: string[];
  place: string;
  memory: string;
  sizes: Record<string, number>; // that the name says
}

/** Beside the cores; measured with the tools of an ECP5. */
export interface Price {
  cells: number | null;
  block_rams: number | null;
  how: "measured" | "interpolated" | "unknown";
  reason: string;
}

/** own: nothing describes it, so the visitor says how long it runs and which interrupts it gets. */
export interface ServedProgram extends Program {
  own: boolean;
  values?: Record<string, number>; // variables of an own program that begin with other values
}

/** A line of api/run. */
export type Message =
  | { kind: "progress"; text: string; run: number }
  | { kind: "done"; run: number }
  | Failure;

/** file, line: the place in a source of the folder, or of Melanion. command: does the same. */
export interface Failure {
  kind: "failed";
  message: string;
  command: string;
  file?: string;
  line?: number;
}

/** api/watch: the run of a side that the page shows, again, with a window; the rest as of api/run. Its files: api/result/unit/RUN/cycles, listing. */
export interface WatchRequest extends Window {
  run: number;
}

/** api/result/SIDE/RUN/answer.json; `trace` and `image` are beside it. */
export interface ServedRun extends Omit<Served, "files"> {
  built: Built;
  region: Region | null;
  console: string;
  said: string;
}

/** api/sets: a set of the results store. */
export interface StoredSet {
  number: number;
  began: string;
  name: string;
  command: string;
  report: string; // command that prints its figures
  units: number; // with many of them `runs` is empty
  runs: {
    experiment: string;
    kernel: string;
    commit: string;
    how: "trace" | "again" | ""; // its trace was kept; it can be run again; neither
    rows: { label: string; unit: string; n: number; max: number }[];
  }[];
}

/** api/open: what repeats a stored run; cycles are those without wait states. */
export interface StoredRequest {
  program: string;
  system: ServedSystem;
  seed: number;
  wait_states: string;
  cycles: number;
  pulses: string;
  knobs: Record<string, number>;
  stored: { set: number; experiment: string; kernel: string };
}

/** api/begin: a program that was written; its run ends in this cycle, with these interrupts. */
export interface Begun {
  files: string[];
  cycles: number;
  pulses: string;
}

/** api/file */
export interface Source {
  path: string;
  text: string;
  version: string; // version of the content, for saving
}
