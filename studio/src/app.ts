// SPDX-License-Identifier: Apache-2.0
// The page, whoever simulates: the state of the visitor, its controls, the runs, the timeline and the link, connected.
import type { Manifest } from "./contract";
import { Controls } from "./controls";
import { show } from "./details";
import { button, byId } from "./dom";
import { format, restore } from "./link";
import { counted } from "./numbers";
import { longest } from "./regions";
import type { Run } from "./run";
import { Runs, type Status } from "./runs";
import type { Simulators } from "./simulators";
import { limit, sameKernels, sameRuns, type Side, SIDES, slowdown, type State, withLegalTick, withPulse } from "./state";
import { comparison, speeds } from "./summary";
import { Survey } from "./survey";
import { Table } from "./table";
import { type Selected, Timeline } from "./timeline";
import { around, type View } from "./view";
import { Watcher } from "./watcher";

const PATIENCE = 120; // ms after a move of a slider; more of them may follow
const LINK_PATIENCE = 400; // ms between two changes of the address, which browsers limit
const ZOOM = 1.5;
const [BEFORE, BEHIND] = [1000, 3000]; // cycles around the first interrupt that are shown at first

/** `changed`: the visitor has chosen something else. */
export class Page {
  private state: State;
  private readonly runs: Runs;
  private readonly timeline: Timeline;
  private readonly controls: Controls;
  private readonly survey: Survey;
  private readonly table: Table;
  private readonly watcher: Watcher;
  private selected: Selected | null = null;
  private lengthened = false; // the notice is about a tick that was too short
  private timer: ReturnType<typeof setTimeout> | undefined;
  private linkTimer: ReturnType<typeof setTimeout> | undefined;
  private linked = -Infinity; // when the link was written, in ms from the load of the page
  private clicked = 0; // when the newest runs were asked for, in ms from the load of the page
  private placed = false; // the view is one of this program
  private drawn = 0;

  constructor(
    private readonly manifest: Manifest,
    simulators: Simulators,
    private readonly changed: () => void = () => undefined,
  ) {
    this.state = this.fromLink();
    this.runs = new Runs(manifest, simulators, {
      state: () => this.state,
      drawn: (side, run) => this.timeline.set(side, run),
      annotated: (side, run) => this.annotate(side, run),
      settled: (a, b) => this.settle(a, b),
      status: (status) => this.mark(status),
    });
    this.timeline = new Timeline(manifest.clock_mhz, {
      pulse: (index, cycle) => this.apply(withPulse(this.state, index, cycle), true),
      looked: (view) => this.looked(view),
      pointed: (found) => this.describe(found ?? this.selected),
      selected: (found) => this.select(found),
    });
    this.controls = new Controls(manifest, (state, patient) => this.apply(state, patient));
    const listed = (side: Side) => ({ system: this.state.systems[side].name, slices: this.timeline.slices(side) });
    this.table = new Table(() => SIDES.map(listed));
    this.survey = new Survey(simulators, manifest.names, {
      state: () => this.state,
      picked: (cycle) => this.showPulse(cycle),
      swept: (samples) => this.timeline.setCurves(samples),
      said: announce,
    });
    this.watcher = new Watcher(byId("unit", HTMLElement), simulators);
    this.connect();
    this.describe(null);
  }

  get now(): State {
    return this.state;
  }

  private fromLink(): State {
    const first = this.manifest.programs[0];
    if (!first) throw new Error("manifest.json names no program");
    const { state, notice } = restore(location.hash, this.manifest, first);
    byId("notice", HTMLElement).textContent = notice;
    return this.legal(state);
  }

  /** Lengthen a tick that is too short, and say so until the next change. */
  private legal(wanted: State): State {
    const { state, sentence } = withLegalTick(wanted);
    if (sentence || this.lengthened) byId("notice", HTMLElement).textContent = sentence;
    this.lengthened = sentence !== "";
    return state;
  }

  private connect(): void {
    byId("run", HTMLButtonElement).addEventListener("click", () => this.run());
    byId("stop", HTMLButtonElement).addEventListener("click", () => this.runs.stop());
    byId("copy", HTMLButtonElement).addEventListener("click", () => void this.copy());
    byId("views", HTMLElement).append(
      button("−", "Zoom out", () => this.timeline.zoom(ZOOM)),
      button("+", "Zoom in", () => this.timeline.zoom(1 / ZOOM)),
      button("Worst", "Show the longest latency of both kernels", () => this.lookAtWorst()),
      button("Whole run", "Show the whole run", () => this.timeline.whole()),
    );
    const { commit, clock_mhz } = this.manifest;
    byId("source", HTMLElement).textContent =
      `Made from the sources of Melanion at commit ${commit}. Microseconds assume a clock of ${clock_mhz} MHz.`;
    window.addEventListener("hashchange", () => {
      if (location.hash === `#${format(this.state)}`) return;
      this.state = this.fromLink();
      this.begin();
    });
  }

