// SPDX-License-Identifier: Apache-2.0
// Draws once for all changes before the next picture of the browser.

export function coalesced(draw: () => void): () => void {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      draw();
    });
  };
}
