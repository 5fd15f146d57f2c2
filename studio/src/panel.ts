// SPDX-License-Identifier: Apache-2.0
// What the page says about the run of one side: head line above its rows, verdict, end, console and command.
import type { Program, System, Verdict } from "./contract";
import { byId, make } from "./dom";
import { counted, grouped, microseconds } from "./numbers";
import type { Run } from "./run";
import type { Told } from "./simulators";
import type { Side } from "./state";

export type Judged =
  | Verdict
  | { kind: "own" }
  | { kind: "without" }
  | { kind: "waiting" }
  | { kind: "ended"; message: string };

/** Beside a run: the command that does the same, and what a server says of it. */
export interface Beside {
  command: string;
  notes: readonly string[];
  hints?: readonly string[]; // on what the visitor may miss in the picture
  stored?: Told | null; // the run is one of the results store
  provenance?: unknown;
}

const OF_A_RUN = ["cycles", "reason", "code", "spans", "worst", "median", "events"]; // data attributes

export class Panel {
  private readonly box: HTMLElement;
  private readonly message: HTMLElement;
  private readonly kernel = make("h2", { class: "kernel" });
  private readonly latency = make("span", { class: "latency" });
  private readonly end = make("span", { class: "end" });
  private readonly verdict = make("span", { class: "verdict" });
  private readonly hints = make("div", { class: "hints" });
  private readonly output: HTMLElement;

  constructor(side: Side) {
    this.box = byId(`run-${side}`, HTMLElement);
    this.output = byId(`output-${side}`, HTMLElement);
    const head = this.box.querySelector(".head");
    const message = this.box.querySelector("pre");
    if (!head || !message) throw new Error("index.html has no head of a run");
    this.message = message;
    head.append(this.kernel, this.latency, this.end, this.verdict);
    head.after(this.hints);
  }

  /** A kernel whose run is not there yet. */
  name(system: System): void {
    this.kernel.replaceChildren(make("span", {}, system.name), make("small", {}, system.title));
    this.kernel.className = `kernel s${system.slot}`;
    this.kernel.title = system.text;
    this.box.dataset["system"] = system.name;
    for (const name of OF_A_RUN) delete this.box.dataset[name];
    this.output.replaceChildren();
    this.hints.replaceChildren();
    this.latency.replaceChildren();
    this.end.replaceChildren();
    this.say("");
    this.judged("none", "");
  }

  running(progress: number | string): void {
    this.box.classList.add("running");
    if (typeof progress === "string") this.end.textContent = `${progress} …`;
    else this.end.textContent = progress > 0 ? `runs: ${grouped(progress)} cycles` : "runs …";
  }

  stopped(): void {
    this.box.classList.remove("running");
    this.end.textContent = "stopped";
  }

  /** Clear figures of an earlier run, which say nothing about this one. */
  failed(message: string): void {
    this.box.classList.remove("running");
    for (const name of OF_A_RUN) delete this.box.dataset[name];
    this.latency.replaceChildren();
    this.hints.replaceChildren();
    this.output.replaceChildren();
    this.judged("none", "");
    this.end.replaceChildren(make("span", { class: "bad" }, "this run failed"));
    this.say(message);
  }

  show(run: Run, program: Program, clock_mhz: number): void {
    this.box.classList.remove("running");
    this.say("");
    this.latency.replaceChildren(...latency(run, program, clock_mhz));
    this.end.replaceChildren(end(run));
    const { figures } = run;
    Object.assign(this.box.dataset, {
      cycles: run.cycles,
      reason: run.ending?.reason ?? "",
      code: run.ending?.code ?? "",
      spans: figures?.count ?? 0,
      worst: figures?.maximum ?? "",
      median: figures?.median ?? "",
      runs: Number(this.box.dataset["runs"] ?? 0) + 1,
    });
  }

