// SPDX-License-Identifier: Apache-2.0
// Adds to the rows of a run what only the golden model knows: for what a task waits, and who makes it ready again.
import type { Inherited, Wait } from "./contract";
import { KERNEL } from "./drawing";
import { INTERRUPTS, type Row, type Slice } from "./rows";

/** From the row whose event ended a wait to the row of the task that waited. */
export interface Arrow {
  cycle: number;
  from: number; // index of a row
  to: number;
}

export interface Annotated {
  rows: Row[];
  arrows: Arrow[];
}

export function annotate(rows: readonly Row[], waits: readonly Wait[], inherited: readonly Inherited[]): Annotated {
  const annotated = rows.map((row) => {
    if (row.task === null) return row;
    const own = waits.filter((wait) => wait.task === row.task);
    const raised = inherited.filter((each) => each.task === row.task).map((each) => raise(row, each, rows));
    const slices = row.slices.flatMap((slice) => (slice.look === "waits" ? split(slice, own) : [slice]));
    return { ...row, slices: [...slices, ...raised].sort((one, two) => one.begin - two.begin) };
  });
  return { rows: annotated, arrows: waits.flatMap((wait) => arrow(wait, rows)) };
}

/** A slice of a task that waited in a call, as its wait and the time in which it is ready. */
function split(slice: Slice, waits: readonly Wait[]): Slice[] {
  const wait = waits.findLast(({ begin }) => begin <= slice.begin);
  const end = wait?.end ?? Infinity;
  if (!wait || end < slice.begin) return [slice];
  const by = wait.by === undefined ? {} : { "ended by": wait.by };
  const waiting = { ...slice, name: wait.what, values: { call: slice.name, ...by } };
  if (end >= slice.end) return [waiting];
  const ready: Slice = { ...slice, name: "ready", begin: end, look: "off", values: by };
  return [{ ...waiting, end }, ready];
}

function raise(row: Row, { begin, end, priority, base, givers }: Inherited, rows: readonly Row[]): Slice {
  const title = (task: number): string => rows.find((each) => each.task === task)?.title ?? `task ${task}`;
  return {
    track: `tasks / ${row.title}`,
    name: `↑${priority}`,
    begin,
    end: begin,
    look: "raise",
    values: {
      "inherited priority": priority,
      "own priority": base,
      from: givers.map(title).join(", ") || "a ceiling",
      until: end === null ? "the end of the run" : `cycle ${end}`,
    },
  };
}

function arrow({ task, end, by, cause }: Wait, rows: readonly Row[]): Arrow[] {
  const to = rows.findIndex((row) => row.task === task);
  const from = source(by ?? "", rows);
  if (end === null || cause === undefined || cause === null || to < 0 || from < 0 || from === to) return [];
  return [{ cycle: end, from, to }];
}

/** Row of whoever ended a wait: a task, an interrupt, or the kernel itself. */
function source(by: string, rows: readonly Row[]): number {
  const task = /^task (\d+)/.exec(by)?.[1];
  if (task !== undefined) return rows.findIndex((row) => row.task === Number(task));
  const title = by.startsWith("interrupt ") ? INTERRUPTS : KERNEL;
  return rows.findIndex((row) => row.title === title);
}
