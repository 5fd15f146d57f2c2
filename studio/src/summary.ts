// SPDX-License-Identifier: Apache-2.0
// Both runs in one sentence each: who is late, and how fast the page was.
import type { Program, System } from "./contract";
import { make } from "./dom";
import { counted, grouped } from "./numbers";
import type { Run } from "./run";

/** Longest latency of both kernels and their ratio; nothing where a run measured none. */
export function comparison(a: Run, b: Run, program: Program): (HTMLElement | string)[] {
  if (!program.region || !a.figures || !b.figures) return [];
  const [first, last] = a.figures.maximum <= b.figures.maximum ? [a, b] : [b, a];
  const [least, most] = [first.figures?.maximum ?? 0, last.figures?.maximum ?? 0];
  const intro = `${a.figures.count + b.figures.count > 2 ? "Longest of " : ""}“${program.region.name}”: `;
  const ratio = least > 0 ? most / least : 1;
  const late = program.region.line === null ? "long" : "late";
  const verdict = ratio < 1.005 ? `: equally ${late}.` : `: ${ratioText(ratio)} times as ${late}.`;
  const warning = unlike(a.system, b.system);
  return [intro, named(first, counted(least)), ", ", named(last, counted(most)), verdict, ...(warning ? [` ${warning}`] : [])];
}

/** A sentence about systems that do not differ in their kernels alone; empty: they have as many cores. */
export function unlike(a: System, b: System): string {
  if (a.cores === b.cores) return "";
  const texts = [a, b].map(({ name, cores }) => `${name} has ${cores} ${cores === 1 ? "core" : "cores"}`);
  return `${texts.join(", ")}: not the kernel alone differs.`;
}

function ratioText(ratio: number): string {
  return ratio.toFixed(ratio < 2 ? 2 : ratio < 10 ? 1 : 0);
}

function named({ system }: Run, text: string): HTMLElement {
  return make("b", { class: `s${system.slot}` }, `${system.name} ${text}`);
}

/** `seconds`: from the click to the picture. */
export function speeds(a: Run, b: Run, seconds: number): string {
  const rates = [a, b].map((run) => grouped(run.rate / 1000));
  return `${seconds.toFixed(2)} s from click to picture; ${rates.join(" and ")} thousand cycles/s`;
}
