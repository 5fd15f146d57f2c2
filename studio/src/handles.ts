// SPDX-License-Identifier: Apache-2.0
// Handles of the interrupts above the axis: an interrupt is dragged, or moved by keys, to another cycle.
import { make } from "./dom";
import { cycleOf, type Frame, xOf } from "./frame";
import { counted, grouped, limited } from "./numbers";
import type { Pulse } from "./state";

/** Cycles that a key moves an interrupt. */
const KEYS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -1000,
  PageUp: 1000,
};

const WIDEST = 110; // pixels of a flag
const LEAST = 12;

export type Moved = (index: number, cycle: number) => void;

export class Handles {
  private handles: HTMLElement[] = [];
  private cycles: number[] = []; // of the interrupts, ahead of the next picture
  private frame: Frame | null = null;
  private limit = 0;

  constructor(
    private readonly box: HTMLElement,
    private readonly moved: Moved,
  ) {}

  /** Handles that exist are kept, since one of them may be in the visitor's hand. */
  draw(frame: Frame, pulses: readonly Pulse[], limit: number): void {
    this.frame = frame;
    this.limit = limit;
    this.cycles = pulses.map(({ cycle }) => cycle);
    while (this.handles.length > pulses.length) this.handles.pop()?.remove();
    while (this.handles.length < pulses.length) this.add(this.handles.length);
    const places = pulses.map(({ cycle }) => limited(xOf(frame, cycle), frame.gutter, frame.width));
    pulses.forEach((pulse, index) => {
      const x = places[index] ?? 0;
      const next = Math.min(frame.width + WIDEST, ...places.filter((other) => other > x));
      this.place(frame, pulse, index, next - x);
    });
  }

  private add(index: number): void {
    const handle = make("div", { class: "handle", role: "slider", tabindex: "0", "aria-valuemin": "1" });
    handle.append(make("span", { class: "name" }));
    handle.addEventListener("keydown", (event) => this.key(event, index));
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      event.preventDefault();
      handle.focus();
    });
    handle.addEventListener("pointermove", (event) => {
      if (handle.hasPointerCapture(event.pointerId)) this.drag(event, index);
    });
    this.handles.push(handle);
    this.box.append(handle);
  }

  /** `space`: pixels to the handle that follows. */
  private place(frame: Frame, { line, cycle }: Pulse, index: number, space: number): void {
    const handle = this.handles[index];
    const name = handle?.firstElementChild;
    if (!handle || !(name instanceof HTMLElement)) return;
    const x = xOf(frame, cycle);
    const shown = limited(x, frame.gutter, frame.width);
    handle.style.left = `${shown}px`;
    handle.classList.toggle("outside", x !== shown);
    const left = shown > frame.width - WIDEST;
    handle.classList.toggle("left", left);
    name.style.maxWidth = `${left ? WIDEST : Math.max(space - 2, LEAST)}px`;
    name.replaceChildren(`↔ ${line.name}`, make("span", { class: "cycle" }, ` ${grouped(cycle)}`));
    handle.dataset["cycle"] = String(cycle);
    handle.setAttribute("aria-label", `interrupt ${line.name}, line ${line.number}`);
    handle.setAttribute("aria-valuemax", String(this.limit));
    handle.setAttribute("aria-valuenow", String(cycle));
    handle.setAttribute("aria-valuetext", `rises in cycle ${cycle}`);
    handle.title = `${line.name} rises after ${counted(cycle)}: drag it, or use the arrow keys`;
  }

  private key(event: KeyboardEvent, index: number): void {
    const step = KEYS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.move(index, (this.cycles[index] ?? 1) + step * (event.shiftKey ? 10 : 1));
  }

  private drag(event: PointerEvent, index: number): void {
    if (!this.frame) return;
    const x = event.clientX - this.box.getBoundingClientRect().left;
    this.move(index, cycleOf(this.frame, limited(x, this.frame.gutter, this.frame.width)));
  }

  private move(index: number, cycle: number): void {
    const allowed = limited(Math.round(cycle), 1, this.limit);
    this.cycles[index] = allowed;
    this.moved(index, allowed);
  }
}
