// SPDX-License-Identifier: Apache-2.0
// The section of the sweep: its range, its buttons, the histogram and the figures under it.
import type { Names } from "./contract";
import { button, byId, labelled, make } from "./dom";
import { Line } from "./figures";
import { Histogram } from "./histogram";
import { limited } from "./numbers";
import type { Simulators } from "./simulators";
import { cycles, type Range, type Sample, type Samples, Sweep } from "./sweep";
import { limit, type Side, SIDES, type State } from "./state";

const AROUND = 100; // cycles before and after the interrupt
const MOST = 5000; // runs

export interface Host {
  state(): State;
  picked(cycle: number): void;
  swept(samples: Samples): void;
  said(text: string): void;
}

export class Survey {
  private readonly box = byId("sweep", HTMLElement);
  private readonly table = byId("figures", HTMLTableElement);
  private readonly from = field("sweep-from");
  private readonly to = field("sweep-to");
  private readonly step = field("sweep-step");
  private readonly start = button("Sweep", "Sweep: run both kernels for each cycle", () => void this.run());
  private readonly halt = button("Stop", "Stop the sweep", () => this.stop());
  private readonly progress = make("output", { class: "soft" });
  private readonly histogram: Histogram;
  private readonly lines: Record<Side, Line>;
  private sweep: Sweep | null = null;

  constructor(
    private readonly simulators: Simulators,
    private readonly names: Names,
    private readonly host: Host,
  ) {
    const picked = (sample: Sample): void => host.picked(sample.cycle);
    this.lines = { a: new Line("a", picked), b: new Line("b", picked) };
    this.histogram = new Histogram(host.state().systems, { picked, said: host.said });
    this.start.id = "sweep-start";
    this.halt.id = "sweep-stop";
    const controls = byId("sweep-controls", HTMLElement);
    controls.append(labelled("From cycle", this.from), labelled("to cycle", this.to), labelled("Step", this.step));
    controls.append(make("div", { class: "bar buttons" }, this.start, this.halt), this.progress);
    this.table.tBodies[0]?.append(this.lines.a.row, this.lines.b.row);
    this.mark("idle");
  }

  /** Begin anew: the program or something that all runs depend on has changed. */
  reset(): void {
    this.stop();
    const state = this.host.state();
    this.box.hidden = state.pulses.length === 0 || !state.program.region;
    this.progress.textContent = "";
    this.display(state, { a: [], b: [] });
    this.centre(state);
  }

  /** The interrupt has moved: follow it, unless it still is in the range. */
  follow(): void {
    const state = this.host.state();
    const cycle = state.pulses[0]?.cycle ?? 0;
    if (cycle < Number(this.from.value) || cycle > Number(this.to.value)) this.centre(state);
  }

  stop(): void {
    this.sweep?.stop();
    this.sweep = null;
    this.mark("idle");
  }

  private centre(state: State): void {
    const first = state.pulses[0];
    if (!first) return;
    const last = limit(state) - 1;
    this.from.value = String(limited(first.cycle - AROUND, 1, last));
    this.to.value = String(limited(first.cycle + AROUND - 1, 1, last));
    this.step.value = "1";
  }

  private async run(): Promise<void> {
    this.stop();
    const state = this.host.state();
    const range = this.range(state);
    const count = cycles(range).length;
    const sweep: Sweep = new Sweep(this.simulators, this.names, state, () => this.grown(sweep, state, count));
    this.sweep = sweep;
    this.display(state, sweep.samples);
    this.mark("running");
    try {
      const complete = await sweep.start(range);
      if (this.sweep === sweep) this.mark(complete ? "done" : "idle");
    } catch (error) {
      this.stop();
      this.progress.textContent = `The sweep stopped: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  private grown(sweep: Sweep, state: State, count: number): void {
    if (this.sweep !== sweep) return;
    const done = Math.min(sweep.samples.a.length, sweep.samples.b.length);
    this.progress.textContent = `${done} of ${count} cycles`;
    this.display(state, sweep.samples);
  }

  /** The range of the fields, with the values that were not allowed replaced. */
  private range(state: State): Range {
    const last = limit(state) - 1;
    const from = limited(Math.round(Number(this.from.value)) || 1, 1, last);
    const step = limited(Math.round(Number(this.step.value)) || 1, 1, last);
    const wanted = limited(Math.round(Number(this.to.value)) || from, from, last);
    const to = Math.min(wanted, from + (MOST - 1) * step);
    [this.from.value, this.to.value, this.step.value] = [String(from), String(to), String(step)];
    return { from, to, step };
  }

  private mark(status: "idle" | "running" | "done"): void {
    document.body.dataset["sweep"] = status;
    this.start.disabled = status === "running";
    this.halt.disabled = status !== "running";
  }

  private display(state: State, samples: Samples): void {
    this.host.swept(samples);
    this.histogram.show(state.systems, samples);
    this.table.hidden = samples.a.length + samples.b.length === 0;
    for (const side of SIDES) this.lines[side].show(state.systems[side], samples[side]);
  }
}

function field(id: string): HTMLInputElement {
  return make("input", { type: "number", id, min: "1", step: "1", inputmode: "numeric" });
}
