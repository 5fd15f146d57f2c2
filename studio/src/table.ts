// SPDX-License-Identifier: Apache-2.0
// The visible slices as a table, for those who do not see the canvas. It is filled while it is open.
import { byId, make } from "./dom";
import { grouped } from "./numbers";
import type { Slice } from "./rows";

const MOST = 500;
const NUMBERS = ["begin", "end", "cycles"];

export interface Listed {
  system: string;
  slices: Slice[];
}

export class Table {
  private readonly box = byId("slices", HTMLDetailsElement);
  private due: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly listed: () => Listed[]) {
    this.box.addEventListener("toggle", () => this.changed());
  }

  changed(): void {
    clearTimeout(this.due);
    if (this.box.open) this.due = setTimeout(() => this.fill(), 200);
  }

  private fill(): void {
    const all = this.listed().flatMap(({ system, slices }) => slices.map((slice) => ({ system, slice })));
    all.sort((one, two) => one.slice.begin - two.slice.begin);
    const words = ["track", "what"].map((text) => head(text, "text"));
    const heads = [head("kernel"), ...words, ...NUMBERS.map((text) => head(text))];
    const lines = all.slice(0, MOST).map(({ system, slice }) => line(system, slice));
    const rest = ` The first ${MOST} of ${grouped(all.length)} are listed: zoom in for others.`;
    const more = all.length > MOST ? rest : "";
    const table = make(
      "table",
      { class: "stack" },
      make("caption", { class: "soft" }, `Slices of both kernels in the visible cycles.${more}`),
      make("thead", {}, make("tr", {}, ...heads)),
      make("tbody", {}, ...lines),
    );
    this.box.querySelector(".scroll")?.replaceChildren(table);
  }
}

function head(text: string, look = ""): HTMLTableCellElement {
  return make("th", { scope: "col", class: look }, text);
}

function line(system: string, { track, name, begin, end }: Slice): HTMLTableRowElement {
  const values = [begin, end, end - begin];
  const numbers = NUMBERS.map((name, index) => make("td", { "data-is": name }, String(values[index])));
  const words = [track, name].map((text) => make("td", { class: "text" }, text));
  return make("tr", {}, make("th", { scope: "row" }, system), ...words, ...numbers);
}
