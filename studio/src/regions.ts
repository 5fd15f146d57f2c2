// SPDX-License-Identifier: Apache-2.0
// Measures the region of a program in a trace, as melanion/measure/regions.py does.
import type { Names, Region } from "./contract";
import type { TraceEvent } from "./trace";

/** One passage of a region, in cycles from reset. */
export interface Span {
  begin: number;
  end: number;
}

/** `open`: begins of spans that had not ended when the run did. */
export interface Measured {
  spans: Span[];
  open: number[];
}

/** In cycles. `p99`: not exceeded by 99 of 100 lengths. */
export interface Figures {
  count: number;
  minimum: number;
  median: number;
  p99: number;
  maximum: number;
}

export function measure(events: readonly TraceEvent[], region: Region, names: Names): Measured {
  const first = names.first_tracepoint + 2 * region.number;
  const spans: Span[] = [];
  let open: number[] = [];
  for (const { cycle, kind, a, b } of events) {
    const tracepoint = kind === names.trace["TRACEPOINT"];
    if (tracepoint && a === first + 1) {
      for (const begin of open.splice(0, b)) spans.push({ begin, end: cycle });
    } else if (region.line === null && tracepoint && a === first) {
      open = [cycle]; // a span that begins again had not ended
    } else if (region.line !== null && kind === names.trace["IRQ_WIRE"] && a === region.line) {
      open.push(cycle);
    }
  }
  return { spans, open };
}

/** Null: there is nothing to describe. The median is the lower of two middle lengths. */
export function figures(lengths: readonly number[]): Figures | null {
  const sorted = [...lengths].sort((first, second) => first - second);
  const at = (index: number): number => sorted[index] ?? NaN;
  const count = sorted.length;
  if (count === 0) return null;
  return {
    count,
    minimum: at(0),
    median: at(Math.floor((count - 1) / 2)),
    p99: at(count - Math.floor(count / 100) - 1),
    maximum: at(count - 1),
  };
}

export function length(span: Span): number {
  return span.end - span.begin;
}

/** The longest span, the first of several. */
export function longest(spans: readonly Span[]): Span | null {
  return spans.reduce<Span | null>((found, span) => (found && length(found) >= length(span) ? found : span), null);
}
