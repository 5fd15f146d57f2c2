// SPDX-License-Identifier: Apache-2.0
// One run of a program on a system, decoded: rows of the timeline, spans of the region, end, speed.
import type { Arrow } from "./annotate";
import type { Built, Manifest, Program, System } from "./contract";
import { draw } from "./drawing";
import { type Figures, figures, length, type Measured, measure } from "./regions";
import { type Row, rows } from "./rows";
import type { Finished, Wanted } from "./simulators";
import { findTasks, numbered } from "./tasks";
import { decode, type Ending, ending } from "./trace";

/** Files of a program on a system. */
export interface Files {
  built: Built;
  image: Uint8Array;
}

export interface Run {
  system: System;
  wanted: Wanted; // what was asked for
  built: Built;
  tasks: Record<string, string>; // number → name
  trace: ArrayBuffer;
  rows: readonly Row[];
  arrows: readonly Arrow[]; // none until the golden model has followed the run
  measured: Measured;
  figures: Figures | null;
  ending: Ending | null;
  cycles: number; // in which the run ended
  console: string;
  rate: number; // of the simulation, in cycles a second
  served: boolean; // the golden model has judged it already
}

export function understand(
  manifest: Manifest,
  program: Program,
  system: System,
  { built, image }: Files,
  found: Finished,
  wanted: Wanted,
): Run {
  const { names } = manifest;
  const decoded = decode(found.trace);
  const tasks = findTasks(decoded, image, names);
  const events = numbered(decoded, tasks, system.idle, names);
  const named = { ...found.served?.tasks, ...tasks.names };
  const marks = draw(events, system, named, names);
  const measured = program.region ? measure(events, program.region, names) : { spans: [], open: [] };
  return {
    system,
    wanted,
    built,
    tasks: named,
    trace: found.trace,
    rows: rows(marks, program.region, measured, program.lines),
    arrows: [],
    measured,
    figures: figures(measured.spans.map(length)),
    ending: ending(events, names),
    cycles: events.at(-1)?.cycle ?? 0,
    console: found.console,
    rate: rate(found.said),
    served: found.served !== undefined,
  };
}

/** Cycles a second, as the simulation says: a run that goes back did not simulate all of its cycles again. */
function rate(said: string): number {
  const [, cycles = 0, seconds = 0] = /^speed: (\d+) cycles ([\d.]+) seconds/m.exec(said) ?? [];
  return Number(cycles) / Math.max(Number(seconds), 1e-6);
}
