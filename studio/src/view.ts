// SPDX-License-Identifier: Apache-2.0
// The cycles that the timeline shows, and how they change: zoom, pan, ticks. Pure functions.

export interface View {
  from: number;
  to: number;
}

const LEAST = 24; // cycles; below, a cycle would be wider than a finger

/** Fit a view into 0 … limit: moved rather than cut, where it fits. */
export function clamped({ from, to }: View, limit: number): View {
  const width = Math.min(Math.max(to - from, LEAST), Math.max(limit, LEAST));
  const begin = Math.min(Math.max(from, 0), Math.max(limit - width, 0));
  return { from: begin, to: begin + width };
}

/** `factor` below 1 shows fewer cycles; the cycle `at` stays in its place. */
export function zoomed(view: View, factor: number, at: number, limit: number): View {
  const width = Math.min(Math.max((view.to - view.from) * factor, LEAST), Math.max(limit, LEAST));
  const share = (at - view.from) / (view.to - view.from);
  return clamped({ from: at - share * width, to: at + (1 - share) * width }, limit);
}

export function moved(view: View, cycles: number, limit: number): View {
  return clamped({ from: view.from + cycles, to: view.to + cycles }, limit);
}

/** A stretch with as much again around it. */
export function around(begin: number, end: number): View {
  const margin = Math.max((end - begin) * 0.6, 60);
  return { from: begin - margin, to: end + margin };
}

/** The next of 1, 2, 5, 10, 20, … that is at least `value`. */
export function nice(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= value) ?? 10 * power;
}

/** Cycles with a label on the axis, at least `apart` pixels apart. */
export function ticks(view: View, pixels: number, apart: number): number[] {
  const step = nice(((view.to - view.from) / Math.max(pixels, 1)) * apart);
  const first = Math.ceil(view.from / step) * step;
  const count = Math.max(0, Math.floor((view.to - first) / step) + 1);
  return Array.from({ length: count }, (_, index) => first + index * step);
}
