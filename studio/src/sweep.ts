// SPDX-License-Identifier: Apache-2.0
// Sweep: one run for each cycle in which the first interrupt may rise, on both kernels at once.
import type { Names, System } from "./contract";
import { length, longest, type Measured, measure } from "./regions";
import { type Simulators, Stopped } from "./simulators";
import { limit, request, type Side, SIDES, slowdown, type State } from "./state";
import { decode } from "./trace";

export interface Range {
  from: number;
  to: number;
  step: number;
}

/** Latency of the interrupt that rose in `cycle`; null: it was not answered before the run ended. */
export interface Sample {
  cycle: number;
  latency: number | null;
}

export type Samples = Record<Side, Sample[]>;

const SOON = 2000; // cycles after an interrupt in which most are answered
const NEAR = 2; // cycles between a pulse and its edge in the trace

export function cycles({ from, to, step }: Range): number[] {
  return Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, index) => from + index * step);
}

/** The span that the interrupt of this cycle began; where interrupts begin none, the longest one. */
export function latency(measured: Measured, cycle: number, byLine: boolean): number | null {
  const begun = measured.spans.find((span) => Math.abs(span.begin - cycle) <= NEAR);
  const found = byLine ? begun : longest(measured.spans);
  return found ? length(found) : null;
}

export class Sweep {
  private going = false;
  readonly samples: Samples = { a: [], b: [] };

  constructor(
    private readonly simulators: Simulators,
    private readonly names: Names,
    private readonly state: State,
    private readonly grown: () => void,
  ) {}

  /** True: every run is done; false: it was stopped. Rejects when a run failed. */
  async start(range: Range): Promise<boolean> {
    this.going = true;
    const wanted = cycles(range);
    try {
      await Promise.all(SIDES.map((side) => this.side(side, this.state.systems[side], wanted)));
      return this.going;
    } finally {
      this.going = false;
    }
  }

  stop(): void {
    this.going = false;
  }

  private async side(side: Side, system: System, wanted: readonly number[]): Promise<void> {
    try {
      for (const cycle of wanted) {
        if (!this.going) return;
        this.samples[side].push({ cycle, latency: await this.sample(system, cycle) });
        this.grown();
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      this.going = false;
    }
  }

  /** A run that ends soon after the interrupt; if it had no answer by then, the whole run. */
  private async sample(system: System, cycle: number): Promise<number | null> {
    const end = limit(this.state);
    const soon = Math.min(cycle + SOON * slowdown(this.state), end);
    return (await this.measured(system, cycle, soon)) ?? (soon < end ? this.measured(system, cycle, end) : null);
  }

  private async measured(system: System, cycle: number, end: number): Promise<number | null> {
    const { region } = this.state.program;
    const [first, ...rest] = this.state.pulses;
    if (!first || !region) return null;
    const wanted = request(this.state, system, [{ ...first, cycle }, ...rest]);
    const byLine = region.line === first.line.number;
    const found = await this.simulators.run({ ...wanted, cycles: byLine ? end : wanted.cycles });
    return latency(measure(decode(found.trace), region, this.names), cycle, byLine);
  }
}