  /** Take over a new state. `patient`: more changes may follow at once. */
  apply(wanted: State, patient: boolean): void {
    const before = this.state;
    const state = this.legal(wanted);
    this.state = state;
    if (!sameKernels(before, state) || before.waits !== state.waits) return this.begin();
    const same = sameRuns(before, state);
    if (same) this.survey.follow();
    else this.survey.reset();
    this.refresh();
    const clicked = performance.now();
    clearTimeout(this.timer);
    if (patient) this.timer = setTimeout(() => this.run(clicked), same ? 0 : PATIENCE);
    else this.run(clicked);
  }

  /** Show a state with other kernels, another program, or the first one. */
  begin(clicked = performance.now()): void {
    clearTimeout(this.timer);
    this.runs.clear();
    this.placed = this.state.view !== null;
    byId("comparison", HTMLElement).textContent = "";
    this.survey.reset();
    this.refresh();
    this.timeline.look(this.state.view ?? { from: 0, to: limit(this.state) });
    this.run(clicked);
  }

  /** The region of the program has become known. */
  measures(): void {
    this.survey.reset();
  }

  private refresh(): void {
    this.controls.show(this.state);
    this.changed();
    this.timeline.setPulses(this.state.pulses, limit(this.state) - 1);
    this.writeLink();
  }

  private writeLink(): void {
    if (this.linkTimer !== undefined) return;
    const rest = Math.max(this.linked + LINK_PATIENCE - performance.now(), 0);
    this.linkTimer = setTimeout(() => this.saveLink(), rest);
  }

  private saveLink(): void {
    clearTimeout(this.linkTimer);
    this.linkTimer = undefined;
    this.linked = performance.now();
    history.replaceState(null, "", `#${format(this.state)}`);
  }

  run(clicked = performance.now()): void {
    this.clicked = clicked;
    this.runs.run();
  }

  private mark(status: Status): void {
    document.body.dataset["state"] = status;
    byId("stop", HTMLButtonElement).disabled = status !== "running";
    if (status === "failed") byId("comparison", HTMLElement).textContent = "";
    if (status !== "drawn") return;
    this.drawn += 1;
    document.body.dataset["drawn"] = String(this.drawn);
    const [a, b] = [this.runs.of("a"), this.runs.of("b")];
    const seconds = (performance.now() - this.clicked) / 1000;
    if (a && b) byId("speed", HTMLElement).textContent = speeds(a, b, seconds);
  }

  private settle(a: Run, b: Run): void {
    byId("comparison", HTMLElement).replaceChildren(...comparison(a, b, this.state.program));
    if (!this.placed) this.timeline.look(firstView(this.state, Math.min(a.cycles, b.cycles)));
    this.placed = true;
    this.table.changed();
  }

  private annotate(side: Side, run: Run): void {
    this.timeline.annotate(side, run);
    this.table.changed();
  }

  /** Show the longest span, of whichever kernel; without one the whole run. */
  private lookAtWorst(): void {
    const worst = longest(SIDES.flatMap((side) => this.runs.of(side)?.measured.spans ?? []));
    if (worst) this.timeline.visit(around(worst.begin, worst.end));
    else this.timeline.whole();
  }

  /** Run with the first interrupt in another cycle, near enough to see it. */
  private showPulse(cycle: number): void {
    const { from, to } = this.timeline.view;
    const near = viewOf(cycle, slowdown(this.state));
    if (to - from > 2 * (near.to - near.from)) this.timeline.visit(near);
    else this.timeline.reveal(cycle);
    this.apply(withPulse(this.state, 0, cycle), false);
  }

  private looked(view: View): void {
    this.state = { ...this.state, view };
    this.writeLink();
    this.table.changed();
  }

  private select(found: Selected | null): void {
    this.selected = found;
    this.describe(found);
    this.watcher.select(found?.slice ?? null, found && this.runs.of(found.side));
    if (!found) return;
    const { slice, side } = found;
    const when = slice.end > slice.begin ? `, ${counted(slice.end - slice.begin)}` : "";
    announce(`${this.state.systems[side].name}, ${slice.track}: ${slice.name}, in cycle ${slice.begin}${when}`);
  }

  private describe(found: Selected | null): void {
    const run = found && this.runs.of(found.side);
    const { clock_mhz } = this.manifest;
    const context = run && { system: run.system.name, built: run.built, clock_mhz };
    show(byId("slice", HTMLElement), found?.slice ?? null, context);
  }

  private async copy(): Promise<void> {
    this.saveLink();
    const done = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    byId("notice", HTMLElement).textContent = done
      ? "The link is copied."
      : "The link is in the address bar: this browser does not let the page copy it.";
  }
}

/** The first interrupt and what follows it; without one the last fifth of the shorter run, when every task exists. */
function firstView(state: State, cycles: number): View {
  if (state.pulses.length === 0) return { from: cycles * 0.8, to: cycles };
  return viewOf(Math.min(...state.pulses.map((pulse) => pulse.cycle)), slowdown(state));
}

function viewOf(cycle: number, slower: number): View {
  return { from: cycle - BEFORE * slower, to: cycle + BEHIND * slower };
}

function announce(text: string): void {
  byId("announcement", HTMLElement).textContent = text;
}
