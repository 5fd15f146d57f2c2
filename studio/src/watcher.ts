// SPDX-License-Identifier: Apache-2.0
// Cycles of the unit for the selected event of a kernel, under the details of the slice: one line a cycle.
import { make } from "./dom";
import { KERNEL } from "./drawing";
import { counted, grouped } from "./numbers";
import type { Slice } from "./rows";
import type { Run } from "./run";
import type { Simulators } from "./simulators";
import { around, decode, type Line, type Step, step } from "./unit";

const PATIENCE = 120; // ms: while keys go from event to event, none is simulated
const COLUMNS = ["cycle", "step", "source", "address", "word", "it did"];
const LOOKS = ["", "", "source", "place", "word", "text"];

export class Watcher {
  private newest = 0;
  private shown = ""; // what the panel is about
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly panel: HTMLElement,
    private readonly simulators: Simulators,
  ) {
    this.hide();
  }

  /** Show the unit's step of a selected slice. Slices of tasks and lines have none. */
  select(slice: Slice | null, run: Run | null): void {
    const about = slice && run && slice.track === KERNEL ? `${run.system.name} ${slice.begin} ${slice.name}` : "";
    if (about && about === this.shown) return; // the same one, which the golden model has followed meanwhile
    this.hide();
    if (!about || !slice || !run) return;
    this.shown = about;
    if (!run.system.unit) return this.say("none", without(run));
    this.say("waiting", "Simulates the cycles of the unit again …");
    const mine = this.newest;
    this.timer = setTimeout(() => {
      const progress = (text: number | string): void => {
        if (mine === this.newest) this.say("waiting", `${text} …`);
      };
      this.simulators.watch(run.wanted, around(slice), progress).then(
        ({ cycles, listing }) => mine === this.newest && this.show(slice, step(decode(cycles), slice.begin, listing)),
        (error: Error) => mine === this.newest && this.say("failed", error.message),
      );
    }, PATIENCE);
  }

  private hide(): void {
    clearTimeout(this.timer);
    this.newest += 1;
    this.shown = "";
    this.panel.hidden = true;
    this.panel.dataset["unit"] = "";
    this.panel.replaceChildren();
  }

  private say(state: string, text: string): void {
    this.panel.hidden = false;
    this.panel.dataset["unit"] = state;
    this.panel.replaceChildren(make("p", { class: "soft" }, text));
  }

  private show(slice: Slice, found: Step | null): void {
    if (!found) return this.say("none", "The unit was not at work in the cycles before this event.");
    const head = make("tr", {}, ...COLUMNS.map((name) => make("th", { scope: "col" }, name)));
    const table = make(
      "table",
      { class: "stack unit" },
      make("caption", {}, make("b", {}, found.entry), `: ${told(found)}`),
      make("thead", {}, head),
      make("tbody", {}, ...found.lines.map(row)),
    );
    this.panel.dataset["unit"] = "shown";
    this.panel.replaceChildren(make("h4", {}, `Cycles of the unit at ${slice.name} in cycle ${grouped(slice.begin)}`), make("div", { class: "scroll" }, table));
  }
}

function without({ system }: Run): string {
  return `${system.name} has no hardware unit: the core itself executes this kernel, so no cycles of a unit belong to the event.`;
}

function told({ answered, whole, lines }: Step): string {
  const answer = answered === null ? "" : `, answered in cycle ${answered}`;
  return `${counted(lines.length)} of the unit${answer}${whole ? "" : "; the step is longer than what is shown"}`;
}

function row({ cycle, number, place, text, comment, source, did, lost }: Line): HTMLElement {
  const cells: (Node | string)[][] = [
    [grouped(cycle)],
    [String(number)],
    [make("span", { title: source }, source.split("/").at(-1) ?? "")],
    [make("code", {}, place)],
    [make("code", {}, text), ...(comment ? [make("small", {}, comment)] : [])],
    did.length > 0 ? [did.join("; ")] : [],
  ];
  const made = cells.map((content, index) =>
    make("td", { class: LOOKS[index] ?? "", "data-is": COLUMNS[index] ?? "" }, ...content),
  );
  return make("tr", lost ? { class: "lost" } : {}, ...made);
}
