// SPDX-License-Identifier: Apache-2.0
// The time axis above both kernels: cycles, and microseconds at the clock that is assumed.
import { prepare } from "./dom";
import { type Frame, xOf } from "./frame";
import { grouped, microseconds } from "./numbers";
import { colours, SMALL_FONT } from "./palette";
import { ticks } from "./view";

const HEIGHT = 40;
const APART = 92; // pixels between two labels

export function drawAxis(canvas: HTMLCanvasElement, frame: Frame, clock_mhz: number): void {
  const palette = colours();
  const context = prepare(canvas, frame.width, HEIGHT);
  context.font = SMALL_FONT;
  context.textBaseline = "alphabetic";
  context.fillStyle = palette.soft;
  context.textAlign = "left";
  context.fillText("cycles", 0, 12);
  context.fillText(`µs at ${clock_mhz} MHz`, 0, 27);
  context.strokeStyle = palette.soft;
  context.lineWidth = 1;
  context.beginPath();
  for (const cycle of ticks(frame.view, frame.width - frame.gutter, APART)) {
    const x = xOf(frame, cycle);
    context.moveTo(x, 33);
    context.lineTo(x, HEIGHT);
    const last = x > frame.width - APART / 2;
    context.textAlign = last ? "right" : x < frame.gutter + APART / 2 ? "left" : "center";
    context.fillText(grouped(cycle), last ? frame.width : x, 12);
    context.fillText(microseconds(cycle, clock_mhz), last ? frame.width : x, 27);
  }
  context.moveTo(frame.gutter, HEIGHT - 0.5);
  context.lineTo(frame.width, HEIGHT - 0.5);
  context.stroke();
}
