// SPDX-License-Identifier: Apache-2.0
// Controls: program, kernels, seed, wait states, and what the program lets the visitor change.
import type { Knob, Line, Manifest, Program } from "./contract";
import { byId, labelled, make, select } from "./dom";
import { limited } from "./numbers";
import { least, limit, type Pulse, SEED_LIMIT, type Side, SIDES, type State, systems, WAITS } from "./state";
import { withProgram, withPulse, withSystem, withWaits } from "./state";

/** `patient`: more of the same may follow at once, as from a slider. */
export type Changed = (state: State, patient: boolean) => void;

export class Controls {
  private state: State | null = null;
  private offered = ""; // systems in the lists of kernels
  private refresh: (() => void)[] = []; // write the values of the state into the controls

  constructor(
    private readonly manifest: Manifest,
    private readonly changed: Changed,
  ) {
    byId("adjust", HTMLDetailsElement).open = !window.matchMedia("(max-width: 560px)").matches;
  }

  /** Controls that exist are kept while the program is the same, since one of them may have the focus. */
  show(state: State): void {
    const before = this.state;
    const same = before && limit(before) === limit(state) && before.pulses.length === state.pulses.length;
    const offered = systems(this.manifest, state.program).map(({ name }) => name).join(" ");
    this.state = state;
    if (!same || before.program !== state.program || this.offered !== offered) this.rebuild(state);
    this.offered = offered;
    for (const write of this.refresh) write();
  }

  /** The control that has the focus keeps it, if the program has such a one. */
  private rebuild(state: State): void {
    const focused = document.activeElement?.id ?? "";
    this.refresh = [];
    const { program } = state;
    byId("programs", HTMLElement).replaceChildren(...this.manifest.programs.map((each) => this.card(each)));
    byId("program-text", HTMLElement).textContent = program.text;
    byId("kernels", HTMLElement).replaceChildren(...SIDES.map((side) => this.kernel(side)));
    byId("settings", HTMLElement).replaceChildren(this.seed(), this.waits());
    const knobs = program.knobs.map((knob) => (knob.choices ? this.choice(knob, knob.choices) : this.quantity(knob)));
    byId("knobs", HTMLElement).replaceChildren(...program.lines.map((line) => this.line(line)), ...knobs);
    document.getElementById(focused)?.focus();
  }

  private get now(): State {
    if (!this.state) throw new Error("there is no state yet");
    return this.state;
  }

  private card(program: Program): HTMLElement {
    const card = make("button", { type: "button", class: "chip", title: program.text }, program.title);
    card.id = `program-${program.name}`;
    card.setAttribute("aria-pressed", String(program === this.now.program));
    card.addEventListener("click", () => {
      if (program !== this.now.program) this.changed(withProgram(this.manifest, this.now, program), false);
    });
    return card;
  }

  private kernel(side: Side): HTMLElement {
    const found = systems(this.manifest, this.now.program);
    const options = found.map(({ name, title }) => [name, `${name}: ${title}`] as const);
    const control = select(options, "", (name) => {
      const system = found.find((each) => each.name === name);
      if (system) this.changed(withSystem(this.now, side, system), false);
    });
    control.id = `kernel-${side}`;
    this.refresh.push(() => {
      control.value = this.now.systems[side].name;
      control.className = `kernel s${this.now.systems[side].slot}`;
    });
    return labelled(side === "a" ? "Kernel above" : "Kernel below", control);
  }

  private seed(): HTMLElement {
    const read = (): number => this.now.seed;
    return labelled("Seed", this.number("seed", 0, SEED_LIMIT, read, (seed) => ({ ...this.now, seed })));
  }

  private waits(): HTMLElement {
    const options = WAITS.map((each) => [each, each === "0-7" ? "0–7, at random" : each] as const);
    const control = select(options, "", (waits) => this.changed(withWaits(this.now, waits), false));
    control.id = "wait-states";
    this.refresh.push(() => {
      control.value = this.now.waits;
    });
    return labelled("Wait states of the memory", control);
  }

  /** The cycles in which a line rises. */
  private line(line: Line): HTMLElement {
    const inputs = this.now.pulses.flatMap((pulse, index) => (pulse.line === line ? [this.pulse(pulse, index)] : []));
    const name = make("span", {}, `Interrupt ${line.name} rises in cycle`);
    return make("div", { class: "field" }, name, make("span", { class: "quantity" }, ...inputs));
  }

  private pulse({ line }: Pulse, index: number): HTMLElement {
    const read = (): number => this.now.pulses[index]?.cycle ?? 0;
    const write = (cycle: number): State => withPulse(this.now, index, cycle);
    const input = this.number(`pulse-${index}`, 1, limit(this.now) - 1, read, write);
    input.setAttribute("aria-label", `Cycle in which interrupt ${line.name} rises, number ${index + 1}`);
    return input;
  }

  private choice(knob: Knob, choices: readonly string[]): HTMLElement {
    const options = choices.map((text, index) => [String(knob.minimum + index), text] as const);
    const control = select(options, "", (value) => this.changed(this.withKnob(knob, Number(value)), false));
    control.id = `knob-${knob.name}`;
    this.refresh.push(() => {
      control.value = String(this.now.knobs[knob.name]);
    });
    return labelled(knob.title, control);
  }

  private quantity(knob: Knob): HTMLElement {
    const { minimum, maximum, title, unit } = knob;
    const read = (): number => this.now.knobs[knob.name] ?? knob.value;
    const write = (value: number): State => this.withKnob(knob, value);
    const input = this.number(`knob-${knob.name}`, minimum, maximum, read, write);
    const bounds = { min: String(least(this.now, knob)), max: String(maximum) };
    const slider = make("input", { type: "range", ...bounds, "aria-label": `${title}, slider` });
    this.refresh.push(() => (slider.min = String(least(this.now, knob))));
    slider.addEventListener("input", () => this.changed(write(Number(slider.value)), true));
    this.refresh.push(() => {
      slider.value = String(read());
    });
    const name = unit ? `${title} (${unit})` : title;
    const label = make("label", { for: input.id }, name);
    return make("div", { class: "field" }, label, make("span", { class: "quantity" }, slider, input));
  }

  private withKnob(knob: Knob, value: number): State {
    return { ...this.now, knobs: { ...this.now.knobs, [knob.name]: value } };
  }

  private number(
    id: string,
    minimum: number,
    maximum: number,
    read: () => number,
    write: (value: number) => State,
  ): HTMLInputElement {
    const bounds = { min: String(minimum), max: String(maximum), step: "1" };
    const input = make("input", { type: "number", id, inputmode: "numeric", ...bounds });
    input.addEventListener("change", () => {
      const value = Math.round(Number(input.value));
      if (Number.isFinite(value)) this.changed(write(limited(value, minimum, maximum)), true);
      input.value = String(read());
    });
    this.refresh.push(() => {
      if (document.activeElement !== input || Number(input.value) !== read()) input.value = String(read());
    });
    return input;
  }
}
