// SPDX-License-Identifier: Apache-2.0
// Pointers on a canvas of the timeline: a drag pans, two fingers or the wheel zoom, a tap selects, a mouse shows.

export interface Gestures {
  pan(pixels: number): void;
  zoom(factor: number, x: number): void;
  tap(x: number, y: number): void;
  hover(x: number, y: number): void;
  leave(): void;
  wheelZooms(): boolean; // else the wheel scrolls the page
}

interface Point {
  x: number;
  y: number;
}

const STILL = 4; // pixels; a pointer that moved less has tapped
const WHEEL = 0.0015; // zoom of one pixel of the wheel, as an exponent of e

export function listen(canvas: HTMLCanvasElement, gestures: Gestures): void {
  const pointers = new Map<number, Point>();
  let travelled = 0;

  const point = (event: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  const pinch = (id: number, before: Point, now: Point): void => {
    const rest = [...pointers].find(([other]) => other !== id)?.[1];
    if (!rest) return;
    const factor = Math.max(Math.abs(before.x - rest.x), 1) / Math.max(Math.abs(now.x - rest.x), 1);
    gestures.zoom(factor, (now.x + rest.x) / 2);
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, point(event));
    travelled = pointers.size > 1 ? Infinity : 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    const now = point(event);
    if (!before) {
      if (event.pointerType === "mouse") gestures.hover(now.x, now.y);
      return;
    }
    travelled += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    pointers.set(event.pointerId, now);
    if (pointers.size > 1) pinch(event.pointerId, before, now);
    else if (travelled >= STILL) gestures.pan(before.x - now.x);
  });
  const lift = (event: PointerEvent): void => {
    const known = pointers.delete(event.pointerId);
    const { x, y } = point(event);
    if (known && event.type === "pointerup" && travelled < STILL) gestures.tap(x, y);
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("pointerleave", () => gestures.leave());
  canvas.addEventListener(
    "wheel",
    (event) => {
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!sideways && !event.ctrlKey && !gestures.wheelZooms()) return;
      event.preventDefault();
      if (sideways) gestures.pan(event.deltaX);
      else gestures.zoom(Math.exp(event.deltaY * WHEEL), point(event).x);
    },
    { passive: false },
  );
}
