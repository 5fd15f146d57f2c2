// SPDX-License-Identifier: Apache-2.0
// The timeline: an axis and two kernels under one view, which mouse, fingers and keys zoom, pan and search.
import { drawAxis } from "./axis";
import { lengths } from "./bins";
import { byId } from "./dom";
import { cycleOf, cyclesPerPixel, type Frame, frame } from "./frame";
import { type Gestures, listen } from "./gestures";
import { Handles, type Moved } from "./handles";
import { Lane } from "./lane";
import { onColoursChanged } from "./palette";
import { coalesced } from "./redraw";
import type { Slice } from "./rows";
import type { Run } from "./run";
import { across, along, type Chosen } from "./selection";
import { type Pulse, type Side, SIDES } from "./state";
import type { Samples } from "./sweep";
import { around, clamped, moved, type View, zoomed } from "./view";

export interface Selected {
  side: Side;
  slice: Slice;
}

/** `looked`: the visitor changed the view; `pointed`: null when the mouse is at no slice; `selected`: null at none. */
export interface Listener {
  pulse: Moved;
  looked(view: View): void;
  pointed(found: Selected | null): void;
  selected(found: Selected | null): void;
}

const STEP = 0.1; // of the view, for an arrow key
const ZOOM = 1.5;

export class Timeline {
  private readonly box = byId("timeline", HTMLElement);
  private readonly axis = byId("axis", HTMLCanvasElement);
  private readonly lanes: Record<Side, Lane> = {
    a: new Lane(byId("lane-a", HTMLCanvasElement)),
    b: new Lane(byId("lane-b", HTMLCanvasElement)),
  };
  private readonly handles: Handles;
  private readonly ends: Record<Side, number> = { a: 0, b: 0 };
  private pulses: readonly Pulse[] = [];
  private limit = 1; // of the cycles in which a pulse may rise
  private chosen: Chosen | null = null;
  private readonly redraw = coalesced(() => this.draw());
  view: View = { from: 0, to: 1000 };

