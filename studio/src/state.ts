// SPDX-License-Identifier: Apache-2.0
// What the visitor has chosen. Everything that a run depends on is here, and in the address of the page (link.ts).
import type { Knob, Line, Manifest, Program, System } from "./contract";
import { grouped } from "./numbers";
import type { Wanted } from "./simulators";
import type { View } from "./view";

export type Side = "a" | "b";
export const SIDES: readonly Side[] = ["a", "b"];

export interface Pulse {
  line: Line;
  cycle: number;
}

export interface State {
  program: Program;
  systems: Record<Side, System>;
  seed: number;
  waits: string;
  knobs: Record<string, number>;
  pulses: Pulse[];
  view: View | null; // null: where the first interrupt is served
}

export const NO_WAITS = "0";
export const WAITS: readonly string[] = [NO_WAITS, "1", "5", "0-7"];
export const SEED_LIMIT = 2 ** 32 - 1;
/** A run with up to w wait states takes up to 1 + w times as many cycles as one without. */
export function slowdown({ waits }: Pick<State, "waits">): number {
  return 1 + Number(waits.split("-").at(-1));
}

/** The cycle in which a run ends at the latest. */
export function limit(state: State): number {
  return state.program.cycles * slowdown(state);
}

const FAVOURITES = ["freertos", "sw", "hwrtos", "banked"];

export function other(side: Side): Side {
  return side === "a" ? "b" : "a";
}

/** A program as it is, on two kernels: the usual one, and one in hardware. */
export function initial(manifest: Manifest, program: Program): State {
  const found = systems(manifest, program);
  const b = found.find((system) => system.name === "hwrtos") ?? found.at(-1);
  const rest = found.filter((system) => system !== b);
  const favourite = FAVOURITES.map((name) => rest.find((system) => system.name === name)).find(Boolean);
  const a = favourite ?? rest[0] ?? b;
  if (!a || !b) throw new Error(`${program.name} is built for no system`);
  return {
    program,
    systems: { a, b },
    seed: 1,
    waits: NO_WAITS,
    knobs: Object.fromEntries(program.knobs.map((knob) => [knob.name, knob.value])),
    pulses: pulses(program),
    view: null,
  };
}

export function systems(manifest: Manifest, program: Program): System[] {
  return manifest.systems.filter((system) => program.systems.includes(system.name));
}

function pulses(program: Program): Pulse[] {
  return program.lines.flatMap((line) => line.pulses.map((cycle) => ({ line, cycle })));
}

/** Other wait states: the program is slower, and its interrupts come as much later. */
export function withWaits(state: State, waits: string): State {
  const ratio = slowdown({ waits }) / slowdown(state);
  const scaled = state.pulses.map((pulse) => ({ ...pulse, cycle: Math.max(Math.round(pulse.cycle * ratio), 1) }));
  return { ...state, waits, pulses: scaled, view: null };
}

/** The same state for another program: kernels, seed and wait states stay where they can. */
export function withProgram(manifest: Manifest, state: State, program: Program): State {
  const next = withWaits({ ...initial(manifest, program), seed: state.seed }, state.waits);
  const kept = SIDES.every((side) => program.systems.includes(state.systems[side].name));
  return kept ? { ...next, systems: state.systems } : next;
}

/** Two sides never show the same kernel: the other one takes over what this one leaves. */
export function withSystem(state: State, side: Side, system: System): State {
  const taken = state.systems[other(side)] === system;
  const rest = taken ? state.systems[side] : state.systems[other(side)];
  return { ...state, systems: side === "a" ? { a: system, b: rest } : { a: rest, b: system } };
}

export function withPulse(state: State, index: number, cycle: number): State {
  const moved = state.pulses.map((pulse, at) => (at === index ? { ...pulse, cycle } : pulse));
  return { ...state, pulses: moved };
}

/** `pulses`: other ones than those of the state. */
export function request(state: State, system: System, pulses: readonly Pulse[] = state.pulses): Wanted {
  return {
    system: system.name,
    program: state.program.name,
    seed: state.seed,
    wait_states: state.waits,
    cycles: limit(state),
    pulses: pulses.map(({ line, cycle }) => [line.number, cycle]),
    knobs: state.knobs,
  };
}

/** The command that does the same without this page. */
export function command(state: State, system: System): string {
  const words = [`melanion run apps/gallery/${state.program.name} --kernel ${system.name} --freertos`];
  words.push(`--max-cycles ${limit(state)} --seed ${state.seed} --wait-states ${state.waits}`);
  for (const { name, value } of state.program.knobs) {
    if (state.knobs[name] !== value) words.push(`--set ${name}=${state.knobs[name]}`);
  }
  for (const { line, cycle } of state.pulses) words.push(`--pulse ${line.number}@${cycle}`);
  return words.join(" ");
}

/** The least value of a knob on both systems of a state. */
export function least({ systems }: Pick<State, "systems">, knob: Knob): number {
  return knob.tick ? Math.max(knob.minimum, ...SIDES.map((side) => systems[side].shortest_tick)) : knob.minimum;
}

/** Ticks that a system cannot have are lengthened; a sentence says so, which is empty else. */
export function withLegalTick(state: State): { state: State; sentence: string } {
  const knob = state.program.knobs.find(({ tick }) => tick);
  const value = knob && state.knobs[knob.name];
  if (!knob || value === undefined || value >= least(state, knob)) return { state, sentence: "" };
  const shortest = least(state, knob);
  const { name } = SIDES.map((side) => state.systems[side]).find((each) => each.shortest_tick === shortest) ?? {};
  const sentence = `A tick of ${grouped(value)} cycles is too short for ${name ?? "these kernels"}, whose shortest tick has ${grouped(shortest)} cycles: these runs have that one.`;
  return { state: { ...state, knobs: { ...state.knobs, [knob.name]: shortest } }, sentence };
}

/** Nothing but interrupts and the view may differ. */
export function sameRuns(one: State, two: State): boolean {
  const knobs = Object.keys(one.knobs).every((name) => one.knobs[name] === two.knobs[name]);
  return sameKernels(one, two) && one.seed === two.seed && one.waits === two.waits && knobs;
}

export function sameKernels(one: State, two: State): boolean {
  return one.program === two.program && SIDES.every((side) => one.systems[side] === two.systems[side]);
}
