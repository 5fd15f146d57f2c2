// SPDX-License-Identifier: Apache-2.0
// The curve of a sweep above the rows of a kernel: the latency of the interrupt if it rose in this cycle.
import { type Frame, xOf } from "./frame";
import { grouped } from "./numbers";
import { colours } from "./palette";
import type { Sample } from "./sweep";

export const CURVE = 52; // pixels
const HEAD = 15; // above the highest point

/** `most`: the longest latency of both kernels, so that their curves have the same height. */
export interface Curve {
  samples: readonly Sample[];
  most: number;
}

export function drawCurve(context: CanvasRenderingContext2D, frame: Frame, curve: Curve, colour: string): void {
  const { samples, most } = curve;
  const palette = colours();
  const top = (latency: number): number => CURVE - ((CURVE - HEAD) * latency) / Math.max(most, 1);
  const step = (samples[1]?.cycle ?? 0) - (samples[0]?.cycle ?? 0) || 1;
  const width = Math.max(xOf(frame, step) - xOf(frame, 0), 1);
  for (const { cycle, latency } of samples) {
    const x = xOf(frame, cycle);
    if (x + width < frame.gutter || x > frame.width) continue;
    const y = latency === null ? HEAD : top(latency);
    context.fillStyle = latency === null ? palette.bad : colour;
    context.globalAlpha = 0.25;
    context.fillRect(x, y, width, CURVE - y);
    context.globalAlpha = 1;
    context.fillRect(x, y - 1, width, 2);
  }
  const worst = samples.reduce((found, sample) => Math.max(found, sample.latency ?? 0), 0);
  const first = samples.find((sample) => sample.latency === worst);
  if (first) label(context, frame, xOf(frame, first.cycle), top(worst), grouped(worst), colour);
}

/** The longest latency, beside its first place. */
function label(
  context: CanvasRenderingContext2D,
  frame: Frame,
  x: number,
  y: number,
  text: string,
  colour: string,
): void {
  if (x < frame.gutter || x > frame.width) return;
  context.fillStyle = colour;
  const beyond = x + context.measureText(text).width > frame.width;
  context.textAlign = beyond ? "right" : "left";
  context.fillText(text, x, y - 7);
}
