// SPDX-License-Identifier: Apache-2.0
// The rows of one kernel on a canvas: where they stand, what is under a point.
import type { Arrow } from "./annotate";
import { CURVE, type Curve, drawCurve } from "./curve";
import { prepare } from "./dom";
import { cycleOf, cyclesPerPixel, type Frame, xOf } from "./frame";
import { limited } from "./numbers";
import { firstSeen, paintRow } from "./paint";
import { colours, SMALL_FONT } from "./palette";
import type { Row, Slice } from "./rows";
import type { Run } from "./run";

const ROWS = 260; // pixels of all rows, as long as one of them is neither higher nor lower than:
const [LOWEST, HIGHEST] = [14, 19];
const MARGIN = 6;
const EMPTY = 180; // height before the first run
const REACH = 5; // pixels beside an event that still mean it
const ARROWS_APART = 24; // pixels on average; more arrows would hide the rows
const MOST_SHADED = 24; // spans; more would shade everything

/** A slice by its row and its place in it. */
export interface Place {
  row: number;
  slice: number;
}

export class Lane {
  rows: readonly Row[] = [];
  private arrows: readonly Arrow[] = [];
  private slot = 0;
  private height = EMPTY; // a lane without a run keeps that of its last one, so that the page does not jump

  curve: Curve | null = null; // of a sweep, above the rows

  constructor(readonly canvas: HTMLCanvasElement) {}

  show(run: Run | null): void {
    this.rows = run?.rows ?? [];
    this.arrows = run?.arrows ?? [];
    this.slot = run?.system.slot ?? 0;
  }

  /** `pulses`: cycles in which the page raises a line; `selected`: outlined. */
  draw(frame: Frame, pulses: readonly number[], selected: Slice | null): void {
    const palette = colours();
    if (this.rows.length > 0) this.height = this.top + this.rows.length * this.rowHeight + MARGIN;
    const { height } = this;
    const context = prepare(this.canvas, frame.width, height);
    context.font = SMALL_FONT;
    context.textBaseline = "middle";
    const half = this.rowHeight * 0.3;
    const brush = { context, frame, palette, colour: palette.slot(this.slot), half };
    context.save();
    context.beginPath();
    context.rect(frame.gutter, 0, frame.width - frame.gutter, height);
    context.clip();
    this.shade(context, frame, brush.colour, height);
    for (const cycle of pulses) dashed(context, xOf(frame, cycle), height, palette.shade);
    if (this.curve) drawCurve(context, frame, this.curve, brush.colour);
    this.rows.forEach((row, index) => paintRow(brush, row, this.middle(index)));
    this.point(context, frame, palette.text);
    context.restore();
    if (this.curve) title(context, "if it rose here", frame.gutter, CURVE - 8, palette.soft);
    this.rows.forEach((row, index) => title(context, row.title, frame.gutter, this.middle(index), palette.soft));
    if (selected) this.outline(context, frame, selected);
  }

  slice({ row, slice }: Place): Slice | null {
    return this.rows[row]?.slices[slice] ?? null;
  }

  /** The cycle of the sweep under a point of its curve. */
  swept(frame: Frame, x: number, y: number): number | null {
    if (!this.curve || y > CURVE || x < frame.gutter) return null;
    const cycle = cycleOf(frame, x);
    return this.curve.samples.findLast((sample) => sample.cycle <= cycle)?.cycle ?? null;
  }

  /** The slice under a point; of several the one that began last. */
  hit(frame: Frame, x: number, y: number): Place | null {
    const row = Math.floor((y - this.top) / this.rowHeight);
    const slices = this.rows[row]?.slices;
    if (!slices || x < frame.gutter) return null;
    const cycle = cycleOf(frame, x);
    const reach = REACH * cyclesPerPixel(frame);
    let found: Place | null = null;
    let best = Infinity;
    for (let at = firstSeen(slices, cycle - reach); at < slices.length; at += 1) {
      const slice = slices[at];
      if (!slice || slice.begin > cycle + reach) break;
      const distance = Math.max(slice.begin - cycle, cycle - slice.end, 0);
      if (distance <= Math.min(best, reach)) [best, found] = [distance, { row, slice: at }];
    }
    return found;
  }

