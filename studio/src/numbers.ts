// SPDX-License-Identifier: Apache-2.0
// Numbers as the page writes them.

const THIN_SPACE = "\u202f";

/** 1234567 as 1 234 567. */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, THIN_SPACE);
}

/** Cycles as microseconds of a clock, with three digits that count. */
export function microseconds(cycles: number, clock_mhz: number): string {
  const value = cycles / clock_mhz;
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${digits === 0 ? grouped(value) : value.toFixed(digits)} µs`;
}

export function counted(cycles: number): string {
  return `${grouped(cycles)} ${cycles === 1 ? "cycle" : "cycles"}`;
}

export function limited(value: number, minimum: number, maximum: number): number {
  return Math.min(Math.max(value, minimum), maximum);
}
