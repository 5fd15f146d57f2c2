// SPDX-License-Identifier: Apache-2.0
// The state as the fragment of the address, and back. Values that are not allowed are replaced and named.
import type { Manifest, Program } from "./contract";
import { limited } from "./numbers";
import { initial, limit, NO_WAITS, type Pulse, SEED_LIMIT, type State, systems, WAITS, withWaits } from "./state";
import type { View } from "./view";

const MOST_PULSES = 64;
const KNOB = "set.";

export interface Restored {
  state: State;
  notice: string; // empty: every value was used as it is
}

export function format(state: State): string {
  const { program } = state;
  const words = new URLSearchParams({ program: program.name });
  words.set("kernels", `${state.systems.a.name},${state.systems.b.name}`);
  words.set("seed", String(state.seed));
  words.set("wait-states", state.waits);
  for (const { name, value } of program.knobs) {
    words.set(KNOB + name, String(state.knobs[name] ?? value));
  }
  for (const { line, cycle } of state.pulses) words.append("pulse", `${line.number}@${cycle}`);
  if (state.view) words.set("view", `${Math.round(state.view.from)}-${Math.round(state.view.to)}`);
  return words.toString().replaceAll("%40", "@").replaceAll("%2C", ",");
}

/** The state of a fragment such as `#program=…`; `fallback` where it names no program. */
export function restore(fragment: string, manifest: Manifest, fallback: Program): Restored {
  const words = new URLSearchParams(fragment.replace(/^#/, ""));
  const changed: string[] = [];
  const wanted = words.get("program");
  const program = manifest.programs.find((each) => each.name === wanted) ?? fallback;
  const state = withWaits(initial(manifest, program), restoreWaits(words.get("wait-states"), changed));
  if (wanted !== null && wanted !== program.name) changed.push(`program ${wanted} is now ${program.name}`);
  else {
    restoreSystems(words, manifest, state, changed);
    restoreKnobs(words, state, changed);
    restorePulses(words, state, changed);
    state.view = restoreView(words.get("view"), limit(state), changed);
  }
  state.seed = restoreNumber("seed", words.get("seed"), 0, SEED_LIMIT, state.seed, changed);
  const notice = changed.length ? `The link has values that are not allowed: ${changed.join("; ")}.` : "";
  return { state, notice };
}

function restoreSystems(words: URLSearchParams, manifest: Manifest, state: State, changed: string[]): void {
  const wanted = words.get("kernels");
  if (wanted === null) return;
  const found = systems(manifest, state.program);
  const [a, b] = wanted.split(",").map((name) => found.find((system) => system.name === name));
  if (a && b && a !== b) state.systems = { a, b };
  else changed.push(`kernels ${wanted} is now ${state.systems.a.name},${state.systems.b.name}`);
}

function restoreKnobs(words: URLSearchParams, state: State, changed: string[]): void {
  for (const { name, minimum, maximum, value } of state.program.knobs) {
    state.knobs[name] = restoreNumber(KNOB + name, words.get(KNOB + name), minimum, maximum, value, changed);
  }
}

function restorePulses(words: URLSearchParams, state: State, changed: string[]): void {
  const texts = words.getAll("pulse").slice(0, MOST_PULSES);
  const found = texts.map((text) => restorePulse(text, state, changed)).filter((pulse) => pulse !== null);
  if (found.length > 0) state.pulses = found;
}

function restorePulse(text: string, state: State, changed: string[]): Pulse | null {
  const [number, cycle] = text.split("@");
  const line = state.program.lines.find((each) => String(each.number) === number);
  if (!line || cycle === undefined) {
    changed.push(`pulse ${text} is left out`);
    return null;
  }
  return { line, cycle: restoreNumber("pulse", cycle, 1, limit(state) - 1, line.pulses[0] ?? 1, changed) };
}

function restoreWaits(text: string | null, changed: string[]): string {
  const used = WAITS.find((each) => each === text) ?? NO_WAITS;
  if (text !== null && text !== used) changed.push(`wait-states ${text} is now ${used}`);
  return used;
}

function restoreView(text: string | null, end: number, changed: string[]): View | null {
  if (text === null) return null;
  const [from = NaN, to = NaN] = text.split("-").map(Number);
  if (from >= 0 && from < to && to <= end) return { from, to };
  changed.push(`view ${text} is left out`);
  return null;
}

function restoreNumber(
  name: string,
  text: string | null,
  minimum: number,
  maximum: number,
  fallback: number,
  changed: string[],
): number {
  if (text === null) return fallback;
  const value = Number(text);
  const used = text.trim() && Number.isFinite(value) ? limited(Math.round(value), minimum, maximum) : fallback;
  if (used !== value) changed.push(`${name.replace(KNOB, "")} ${text} is now ${used}`);
  return used;
}
