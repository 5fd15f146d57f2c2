// SPDX-License-Identifier: Apache-2.0
// Opens the listing of the microprogram, which comes compressed. A server that says so has had it opened by the browser already.
import type { Listing } from "./unit";

export async function listing(packed: ArrayBuffer): Promise<Listing> {
  const [first, second] = new Uint8Array(packed);
  const body = new Blob([packed]).stream();
  const gzip = first === 0x1f && second === 0x8b;
  const opened = gzip ? body.pipeThrough(new DecompressionStream("gzip")) : body;
  return (await new Response(opened).json()) as Listing;
}
