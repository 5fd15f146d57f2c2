// SPDX-License-Identifier: Apache-2.0
// Paints the slices of one row: a look for each kind of slice.
import { type Frame, xOf } from "./frame";
import type { Palette } from "./palette";
import type { Look, Row, Slice } from "./rows";

export interface Brush {
  context: CanvasRenderingContext2D;
  frame: Frame;
  palette: Palette;
  colour: string; // of the kernel
  half: number; // half the height of a filled slice
}

/** A slice in pixels; `middle` of its row, `next`: where the next slice of the row begins. */
interface Box {
  left: number;
  right: number;
  middle: number;
  next: number;
}

type Paint = (brush: Brush, slice: Slice, box: Box) => void;

/** Index of the first slice that may be seen from this cycle on. */
export function firstSeen(slices: readonly Slice[], from: number): number {
  let [low, high] = [0, slices.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((slices[middle]?.begin ?? Infinity) < from) low = middle + 1;
    else high = middle;
  }
  while (low > 0 && (slices[low - 1]?.end ?? 0) >= from) low -= 1;
  return low;
}

/** Paint a row. Inherited priorities come last, since they stand on other slices. */
export function paintRow(brush: Brush, row: Row, middle: number): void {
  paintSlices(brush, row, middle, (slice) => slice.look !== "raise");
  paintSlices(brush, row, middle, (slice) => slice.look === "raise");
  brush.context.globalAlpha = 1;
}

/** Slices that would end in a pixel that is painted already are left out: a long run has thousands in one. */
function paintSlices(brush: Brush, { slices }: Row, middle: number, meant: (slice: Slice) => boolean): void {
  const { frame } = brush;
  const painted = new Map<Look, number>(); // look → last pixel that it has painted
  for (let at = firstSeen(slices, frame.view.from); at < slices.length; at += 1) {
    const slice = slices[at];
    if (!slice || slice.begin > frame.view.to) break;
    if (!meant(slice)) continue;
    const left = Math.max(xOf(frame, slice.begin), frame.gutter - 2);
    const right = Math.min(Math.max(xOf(frame, slice.end), left + 1), frame.width + 2);
    if (right <= (painted.get(slice.look) ?? -1) + 0.5) continue;
    painted.set(slice.look, right);
    const following = slices[at + 1];
    const next = following ? xOf(frame, following.begin) : frame.width;
    PAINT[slice.look](brush, slice, { left, right, middle, next });
  }
}

function filled(alpha: number, colour?: (palette: Palette) => string): Paint {
  return ({ context, palette, colour: own, half }, _, { left, right, middle }) => {
    context.globalAlpha = alpha;
    context.fillStyle = colour ? colour(palette) : own;
    context.fillRect(left, middle - half, right - left, 2 * half);
  };
}

function outlined({ context, palette, half }: Brush, _: Slice, { left, right, middle }: Box): void {
  context.globalAlpha = 1;
  context.strokeStyle = palette.soft;
  context.lineWidth = 1.5;
  context.strokeRect(left + 0.75, middle - half + 0.75, Math.max(right - left - 1.5, 0.1), 2 * half - 1.5);
}

/** A thin line with the name of the call in its middle, if it has the space. */
function waits({ context, palette }: Brush, slice: Slice, { left, right, middle }: Box): void {
  context.globalAlpha = 0.75;
  context.fillStyle = palette.soft;
  context.fillRect(left, middle - 1, right - left, 2);
  const space = right - left - 20;
  const width = space < 16 ? Infinity : context.measureText(slice.name).width;
  if (width > space) return;
  const centre = (left + right) / 2;
  context.globalAlpha = 1;
  context.fillStyle = palette.card;
  context.fillRect(centre - width / 2 - 4, middle - 6, width + 8, 12);
  context.fillStyle = palette.soft;
  context.textAlign = "center";
  context.fillText(slice.name, centre, middle);
}

function event({ context, palette, half }: Brush, slice: Slice, { left, middle, next }: Box): void {
  context.globalAlpha = 1;
  context.fillStyle = palette.text;
  context.fillRect(left - 0.75, middle - half, 1.5, 2 * half);
  if (next - left < 40 || context.measureText(slice.name).width > next - left - 10) return;
  context.fillStyle = palette.soft;
  context.textAlign = "left";
  context.fillText(slice.name, left + 4, middle);
}

/** The priority that a task inherits, above its slice. */
function raised({ context, palette, half }: Brush, slice: Slice, { left, middle }: Box): void {
  const width = context.measureText(slice.name).width;
  context.globalAlpha = 1;
  context.fillStyle = palette.text;
  context.fillRect(left, middle - half - 1, width + 6, 2 * half + 2);
  context.fillStyle = palette.page;
  context.textAlign = "left";
  context.fillText(slice.name, left + 3, middle + 0.5);
}

/** An edge that rises. */
function edge({ context, palette, half }: Brush, _: Slice, { left, middle }: Box): void {
  context.globalAlpha = 1;
  context.strokeStyle = palette.text;
  context.lineWidth = 1.75;
  context.beginPath();
  context.moveTo(left - 4, middle + half);
  context.lineTo(left, middle + half);
  context.lineTo(left, middle - half);
  context.lineTo(left + 4, middle - half);
  context.stroke();
}

/** A bracket from the edge of the interrupt to the place that answers it, and its cycles behind it. */
function bracket({ context, colour, half }: Brush, slice: Slice, { left, right, middle, next }: Box): void {
  context.globalAlpha = 1;
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(left, middle - half);
  context.lineTo(left, middle + half);
  context.moveTo(left, middle);
  context.lineTo(right, middle);
  context.moveTo(right, middle - half);
  context.lineTo(right, middle + half);
  context.stroke();
  if (context.measureText(slice.name).width > next - right - 12) return;
  context.fillStyle = colour;
  context.textAlign = "left";
  context.fillText(slice.name, right + 7, middle);
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
  raise: raised,
};
