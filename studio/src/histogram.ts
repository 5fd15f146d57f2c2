// SPDX-License-Identifier: Apache-2.0
// Histogram of the latencies of a sweep, one kernel above the other over one axis of cycles. A bar can be picked.
import { type Bin, type Bins, bins, lengths } from "./bins";
import type { System } from "./contract";
import { byId, prepare } from "./dom";
import { grouped, limited } from "./numbers";
import { colours, FONT, onColoursChanged, type Palette } from "./palette";
import { coalesced } from "./redraw";
import type { Sample, Samples } from "./sweep";
import { type Side, SIDES } from "./state";
import { ticks } from "./view";

const PANEL = 104;
const AXIS = 34;
const EDGE = 40; // left: counts
const RIGHT = 14;
const BAR = 7; // pixels at least
const HEAD = 26; // above the bars: name and worst

interface Place {
  side: Side;
  bin: number;
}

export interface Picker {
  picked(sample: Sample): void;
  said(text: string): void;
}

export class Histogram {
  private readonly canvas = byId("histogram", HTMLCanvasElement);
  private samples: Samples = { a: [], b: [] };
  private found: Bins | null = null;
  private place: Place | null = null;
  private readonly redraw = coalesced(() => this.draw());

  constructor(
    private systems: Record<Side, System>,
    private readonly picker: Picker,
  ) {
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => this.choose(null));
    this.canvas.addEventListener("click", (event) => {
      this.point(event);
      this.pick();
    });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
    onColoursChanged(() => this.redraw());
  }

  show(systems: Record<Side, System>, samples: Samples): void {
    this.systems = systems;
    this.samples = samples;
    this.redraw();
  }

  private get pixels(): number {
    return Math.max(this.canvas.clientWidth - EDGE - RIGHT, 1);
  }

  private draw(): void {
    this.found = bins(this.samples, Math.floor(this.pixels / BAR));
    this.canvas.hidden = this.found === null;
    if (!this.found) return;
    const palette = colours();
    const context = prepare(this.canvas, this.canvas.clientWidth, 2 * PANEL + AXIS);
    context.font = FONT;
    SIDES.forEach((side, index) => this.panel(context, palette, side, index * PANEL));
    this.axis(context, palette, this.found);
  }

  private x(cycles: number): number {
    const { first = 0, width = 1, count = 1 } = this.found ?? {};
    return EDGE + ((cycles - first) / (width * count)) * this.pixels;
  }

  private panel(context: CanvasRenderingContext2D, palette: Palette, side: Side, top: number): void {
    if (!this.found) return;
    const system = this.systems[side];
    const colour = palette.slot(system.slot);
    const floor = top + PANEL;
    const tallest = Math.max(...this.found.of[side].map((bin) => bin.samples.length), 1);
    this.found.of[side].forEach((bin, index) => {
      const height = (bin.samples.length / tallest) * (PANEL - HEAD);
      const chosen = this.place?.side === side && this.place.bin === index;
      context.fillStyle = chosen ? palette.text : colour;
      context.globalAlpha = chosen ? 1 : 0.85;
      const [left, right] = [this.x(bin.from), this.x(bin.from + (this.found?.width ?? 1))];
      context.fillRect(left, floor - height, Math.max(right - left - 1, 1), height);
    });
    context.globalAlpha = 1;
    context.fillStyle = palette.soft;
    context.textAlign = "right";
    context.fillText(String(tallest), EDGE - 6, top + HEAD + 4);
    context.fillRect(EDGE, floor - 0.5, this.pixels, 1);
    this.worst(context, palette, side, top);
  }

  /** Name of the kernel, and a mark at its longest latency. */
  private worst(context: CanvasRenderingContext2D, palette: Palette, side: Side, top: number): void {
    const system = this.systems[side];
    const worst = lengths(this.samples[side]).reduce((one, two) => Math.max(one, two), 0);
    const text = `${system.name}: worst ${grouped(worst)}`;
    context.fillStyle = palette.slot(system.slot);
    const x = this.x(worst + 0.5);
    const beyond = x + context.measureText(text).width + 10 > this.canvas.clientWidth;
    context.textAlign = beyond ? "right" : "left";
    context.fillText(text, beyond ? x - 8 : x + 8, top + 14);
    context.beginPath();
    context.moveTo(x - 5, top + 6);
    context.lineTo(x + 5, top + 6);
    context.lineTo(x, top + 15);
    context.fill();
    context.globalAlpha = 0.4;
    context.fillRect(x - 0.5, top + 15, 1, PANEL - 15);
    context.globalAlpha = 1;
  }

  private axis(context: CanvasRenderingContext2D, palette: Palette, { first, width, count }: Bins): void {
    context.fillStyle = palette.soft;
    context.textAlign = "center";
    for (const cycle of ticks({ from: first, to: first + width * count }, this.pixels, 64)) {
      context.fillText(grouped(cycle), this.x(cycle), 2 * PANEL + 15);
    }
    context.textAlign = "right";
    context.fillText("latency in cycles", this.canvas.clientWidth - 2, 2 * PANEL + 30);
  }

  private bin(): Bin | null {
    return (this.place && this.found?.of[this.place.side][this.place.bin]) ?? null;
  }

  private point(event: MouseEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const { count = 1 } = this.found ?? {};
    const bin = Math.floor(((event.clientX - box.left - EDGE) / this.pixels) * count);
    const side = event.clientY - box.top < PANEL ? "a" : "b";
    this.choose(this.found?.of[side][bin]?.samples.length ? { side, bin } : null);
  }

  private choose(place: Place | null): void {
    this.place = place;
    this.canvas.classList.toggle("can-pick", place !== null);
    const bin = this.bin();
    this.canvas.title = bin && place ? this.describe(place.side, bin) : "";
    this.redraw();
  }

  private describe(side: Side, { from, samples }: Bin): string {
    const { width = 1 } = this.found ?? {};
    const range = width === 1 ? `${from}` : `${from} to ${from + width - 1}`;
    return `${this.systems[side].name}: ${range} cycles in ${samples.length} runs`;
  }

  private pick(): void {
    const sample = this.bin()?.samples[0];
    if (sample) this.picker.picked(sample);
  }

  private key(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 0, ArrowDown: 0 }[event.key];
    if (event.key === "Enter") this.pick();
    if (by === undefined || !this.found) return;
    event.preventDefault();
    const side = event.key === "ArrowUp" ? "a" : event.key === "ArrowDown" ? "b" : (this.place?.side ?? "a");
    this.choose({ side, bin: this.occupied(side, this.place ? this.place.bin + by : 0, by || 1) });
    const bin = this.bin();
    if (bin) this.picker.said(this.describe(side, bin));
  }

  /** The next bin with samples in a direction; where there is none, the bin before. */
  private occupied(side: Side, from: number, by: number): number {
    const all = this.found?.of[side] ?? [];
    for (let at = from; at >= 0 && at < all.length; at += by) {
      if (all[at]?.samples.length) return at;
    }
    return limited(this.place?.bin ?? 0, 0, all.length - 1);
  }
}