  /** Console of a run and the command that does the same natively. */
  print(run: Run, { command, notes, hints = [], stored, provenance }: Beside): void {
    const told = stored ? [make("p", { class: stored.same ? "good" : "bad" }, stored.sentence)] : [];
    this.hints.replaceChildren(...told, ...hints.map((hint) => make("p", { class: "soft" }, hint)));
    this.box.dataset["stored"] = stored ? (stored.same ? "same" : "other") : "";
    const printed = run.console || "(it printed nothing)";
    const open = this.output.querySelector("details")?.open ? { open: "" } : {};
    const lines = run.console.split("\n").filter(Boolean).length;
    const summary = make("summary", {}, `Console output (${lines} ${lines === 1 ? "line" : "lines"})`);
    this.output.replaceChildren(
      make("h3", { class: `s${run.system.slot}` }, run.system.name),
      make("details", open, summary, make("pre", { class: "console" }, printed)),
      make("p", { class: "soft" }, "The same run without this page:"),
      make("code", { class: "command" }, command),
      ...notes.map((note) => make("p", { class: "soft" }, note)),
    );
    if (provenance === undefined) return;
    const text = JSON.stringify(provenance, null, 1);
    this.output.append(
      make("details", {}, make("summary", {}, "What decided this run"), make("pre", { class: "console" }, text)),
    );
  }

  judge(found: Judged, system: System): void {
    if (found.kind === "agrees") this.box.dataset["events"] = String(found.events);
    this.judged(found.kind, sentence(found, system));
    if (found.kind === "differs" || found.kind === "ended") this.say(found.message);
  }

  private judged(kind: string, text: string): void {
    this.box.dataset["verdict"] = kind;
    this.verdict.className = `verdict ${kind}`;
    this.verdict.textContent = text;
  }

  private say(message: string): void {
    this.message.textContent = message;
    this.message.hidden = message === "";
  }
}

function sentence(found: Judged, system: System): string {
  switch (found.kind) {
    case "agrees":
      return `✓ replay: agrees with the golden model (${grouped(found.events)} events)`;
    case "differs":
      return "✗ replay: differs from the golden model";
    case "ended":
      return "✗ the run did not end as it should";
    case "failed":
      return `replay failed: ${found.message.trim().split("\n").at(-1) ?? ""}`;
    case "loading":
      return "not replayed yet (the model is loading)";
    case "waiting":
      return "not replayed yet";
    case "without":
      return "not replayed: the model has no sizes of this program";
    case "own":
      return system.name.startsWith("freertos")
        ? "FreeRTOS has its own semantics: the program checks itself"
        : "not replayed: the program checks itself";
  }
}

function latency({ figures, measured }: Run, program: Program, clock_mhz: number): (HTMLElement | string)[] {
  if (!program.region) return [];
  const { name } = program.region;
  const never = program.region.line === null ? "not finished" : "not answered";
  if (!figures) return [`${name}: ${never} in this run`];
  const open = measured.open.length > 0 ? `, ${measured.open.length} ${never}` : "";
  const worst = make("b", {}, counted(figures.maximum));
  if (figures.count === 1) return [`${name}: `, worst, ` (${microseconds(figures.maximum, clock_mhz)})${open}`];
  return [`${name}: worst `, worst, `, median ${grouped(figures.median)} of ${grouped(figures.count)}${open}`];
}

/** Nothing is said of a run that was cut off: most programs of the gallery are endless. */
function end({ ending, cycles }: Run): HTMLElement {
  const bad = (text: string): HTMLElement => make("span", { class: "bad" }, text);
  if (!ending) return bad("the trace has no end");
  if (ending.reason === "cycle limit") return make("span", {}, counted(cycles));
  if (ending.reason !== "program") return bad(`ended by ${ending.reason} after ${counted(cycles)}`);
  if (ending.code !== 0) return bad(`the program failed: exit code ${ending.code}`);
  return make("span", {}, `exit code 0 after ${counted(cycles)}`);
}
