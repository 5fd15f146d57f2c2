// SPDX-License-Identifier: Apache-2.0
// Programs that nothing describes: the visitor says how long they run, and which interrupts they get.
import type { ServedProgram } from "./api";
import type { Line } from "./contract";
import { byId, labelled, make } from "./dom";
import { limited } from "./numbers";

const MOST_CYCLES = 2_000_000; // with up to 7 wait states it takes eight times as many, which the server still allows
const KEPT = "melanion-programs"; // in the storage of this tab

interface Choice {
  cycles: number;
  pulses: string;
}

/** Controls of the cycles and the interrupts. `changed` gets the program that takes the place of another one. */
export class Programs {
  private readonly cycles = make("input", { type: "number", id: "own-cycles", min: "1000", max: String(MOST_CYCLES) });
  private readonly pulses = make("input", { type: "text", id: "own-pulses", placeholder: "3@40000 3@44000" });
  private readonly said = make("output", { class: "bad" });
  private readonly box = byId("own", HTMLElement);
  private readonly kept: Record<string, Choice>;
  private program: ServedProgram | null = null;

  constructor(private readonly changed: (before: ServedProgram, after: ServedProgram) => void) {
    this.kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}") as Record<string, Choice>;
    for (const input of [this.cycles, this.pulses]) input.addEventListener("change", () => this.read());
    this.box.append(
      labelled("The run ends in cycle", this.cycles),
      labelled("Interrupts: line@cycle", this.pulses),
      this.said,
    );
  }

  /** The program as this tab had it before it was loaded again. */
  restored(program: ServedProgram): ServedProgram {
    const choice = program.own ? this.kept[program.name] : undefined;
    const lines = choice ? parse(choice.pulses, choice.cycles) : null;
    return choice && lines ? { ...program, cycles: choice.cycles, lines } : program;
  }

  show(program: ServedProgram): void {
    this.box.hidden = !program.own;
    if (program === this.program) return;
    this.program = program;
    this.cycles.value = String(program.cycles);
    this.pulses.value = format(program.lines);
    this.said.textContent = "";
  }

  /** Give a program of the visitor a length and interrupts. */
  choose(before: ServedProgram, cycles: number, pulses: string): ServedProgram {
    const after = { ...before, cycles, lines: parse(pulses, cycles) ?? [] };
    this.kept[before.name] = { cycles, pulses: format(after.lines) };
    sessionStorage.setItem(KEPT, JSON.stringify(this.kept));
    this.changed(before, after);
    return after;
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
    this.choose(before, cycles, format(lines));
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

export function format(lines: readonly Line[]): string {
  return lines.flatMap(({ number, pulses }) => pulses.map((cycle) => `${number}@${cycle}`)).join(" ");
}
