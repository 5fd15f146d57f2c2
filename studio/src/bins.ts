// SPDX-License-Identifier: Apache-2.0
// Bins of a histogram that two kernels share. Pure functions.
import type { Sample, Samples } from "./sweep";
import { type Side, SIDES } from "./state";
import { nice } from "./view";

export interface Bin {
  from: number; // cycles; `from` is in the bin, from + width is not
  samples: Sample[];
}

export interface Bins {
  width: number;
  first: number; // cycles at the left end
  count: number;
  of: Record<Side, Bin[]>;
}

export function lengths(samples: readonly Sample[]): number[] {
  return samples.map((sample) => sample.latency).filter((latency) => latency !== null);
}

/** At most `most` bins from the shortest to the longest latency of both kernels; null: there is none. */
export function bins(samples: Samples, most: number): Bins | null {
  const all = SIDES.flatMap((side) => lengths(samples[side]));
  if (all.length === 0) return null;
  const least = all.reduce((one, two) => Math.min(one, two));
  const largest = all.reduce((one, two) => Math.max(one, two));
  const width = nice((largest - least + 1) / Math.max(most, 1));
  const first = Math.floor(least / width) * width;
  const count = Math.floor((largest - first) / width) + 1;
  const of = (side: Side): Bin[] => {
    const found: Bin[] = Array.from({ length: count }, (_, index) => ({ from: first + index * width, samples: [] }));
    for (const sample of samples[side]) {
      if (sample.latency !== null) found[Math.floor((sample.latency - first) / width)]?.samples.push(sample);
    }
    return found;
  };
  return { width, first, count, of: { a: of("a"), b: of("b") } };
}
