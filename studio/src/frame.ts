// SPDX-License-Identifier: Apache-2.0
// Places of cycles in pixels, the same for the axis and both kernels.
import type { View } from "./view";

const NARROW = 640;

export interface Frame {
  width: number; // of the canvas
  gutter: number; // in which the titles of rows stand
  view: View;
}

export function frame(width: number, view: View): Frame {
  return { width, gutter: width < NARROW ? 84 : 140, view };
}

export function xOf({ width, gutter, view }: Frame, cycle: number): number {
  return gutter + ((cycle - view.from) / (view.to - view.from)) * (width - gutter);
}

export function cycleOf({ width, gutter, view }: Frame, x: number): number {
  return view.from + ((x - gutter) / (width - gutter)) * (view.to - view.from);
}

export function cyclesPerPixel({ width, gutter, view }: Frame): number {
  return (view.to - view.from) / Math.max(width - gutter, 1);
}
