// SPDX-License-Identifier: Apache-2.0
// Paints the slices of one row: a look for each kind of slice.
import { type Frame, x_of } from "./frame";
import type { Palette } from "./palette";
import type { Look, Row, Slice } from "./rows";

export interface Brush {
  context: CanvasRenderingContext2D;
  frame: Frame;
  palette: Palette;
  colour: string; // of the kernel
}

/** A slice in pixels; `middle` of its row, `next`: where the next slice of the row begins. */
interface Box {
  left: number;
  right: number;
  middle: number;
  next: number;
}

type Paint = (brush: Brush, slice: Slice, box: Box) => void;

const HALF = 6; // half the height of a filled slice

/** Index of the first slice that may be seen from this cycle on. */
export function first_seen(slices: readonly Slice[], from: number): number {
  let [low, high] = [0, slices.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((slices[middle]?.begin ?? Infinity) < from) low = middle + 1;
    else high = middle;
  }
  while (low > 0 && (slices[low - 1]?.end ?? 0) >= from) low -= 1;
  return low;
}

/** Slices that would end in a pixel that is painted already are left out: a long run has thousands in one. */
export function paint_row(brush: Brush, row: Row, middle: number): void {
  const { frame } = brush;
  const painted = new Map<Look, number>(); // look → last pixel that it has painted
  for (let at = first_seen(row.slices, frame.view.from); at < row.slices.length; at += 1) {
    const slice = row.slices[at];
    if (!slice || slice.begin > frame.view.to) break;
    const left = Math.max(x_of(frame, slice.begin), frame.gutter - 2);
    const right = Math.min(Math.max(x_of(frame, slice.end), left + 1), frame.width + 2);
    if (right <= (painted.get(slice.look) ?? -1) + 0.5) continue;
    painted.set(slice.look, right);
    const following = row.slices[at + 1];
    const next = following ? x_of(frame, following.begin) : frame.width;
    PAINT[slice.look](brush, slice, { left, right, middle, next });
  }
  brush.context.globalAlpha = 1;
}

function filled(alpha: number, colour?: (palette: Palette) => string): Paint {
  return ({ context, palette, colour: own }, _, { left, right, middle }) => {
    context.globalAlpha = alpha;
    context.fillStyle = colour ? colour(palette) : own;
    context.fillRect(left, middle - HALF, right - left, 2 * HALF);
  };
}

function outlined({ context, palette }: Brush, _: Slice, { left, right, middle }: Box): void {
  context.globalAlpha = 1;
  context.strokeStyle = palette.soft;
  context.lineWidth = 1.5;
  context.strokeRect(left + 0.75, middle - HALF + 0.75, Math.max(right - left - 1.5, 0.1), 2 * HALF - 1.5);
}

function waits(brush: Brush, slice: Slice, { left, right, middle }: Box): void {
  const { context, palette } = brush;
  context.globalAlpha = 0.75;
  context.fillStyle = palette.soft;
  context.fillRect(left, middle - 1, right - left, 2);
  written(brush, slice.name, { left, right, middle }, palette.soft);
}

/** A text in the middle of a line, if it has the space. */
function written({ context, palette }: Brush, text: string, line: Omit<Box, "next">, colour: string): void {
  const { left, right, middle } = line;
  const space = right - left - 12;
  if (space < 24) return;
  const width = context.measureText(text).width;
  if (width > space) return;
  const centre = (left + right) / 2;
  context.globalAlpha = 1;
  context.fillStyle = palette.card;
  context.fillRect(centre - width / 2 - 4, middle - 8, width + 8, 16);
  context.fillStyle = colour;
  context.textAlign = "center";
  context.fillText(text, centre, middle);
}

function event({ context, palette }: Brush, slice: Slice, { left, middle, next }: Box): void {
  context.globalAlpha = 1;
  context.fillStyle = palette.text;
  context.fillRect(left - 0.75, middle - HALF, 1.5, 2 * HALF);
  if (next - left < 40 || context.measureText(slice.name).width > next - left - 10) return;
  context.fillStyle = palette.soft;
  context.textAlign = "left";
  context.fillText(slice.name, left + 4, middle);
}

/** An edge that rises. */
function edge({ context, palette }: Brush, _: Slice, { left, middle }: Box): void {
  context.globalAlpha = 1;
  context.strokeStyle = palette.text;
  context.lineWidth = 1.75;
  context.beginPath();
  context.moveTo(left - 4, middle + HALF);
  context.lineTo(left, middle + HALF);
  context.lineTo(left, middle - HALF);
  context.lineTo(left + 4, middle - HALF);
  context.stroke();
}

/** A bracket from the edge of the interrupt to the place that answers it, with its cycles. */
function bracket(brush: Brush, slice: Slice, { left, right, middle }: Box): void {
  const { context, colour } = brush;
  context.globalAlpha = 1;
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(left, middle - HALF);
  context.lineTo(left, middle + HALF);
  context.moveTo(left, middle);
  context.lineTo(right, middle);
  context.moveTo(right, middle - HALF);
  context.lineTo(right, middle + HALF);
  context.stroke();
  written(brush, slice.name, { left, right, middle }, colour);
}

const PAINT: Readonly<Record<Look, Paint>> = {
  running: filled(0.95),
  idle: filled(0.28),
  off: filled(0.13),
  handler: filled(0.6),
  masked: filled(0.75, (palette) => palette.bad),
  trap: outlined,
  waits,
  event,
  line: edge,
  span: bracket,
};
