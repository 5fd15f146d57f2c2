// SPDX-License-Identifier: Apache-2.0
// Programs that nothing describes: the visitor says how long they run, and which interrupts they get.
import type { ServedProgram } from "./api";
import type { Line } from "./contract";
import { byId, labelled, make } from "./dom";
import { limited } from "./numbers";

const MOST_CYCLES = 2_000_000; // with up to 7 wait states it takes eight times as many, which the server still allows
const KEPT = "melanion-programs"; // in the storage of this tab

const VALUES = [-(2 ** 31), 2 ** 32] as const; // of 32 bits, with or without a sign

interface Choice {
  cycles: number;
  pulses: string;
  values?: string;
}

/** Controls of the cycles, the interrupts and variables. `changed` gets the program that takes the place of another one. */
export class Programs {
  private readonly cycles = make("input", { type: "number", id: "own-cycles", min: "1000", max: String(MOST_CYCLES) });
  private readonly pulses = make("input", { type: "text", id: "own-pulses", placeholder: "3@40000 3@44000" });
  private readonly values = make("input", { type: "text", id: "own-values", placeholder: "busy_turns=500" });
  private readonly said = make("output", { class: "bad", id: "own-said" });
  private readonly box = byId("own", HTMLElement);
  private readonly kept: Record<string, Choice>;
  private program: ServedProgram | null = null;

  constructor(private readonly changed: (before: ServedProgram, after: ServedProgram) => void) {
    this.kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}") as Record<string, Choice>;
    for (const input of [this.cycles, this.pulses, this.values]) input.addEventListener("change", () => this.read());
    this.box.append(
      labelled("The run ends in cycle", this.cycles),
      labelled("Interrupts: line@cycle", this.pulses),
      labelled("Variables: name=value", this.values),
      this.said,
    );
  }

  /** The program as this tab had it before it was loaded again. */
  restored(program: ServedProgram): ServedProgram {
    const choice = program.own ? this.kept[program.name] : undefined;
    const lines = choice ? parse(choice.pulses, choice.cycles) : null;
    const values = parseValues(choice?.values ?? "") ?? {};
    return choice && lines ? { ...program, cycles: choice.cycles, lines, values } : program;
  }

  show(program: ServedProgram): void {
    this.box.hidden = !program.own;
    if (program === this.program) return;
    this.program = program;
    this.cycles.value = String(program.cycles);
    this.pulses.value = format(program.lines);
    this.values.value = formatValues(program.values);
    this.said.textContent = "";
  }

  /** Give a program of the visitor a length and interrupts. */
  choose(before: ServedProgram, cycles: number, pulses: string, values: Record<string, number> = {}): void {
    const after = { ...before, cycles, lines: parse(pulses, cycles) ?? [], values };
    this.kept[before.name] = { cycles, pulses: format(after.lines), values: formatValues(values) };
    sessionStorage.setItem(KEPT, JSON.stringify(this.kept));
    this.changed(before, after);
  }

  private read(): void {
    const before = this.program;
    if (!before) return;
    const cycles = limited(Math.round(Number(this.cycles.value)) || before.cycles, 1000, MOST_CYCLES);
    const lines = parse(this.pulses.value, cycles);
    if (!lines) {
      this.said.textContent = `Write line@cycle, such as 3@40000, with lines 0 to 63 and cycles before ${cycles}.`;
      return;
    }
    const values = parseValues(this.values.value);
    if (!values) {
      this.said.textContent = "Write name=value, such as busy_turns=500, with variables and numbers of 32 bits.";
      return;
    }
    this.choose(before, cycles, format(lines), values);
  }
}

/** Interrupt lines of a text such as `3@40000 4@1000`; null: it is none. */
export function parse(text: string, cycles: number): Line[] | null {
  const lines = new Map<number, Line>();
  for (const word of text.split(/[\s,]+/).filter(Boolean)) {
    const [, number, cycle] = /^(\d{1,2})@(\d{1,9})$/.exec(word) ?? [];
    const [line, at] = [Number(number), Number(cycle)];
    if (number === undefined || line > 63 || at < 1 || at >= cycles) return null;
    const known = lines.get(line) ?? { number: line, name: `line ${line}`, pulses: [] };
    known.pulses.push(at);
    lines.set(line, known);
  }
  return [...lines.values()].map((line) => ({ ...line, pulses: line.pulses.sort((one, two) => one - two) }));
}

/** Variables of a text such as `turns=5 gap=-1`; null: it is none. */
export function parseValues(text: string): Record<string, number> | null {
  const found: Record<string, number> = {};
  for (const word of text.split(/[\s,]+/).filter(Boolean)) {
    const [, name, value] = /^([A-Za-z_]\w*)=(-?\d{1,10})$/.exec(word) ?? [];
    if (name === undefined || Number(value) < VALUES[0] || Number(value) >= VALUES[1]) return null;
    found[name] = Number(value);
  }
  return found;
}

function formatValues(values: Record<string, number> = {}): string {
  return Object.entries(values).map(([name, value]) => `${name}=${value}`).join(" ");
}

export function format(lines: readonly Line[]): string {
  return lines.flatMap(({ number, pulses }) => pulses.map((cycle) => `${number}@${cycle}`)).join(" ");
}