  /** The slice of a row that begins in a cycle. */
  at(row: number, begin: number): Place | null {
    const slice = this.rows[row]?.slices.findIndex((each) => each.begin === begin) ?? -1;
    return slice < 0 ? null : { row, slice };
  }

  /** The slice of a row that contains a cycle, else the next one, else the last one. */
  nearest(row: number, cycle: number): Place | null {
    const slices = this.rows[row]?.slices;
    return slices?.length ? { row, slice: Math.min(firstSeen(slices, cycle), slices.length - 1) } : null;
  }

  /** Arrows from what ended a wait to the task that waited. */
  private point(context: CanvasRenderingContext2D, frame: Frame, colour: string): void {
    const { from, to } = frame.view;
    const seen = this.arrows.filter(({ cycle }) => cycle >= from && cycle <= to);
    if (seen.length > (frame.width - frame.gutter) / ARROWS_APART) return;
    context.globalAlpha = 0.6;
    for (const { cycle, from, to } of seen) {
      arrow(context, xOf(frame, cycle), this.middle(from), this.middle(to), colour);
    }
    context.globalAlpha = 1;
  }

  private shade(context: CanvasRenderingContext2D, frame: Frame, colour: string, height: number): void {
    const spans = this.rows.flatMap((row) => row.slices.filter((slice) => slice.look === "span"));
    const seen = spans.filter((span) => span.end >= frame.view.from && span.begin <= frame.view.to);
    if (seen.length > MOST_SHADED) return;
    context.globalAlpha = 0.08;
    context.fillStyle = colour;
    for (const { begin, end } of seen) {
      context.fillRect(xOf(frame, begin), 0, xOf(frame, end) - xOf(frame, begin), height);
    }
    context.globalAlpha = 1;
  }

  private outline(context: CanvasRenderingContext2D, frame: Frame, selected: Slice): void {
    const row = this.rows.findIndex((each) => each.slices.includes(selected));
    const [left, right] = [xOf(frame, selected.begin), xOf(frame, selected.end)];
    if (row < 0 || right < frame.gutter || left > frame.width) return;
    const begin = Math.max(left, frame.gutter) - 2;
    context.strokeStyle = colours().text;
    context.lineWidth = 2;
    const top = this.middle(row) - this.rowHeight / 2 + 1;
    context.strokeRect(begin, top, Math.min(right, frame.width - 1) - begin + 2, this.rowHeight - 2);
  }

  private get rowHeight(): number {
    return limited(Math.floor(ROWS / Math.max(this.rows.length, 1)), LOWEST, HIGHEST);
  }

  /** Where the rows begin. */
  private get top(): number {
    return MARGIN + (this.curve ? CURVE : 0);
  }

  private middle(row: number): number {
    return this.top + (row + 0.5) * this.rowHeight;
  }
}

function dashed(context: CanvasRenderingContext2D, x: number, height: number, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.setLineDash([4, 3]);
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, height);
  context.stroke();
  context.setLineDash([]);
}

function arrow(context: CanvasRenderingContext2D, x: number, from: number, to: number, colour: string): void {
  const back = Math.sign(from - to) * 5;
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x, from);
  context.lineTo(x, to + back);
  context.stroke();
  context.beginPath();
  context.moveTo(x, to);
  context.lineTo(x - 3, to + back);
  context.lineTo(x + 3, to + back);
  context.fill();
}

/** The title of a row, shortened where it is wider than the gutter. */
function title(context: CanvasRenderingContext2D, text: string, gutter: number, y: number, colour: string): void {
  let shown = text;
  while (shown.length > 1 && context.measureText(shown).width > gutter - 8) shown = `${shown.slice(0, -2)}…`;
  context.fillStyle = colour;
  context.textAlign = "left";
  context.fillText(shown, 0, y);
}