  constructor(
    private readonly clock_mhz: number,
    private readonly listener: Listener,
  ) {
    this.handles = new Handles(byId("pulses", HTMLElement), listener.pulse);
    for (const side of SIDES) listen(this.lanes[side].canvas, this.gestures(side));
    listen(this.axis, this.gestures(null));
    this.box.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.redraw()).observe(this.box);
    onColoursChanged(() => this.redraw());
  }

  /** Null: there is no run of this side any more. */
  set(side: Side, run: Run | null): void {
    const lane = this.lanes[side];
    lane.show(run);
    this.ends[side] = run?.cycles ?? 0;
    if (this.chosen?.side === side) this.choose(null);
    this.redraw();
  }

  /** The same run, whose rows now say more. What was selected stays selected. */
  annotate(side: Side, run: Run): void {
    const before = this.chosen?.side === side ? this.of(this.chosen)?.slice : undefined;
    const row = this.chosen?.place.row ?? 0;
    this.lanes[side].show(run);
    if (before) {
      const place = this.lanes[side].at(row, before.begin);
      this.choose(place && { side, place });
    }
    this.redraw();
  }

  /** Curves of a sweep; empty: there is none. */
  setCurves(samples: Samples): void {
    const most = Math.max(...SIDES.flatMap((side) => lengths(samples[side])), 0);
    for (const side of SIDES) {
      this.lanes[side].curve = samples[side].length > 0 ? { samples: samples[side], most } : null;
    }
    this.redraw();
  }

  setPulses(pulses: readonly Pulse[], limit: number): void {
    this.pulses = pulses;
    this.box.classList.toggle("bare", pulses.length === 0);
    this.limit = limit;
    this.redraw();
  }

  /** Show these cycles; the visitor did not ask for it. */
  look(view: View): void {
    this.view = clamped(view, this.end);
    this.redraw();
  }

  /** Show these cycles, which the visitor chose. */
  visit(view: View): void {
    this.look(view);
    this.listener.looked(this.view);
  }

  /** Move the view, no farther than needed, so that a cycle is in it. */
  reveal(cycle: number): void {
    const width = this.view.to - this.view.from;
    if (cycle >= this.view.from && cycle <= this.view.to) return;
    this.visit({ from: cycle - width / 3, to: cycle + (2 * width) / 3 });
  }

  zoom(factor: number): void {
    this.visit(zoomed(this.view, factor, (this.view.from + this.view.to) / 2, this.end));
  }

  whole(): void {
    this.visit({ from: 0, to: this.end });
  }

  slices(side: Side): Slice[] {
    const { from, to } = this.view;
    const all = this.lanes[side].rows.flatMap((row) => row.slices);
    return all.filter((slice) => slice.end >= from && slice.begin <= to).sort((one, two) => one.begin - two.begin);
  }

  private get end(): number {
    return Math.max(this.ends.a, this.ends.b) || this.limit;
  }

  private draw(): void {
    const now = this.frame();
    drawAxis(this.axis, now, this.clock_mhz);
    this.handles.draw(now, this.pulses, this.limit);
    const cycles = this.pulses.map((pulse) => pulse.cycle);
    for (const side of SIDES) {
      const selected = this.chosen?.side === side ? this.lanes[side].slice(this.chosen.place) : null;
      this.lanes[side].draw(now, cycles, selected);
    }
  }

  private frame(): Frame {
    return frame(this.axis.clientWidth, this.view);
  }

  /** Null: on the axis, where no slice is. */
  private gestures(side: Side | null): Gestures {
    const found = (x: number, y: number): Chosen | null => {
      const place = side && this.lanes[side].hit(this.frame(), x, y);
      return side && place && { side, place };
    };
    return {
      pan: (pixels) => this.visit(moved(this.view, pixels * cyclesPerPixel(this.frame()), this.end)),
      zoom: (factor, x) => this.visit(zoomed(this.view, factor, cycleOf(this.frame(), x), this.end)),
      tap: (x, y) => {
        this.box.focus({ preventScroll: true });
        const cycle = side && this.lanes[side].swept(this.frame(), x, y);
        if (cycle === null) this.choose(found(x, y));
        else this.listener.pulse(0, cycle);
      },
      hover: (x, y) => this.listener.pointed(this.of(found(x, y))),
      leave: () => this.listener.pointed(null),
      wheelZooms: () => this.box.contains(document.activeElement),
    };
  }

  private of(chosen: Chosen | null): Selected | null {
    const slice = chosen && this.lanes[chosen.side].slice(chosen.place);
    return slice ? { side: chosen.side, slice } : null;
  }

  private choose(chosen: Chosen | null): void {
    this.chosen = chosen;
    const found = this.of(chosen);
    if (found && (found.slice.begin > this.view.to || found.slice.end < this.view.from)) this.reveal(found.slice.begin);
    this.listener.selected(found);
    this.redraw();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.keys(event.shiftKey ? 5 * STEP : STEP)[event.key];
    if (!act || event.target !== this.box) return;
    event.preventDefault();
    act();
  }

  private keys(step: number): Readonly<Record<string, () => void>> {
    const width = this.view.to - this.view.from;
    const pan = (share: number): void => this.visit(moved(this.view, share * width, this.end));
    return {
      ArrowLeft: () => pan(-step),
      ArrowRight: () => pan(step),
      ArrowUp: () => this.changeRow(-1),
      ArrowDown: () => this.changeRow(1),
      Home: () => this.visit({ from: 0, to: width }),
      End: () => this.visit({ from: this.end - width, to: this.end }),
      "+": () => this.zoom(1 / ZOOM),
      "=": () => this.zoom(1 / ZOOM),
      "-": () => this.zoom(ZOOM),
      "0": () => this.whole(),
      n: () => this.next(1),
      p: () => this.next(-1),
      Enter: () => this.enter(),
      Escape: () => this.choose(null),
    };
  }

  /** Select a slice, if there is one. */
  private go(to: Chosen | null): void {
    if (to) this.choose(to);
  }

  private changeRow(by: number): void {
    this.go(across(this.lanes, this.chosen, by, this.view));
  }

  private next(by: number): void {
    if (this.chosen) this.go(along(this.lanes, this.chosen, by));
    else this.changeRow(0);
  }

  private enter(): void {
    const slice = this.of(this.chosen)?.slice;
    if (slice) this.visit(around(slice.begin, slice.end));
  }
}
