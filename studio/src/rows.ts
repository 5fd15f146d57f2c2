// SPDX-License-Identifier: Apache-2.0
// Turns the marks of a trace into rows of a timeline: interrupts, latency, traps, interrupts off, tasks, kernel.
import type { Line, Region } from "./contract";
import { IDLE, KERNEL, LINES, type Mark, OFF_CORE, PREEMPTED, RUNNING, type Values } from "./drawing";
import { counted } from "./numbers";
import type { Measured } from "./regions";

export type Look =
  | "running"
  | "idle"
  | "waits"
  | "off"
  | "trap"
  | "handler"
  | "masked"
  | "event"
  | "line"
  | "span"
  | "raise"; // an inherited priority

/** `end` equals `begin` for an event that takes no time. */
export interface Slice {
  track: string;
  name: string;
  begin: number;
  end: number;
  look: Look;
  values: Values;
}

export const INTERRUPTS = "interrupts";

/** Slices in the order of their begins. `task`: its number, in the row of one. */
export interface Row {
  title: string;
  task: number | null;
  slices: Slice[];
}

/** Slices of each track. A slice that never ended is cut off at its begin, which `draw` excludes. */
export function slices(marks: readonly Mark[]): Map<string, Slice[]> {
  const tracks = new Map<string, Slice[]>();
  const open = new Map<string, Slice>();
  for (const { cycle, track, kind, name, values } of marks) {
    const slice = open.get(track);
    if (kind === "end") {
      if (slice) slice.end = cycle;
      open.delete(track);
      continue;
    }
    const found: Slice = { track, name, begin: cycle, end: cycle, look: look(track, name, kind), values };
    if (kind === "begin") open.set(track, found);
    const others = tracks.get(track);
    if (others) others.push(found);
    else tracks.set(track, [found]);
  }
  for (const each of tracks.values()) each.sort((first, second) => first.begin - second.begin);
  return tracks;
}

function look(track: string, name: string, kind: Mark["kind"]): Look {
  if (track === LINES) return "line";
  if (kind === "instant") return "event";
  if (track.endsWith(" / trap")) return "trap";
  if (track.endsWith(" / handler")) return "handler";
  if (track.endsWith(" / interrupts off")) return "masked";
  if (track === `tasks / ${IDLE}`) return "idle";
  if (name === RUNNING) return "running";
  return name === PREEMPTED || name === OFF_CORE ? "off" : "waits";
}

export function rows(
  marks: readonly Mark[],
  region: Region | null,
  measured: Measured,
  lines: readonly Line[],
): Row[] {
  const tracks = slices(marks);
  const cores = [...tracks.keys()].filter((track) => track.startsWith("core ")).sort();
  const ofCore = (end: string): Row[] =>
    cores.filter((track) => track.endsWith(end)).map((track) => row(track, tracks));
  return [
    { title: INTERRUPTS, task: null, slices: namedLines(tracks.get(LINES) ?? [], lines) },
    ...(region ? [{ title: "latency", task: null, slices: spans(region, measured) }] : []),
    ...ofCore(" / trap"),
    ...ofCore(" / handler"),
    ...ofCore(" / interrupts off"),
    ...taskRows(tracks),
    { title: KERNEL, task: null, slices: tracks.get(KERNEL) ?? [] },
  ].filter((each) => each.slices.length > 0);
}

function row(track: string, tracks: ReadonlyMap<string, Slice[]>): Row {
  const [core = "", title = ""] = track.split(" / ");
  return { title: core === "core 0" ? title : `${title}, ${core}`, task: null, slices: tracks.get(track) ?? [] };
}

/** By number; idle, which has none, is the last. */
function taskRows(tracks: ReadonlyMap<string, Slice[]>): Row[] {
  const found = [...tracks].flatMap(([track, slices]): Row[] => {
    const [, label] = /^tasks \/ (.+)$/.exec(track) ?? [];
    if (label === undefined) return [];
    const [, number, name] = /^task (\d+) ?(.*)$/.exec(label) ?? [];
    return [{ title: name || label, task: number === undefined ? null : Number(number), slices }];
  });
  return found.sort((first, second) => (first.task ?? Infinity) - (second.task ?? Infinity));
}

function namedLines(found: readonly Slice[], lines: readonly Line[]): Slice[] {
  const names = new Map(lines.map((line) => [`line ${line.number}`, line.name]));
  return found.map((slice) => {
    const name = names.get(slice.name);
    return name === undefined ? slice : { ...slice, name: `${name} (${slice.name})` };
  });
}

function spans(region: Region, measured: Measured): Slice[] {
  return measured.spans.map(({ begin, end }) => ({
    track: region.name,
    name: counted(end - begin),
    begin,
    end,
    look: "span",
    values: {},
  }));
}
