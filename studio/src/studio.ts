// SPDX-License-Identifier: Apache-2.0
// Entry of the page of `melanion studio`: the server simulates, and what needs tools is added to the page.
import type { Begun, ServedProgram, ServedRun, ServedSystem, StoredRequest, StudioManifest } from "./api";
import { Page } from "./app";
import type { Line } from "./contract";
import { button, byId, labelled, make } from "./dom";
import { fail } from "./failing";
import { parse, Programs } from "./programs";
import { ServedSimulators } from "./served";
import { Server, takeToken } from "./server";
import type { Wanted } from "./simulators";
import { Sources } from "./sources";
import { initial, type Pulse, request, type Side, type State, withProgram, withSystem } from "./state";
import { Stored } from "./stored";
import { Systems } from "./systems";

const KEPT = "melanion-systems"; // names that were composed in this tab
const FOLDER = "folder"; // name of the visitor's own program

class Studio {
  private readonly page: Page;
  private readonly systems: Systems;
  private readonly programs: Programs;
  private readonly sources: Sources | null;
  private readonly opened = new Map<string, object>(); // a request as JSON → the stored run that it repeats once
  private readonly keep = make("input", { type: "checkbox", id: "keep" });

  constructor(
    private readonly server: Server,
    private readonly manifest: StudioManifest,
  ) {
    this.programs = new Programs((before, after) => this.replace(before, after));
    manifest.programs = manifest.programs.map((program) => this.programs.restored(program));
    const simulators = new ServedSimulators(server, {
      side: (system) => (this.now().systems.a.name === system ? "a" : "b"),
      changed: (wanted) => this.changed(wanted),
      keep: () => this.keep.checked,
      stored: (wanted) => this.stored(wanted),
      began: () => this.sources?.forget(),
      answered: (wanted, answer) => this.answered(wanted, answer),
      failed: (failure) => void this.sources?.show(failure),
    });
    const { folder, choices } = manifest.studio;
    this.page = new Page(manifest, simulators, () => this.refresh());
    const host = { build: () => this.runFolder(), begun: (program: Begun) => this.runBegun(program) };
    this.sources = folder === null ? null : new Sources(server, host);
    this.systems = new Systems(server, choices, {
      system: (side) => this.system(side),
      use: (side, system) => this.use(side, system),
    });
    this.systems.show();
    new Stored(server, { open: (runs, again) => this.open(runs, again) });
    this.describe();
  }

  async begin(): Promise<void> {
    byId("sources", HTMLElement).hidden = this.sources === null;
    await this.sources?.begin();
    this.page.begin(0);
  }

  private now(): State {
    return this.page.now;
  }

  private refresh(): void {
    this.programs.show(this.now().program as ServedProgram);
  }

  private system(side: Side): ServedSystem {
    const { name } = this.now().systems[side];
    const found = this.manifest.systems.find((each) => each.name === name);
    if (!found) throw new Error(`${name} is no system of this page`);
    return found;
  }

  private use(side: Side, system: ServedSystem): void {
    this.know(system);
    this.page.apply(withSystem(this.now(), side, system), false);
    this.systems.show(side);
  }

  /** Knobs whose values differ from those of the source: the others need no word in a command. */
  private changed({ program, knobs }: Wanted): Record<string, number> {
    const found = this.manifest.programs.find(({ name }) => name === program);
    if (found?.own) return found.values ?? {};
    const other = found?.knobs.filter(({ name, value }) => knobs[name] !== value) ?? [];
    return Object.fromEntries(other.map(({ name, value }) => [name, knobs[name] ?? value]));
  }

  /** The region of a program that nothing describes is known when it is built. */
  private answered({ program }: Wanted, { region }: ServedRun): void {
    const found = this.manifest.programs.find(({ name }) => name === program);
    if (!found?.own || JSON.stringify(found.region) === JSON.stringify(region)) return;
    found.region = region;
    if (this.now().program === found) this.page.measures();
  }

  private replace(before: ServedProgram, after: ServedProgram): void {
    this.manifest.programs[this.manifest.programs.indexOf(before)] = after;
    const { seed, systems } = this.now();
    this.page.apply({ ...initial(this.manifest, after), seed, systems }, false);
  }

  private runBegun({ cycles, pulses }: Begun): void {
    const program = this.own;
    if (program) this.programs.choose(program, cycles, pulses);
  }

  private get own(): ServedProgram | undefined {
    return this.manifest.programs.find(({ name }) => name === FOLDER);
  }

