// SPDX-License-Identifier: Apache-2.0
// A line of the table under the histogram: figures of a sweep on one kernel, and a button that shows its worst run.
import { lengths } from "./bins";
import type { System } from "./contract";
import { button, make } from "./dom";
import { grouped } from "./numbers";
import { figures } from "./regions";
import type { Sample } from "./sweep";
import type { Side } from "./state";

const FIGURES = ["worst", "median", "minimum", "p99", "answers", "no answer"]; // columns, as in index.html

export class Line {
  readonly row: HTMLTableRowElement;
  private readonly name = make("th", { scope: "row" });
  private readonly cells = FIGURES.map((name) => make("td", { "data-is": name }));
  private readonly worst: HTMLButtonElement;
  private slowest: Sample | undefined;

  constructor(side: Side, picked: (sample: Sample) => void) {
    this.worst = button("show worst", "", () => this.slowest && picked(this.slowest));
    this.row = make("tr", { "data-side": side }, this.name, ...this.cells, make("td", {}, this.worst));
  }

  show(system: System, samples: readonly Sample[]): void {
    const found = figures(lengths(samples));
    const silent = samples.filter((sample) => sample.latency === null).length;
    const values = [found?.maximum, found?.median, found?.minimum, found?.p99, found?.count, silent];
    this.cells.forEach((cell, index) => {
      const value = values[index];
      cell.textContent = value === undefined ? "–" : grouped(value);
    });
    this.slowest = samples.find((sample) => sample.latency !== null && sample.latency === found?.maximum);
    this.name.textContent = system.name;
    this.name.className = `s${system.slot}`;
    this.worst.disabled = this.slowest === undefined;
    this.worst.title = `Show the worst run of ${system.name}`;
    this.worst.setAttribute("aria-label", this.worst.title);
  }
}
