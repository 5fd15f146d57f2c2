// SPDX-License-Identifier: Apache-2.0
// A slice in words: the panel under the timeline.
import type { Built } from "./contract";
import { make } from "./dom";
import type { Values } from "./drawing";
import { counted, grouped, microseconds } from "./numbers";
import type { Slice } from "./rows";

export interface Context {
  system: string;
  built: Built;
  clock_mhz: number;
}

const HINT = "Point at the timeline, or select with n and p: details stand here.";

type Line = [term: string, text: string];

/** Function and offset of an address, such as `mel_trap+0x1c`; empty: no function is there. */
export function place(functions: Built["functions"], address: number): string {
  const found = functions.findLast(([begin]) => begin <= address);
  if (!found || address >= found[0] + Math.max(found[1], 1)) return "";
  const offset = address - found[0];
  return offset === 0 ? found[2] : `${found[2]}+0x${offset.toString(16)}`;
}

/** Source line of an address, such as `kernel/trap.c:31`; empty: no source's code is there. */
export function source({ files, rows }: Built["lines"], address: number): string {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.[0] ?? Infinity) <= address) low = middle + 1;
    else high = middle;
  }
  const [, file = -1, line = 0] = rows[low - 1] ?? [];
  const name = files[file];
  return name === undefined ? "" : `${name}:${line}`;
}

export function describe(slice: Slice, { system, built, clock_mhz }: Context): Line[] {
  const cycles = slice.end - slice.begin;
  const lines: Line[] = [["track", `${system}: ${slice.track}`]];
  if (cycles === 0) return [...lines, ["cycle", at(slice.begin, clock_mhz)], ...values(slice.values, built)];
  lines.push(["begin", at(slice.begin, clock_mhz)], ["end", at(slice.end, clock_mhz)]);
  lines.push(["length", `${counted(cycles)} (${microseconds(cycles, clock_mhz)})`]);
  return [...lines, ...values(slice.values, built)];
}

function at(cycle: number, clock_mhz: number): string {
  return `${grouped(cycle)} (${microseconds(cycle, clock_mhz)})`;
}

function values(found: Values, built: Built): Line[] {
  return Object.entries(found)
    .filter(([name]) => name !== "cycles") // the length says it
    .map(([name, value]) => [name, inWords(name, value, built)]);
}

function inWords(name: string, value: number | string, built: Built): string {
  if (name === "pc" && typeof value === "number") {
    const known = [place(built.functions, value), source(built.lines, value)].filter(Boolean).join(", ");
    return `0x${value.toString(16)}${known ? ` in ${known}` : ""}`;
  }
  if (name === "status") return status(String(value));
  if (typeof value === "string") return value;
  return value < 2 ** 31 ? String(value) : `${value} (0x${value.toString(16)}, signed ${value | 0})`;
}

function status(name: string): string {
  if (name === "E_OK") return "E_OK: done";
  if (name === "WAITING") return "the caller now waits";
  if (name === "E_TMOUT") return "E_TMOUT: the timeout passed, or a poll found nothing";
  return `${name}: not done`;
}

export function show(panel: HTMLElement, slice: Slice | null, context: Context | null): void {
  panel.classList.toggle("empty", !slice);
  if (!slice || !context) {
    panel.replaceChildren(make("p", { class: "soft" }, HINT));
    return;
  }
  const lines = describe(slice, context).map(([term, text]) =>
    make("div", {}, make("dt", {}, term), make("dd", {}, text)),
  );
  panel.replaceChildren(make("h3", {}, slice.name), make("dl", {}, ...lines));
}