  /** Show stored runs, one on each side; one alone is below, beside the kernel that is there. */
  private open(runs: StoredRequest[], again: boolean): void {
    const first = runs[0];
    const before = this.manifest.programs.find(({ name }) => name === first?.program);
    if (!first || !before) return;
    for (const { system } of runs) this.know(system);
    const waits = first.wait_states;
    const end = first.cycles * (1 + Number(waits.split("-").at(-1)));
    const program = fitting(before, first, parse(first.pulses, end + 1) ?? []);
    this.manifest.programs[this.manifest.programs.indexOf(before)] = program;
    const usual = initial(this.manifest, program);
    const systems = { ...this.now().systems };
    const [a, b] = runs.length > 1 ? runs.map(({ system }) => system) : [null, first.system];
    if (b) systems.b = b;
    if (a) systems.a = a;
    else if (systems.a.name === systems.b.name) systems.a = this.now().systems.b;
    const pulses = (parse(first.pulses, end + 1) ?? []).flatMap(({ number, pulses: cycles }): Pulse[] => {
      const line = program.lines.find((each) => each.number === number);
      return line ? cycles.map((cycle) => ({ line, cycle })) : [];
    });
    const knobs = program.own ? {} : { ...usual.knobs, ...first.knobs };
    const state: State = { program, systems, seed: first.seed, waits, knobs, pulses, view: null };
    this.opened.clear();
    for (const { system, stored } of runs) {
      this.opened.set(JSON.stringify(request(state, system)), { ...stored, again });
    }
    this.page.apply(state, false);
    this.systems.show();
  }

  private stored(wanted: Wanted): object | null {
    const key = JSON.stringify(wanted);
    const found = this.opened.get(key) ?? null;
    this.opened.delete(key);
    return found;
  }

  /** A system that this tab knows from now on. */
  private know(system: ServedSystem): void {
    add(this.manifest, system);
    const known = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]") as string[];
    sessionStorage.setItem(KEPT, JSON.stringify([...new Set([...known, system.name])]));
  }

  private runFolder(): void {
    const program = this.own;
    if (!program) return;
    if (this.now().program === program) this.page.run();
    else this.page.apply(withProgram(this.manifest, this.now(), program), false);
  }

  private describe(): void {
    const { folder, limits, exports } = this.manifest.studio;
    const edits = folder === null ? " To edit a program, start it as: melanion studio FOLDER." : "";
    byId("rights", HTMLElement).textContent =
      `Builds and runs happen on this machine as you, with your rights, and in no sandbox: the build of a program can` +
      ` read your files. Limits: ${limits}.${edits}`;
    const kept = make("label", { class: "check" }, this.keep, "Keep each run in the results store");
    byId("system-form", HTMLElement).append(this.exporting(exports));
    byId("own-bar", HTMLElement).append(kept);
  }

  private exporting(place: string): HTMLElement {
    const folder = make("input", { type: "text", id: "export-folder", value: "system", spellcheck: "false" });
    const said = make("output", { id: "export-said", class: "soft" });
    const write = async (): Promise<void> => {
      const system = this.systems.current;
      if (!system) {
        [said.textContent, said.className] = ["The form shows no system; correct what its message names.", "bad"];
        return;
      }
      said.textContent = "writing …";
      const wanted = { system: system.name, folder: folder.value };
      const done = await this.server
        .ask<{ folder: string; files: number; command: string }>("export", wanted)
        .then(({ folder, files, command }) => [`wrote ${files} files to ${folder}; the same: ${command}`, "soft"])
        .catch((error: Error) => [error.message, "bad"]);
      [said.textContent, said.className] = [done[0] ?? "", done[1] ?? ""];
    };
    const start = button("Export", "Write this system as a folder that builds without Melanion", () => void write());
    start.id = "export";
    return make("div", { class: "bar" }, labelled(`Export to a folder below ${place}`, folder), start, said);
  }
}

/** The program itself, if it has this length and these lines; else one that has them. */
function fitting(program: ServedProgram, { cycles, knobs }: StoredRequest, lines: Line[]): ServedProgram {
  if (program.own) return { ...program, cycles, lines, values: knobs };
  const has = lines.every(({ number }) => program.lines.some((line) => line.number === number));
  return has && program.cycles === cycles ? program : { ...program, cycles, lines: has ? program.lines : lines };
}

/** A system takes the place of one with its name, and every program has it. */
function add(manifest: StudioManifest, system: ServedSystem): void {
  manifest.systems = [...manifest.systems.filter(({ name }) => name !== system.name), system];
  for (const program of manifest.programs) program.systems = [...new Set([...program.systems, system.name])];
}

/** Systems that this tab composed before it was loaded again; what is none any more is left out. */
async function restore(server: Server, manifest: StudioManifest): Promise<void> {
  const names = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]") as string[];
  const others = names.filter((each) => manifest.systems.every(({ name }) => name !== each));
  const found = await Promise.allSettled(others.map((name) => server.ask<ServedSystem>("system", { name })));
  for (const each of found) if (each.status === "fulfilled") add(manifest, each.value);
}

/** The address of another start of the studio was opened in this tab: only its # differs. */
window.addEventListener("hashchange", () => {
  if (!new URLSearchParams(location.hash.replace(/^#/, "")).has("token")) return;
  takeToken();
  location.reload();
});

async function start(): Promise<void> {
  const server = new Server(takeToken());
  const manifest = await server.ask<StudioManifest>("start");
  await restore(server, manifest);
  await new Studio(server, manifest).begin();
}

start().catch(fail);
