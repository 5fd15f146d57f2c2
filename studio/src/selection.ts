// SPDX-License-Identifier: Apache-2.0
// Slices beside the selected one: the next one of its row, and those of the rows above and below, over both kernels.
import type { Lane, Place } from "./lane";
import { other, type Side } from "./state";
import type { View } from "./view";

export interface Chosen {
  side: Side;
  place: Place;
}

export type Lanes = Readonly<Record<Side, Lane>>;

/** The slice that follows in the row, or precedes; null: it is the last one. */
export function along(lanes: Lanes, { side, place }: Chosen, by: number): Chosen | null {
  const following = { ...place, slice: place.slice + by };
  return lanes[side].slice(following) && { side, place: following };
}

/** A slice of another row, near the selected one. Past the last row of a kernel is the other kernel. */
export function across(lanes: Lanes, chosen: Chosen | null, by: number, view: View): Chosen | null {
  const { side, place } = chosen ?? { side: "a", place: { row: 0, slice: 0 } };
  const selected = chosen && lanes[side].slice(place);
  const cycle = selected && selected.begin >= view.from ? selected.begin : view.from;
  const here = lanes[side].nearest(place.row + by, cycle);
  if (here) return { side, place: here };
  const beyond = other(side);
  if ((beyond === "b") !== by >= 0) return null; // above the first kernel, below the second one
  const there = lanes[beyond].nearest(by < 0 ? lanes[beyond].rows.length - 1 : 0, cycle);
  return there && { side: beyond, place: there };
}
