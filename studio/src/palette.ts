// SPDX-License-Identifier: Apache-2.0
// Colours of page.css for the canvases, light or dark as the visitor's system is.

const NAMES = ["page", "card", "text", "soft", "rule", "shade", "good", "bad"] as const;
type Named = Record<(typeof NAMES)[number], string>;
export type Palette = Readonly<Named> & { slot: (slot: number) => string };

export const FONT = '12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
export const SMALL_FONT = FONT.replace("12px", "11px");

const dark = window.matchMedia("(prefers-color-scheme: dark)");
let palette: Palette | null = null;

function read(): Palette {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const colours = Object.fromEntries(NAMES.map((name) => [name, value(name)])) as Named;
  return { ...colours, slot: (slot) => value(`s${slot}`) || colours.text };
}

export function colours(): Palette {
  palette ??= read();
  return palette;
}

export function onColoursChanged(redraw: () => void): void {
  dark.addEventListener("change", () => {
    palette = null;
    redraw();
  });
}
