// SPDX-License-Identifier: Apache-2.0
// Runs of both sides: simulated, understood, shown, and judged by the golden model when nothing newer is wanted.
import { annotate } from "./annotate";
import type { Built, Manifest } from "./contract";
import { fetched, json } from "./fetched";
import { Judge } from "./judge";
import { type Judged, Panel } from "./panel";
import { type Files, type Run, understand } from "./run";
import { Runner } from "./runner";
import type { Finished, Simulators, Wanted } from "./simulators";
import { command, request, type Side, SIDES, type State } from "./state";

export type Status = "running" | "drawn" | "stopped" | "failed";

/** `annotated`: the golden model has followed the run; `settled`: both sides show the newest state. */
export interface Host {
  state(): State;
  drawn(side: Side, run: Run | null): void;
  annotated(side: Side, run: Run): void;
  settled(a: Run, b: Run): void;
  status(status: Status): void;
}

const PATIENCE = 400; // ms until a replay: while an interrupt is dragged, it would take the time of the simulations

export class Runs {
  private readonly judge = new Judge();
  private readonly panels = { a: new Panel("a"), b: new Panel("b") };
  private readonly runs: Record<Side, Run | null> = { a: null, b: null };
  private readonly files = new Map<string, Promise<Files>>();
  private readonly runners: Record<Side, Runner>;
  private failed = false;
  private replays: ReturnType<typeof setTimeout> | undefined; // of what is shown

  constructor(
    private readonly manifest: Manifest,
    private readonly simulators: Simulators,
    private readonly host: Host,
  ) {
    this.runners = { a: this.runner("a"), b: this.runner("b") };
  }

  of(side: Side): Run | null {
    return this.runs[side];
  }

  run(): void {
    const state = this.host.state();
    this.failed = false;
    this.forget();
    this.host.status("running");
    for (const side of SIDES) {
      this.runners[side].run(request(state, state.systems[side]));
    }
  }

  /** Other kernels, or another program: nothing that is shown is still right. */
  clear(): void {
    this.cancel();
    for (const side of SIDES) {
      this.runs[side] = null;
      this.panels[side].name(this.host.state().systems[side]);
      this.host.drawn(side, null);
    }
  }

  stop(): void {
    const busy = SIDES.filter((side) => this.runners[side].busy);
    this.cancel();
    for (const side of busy) this.panels[side].stopped();
    this.host.status("stopped");
  }

  private get busy(): boolean {
    return SIDES.some((side) => this.runners[side].busy);
  }

  private cancel(): void {
    const { busy } = this;
    for (const side of SIDES) this.runners[side].cancel();
    this.forget();
    if (busy) this.simulators.stop();
  }

  /** What is shown is not worth a replay any more. */
  private forget(): void {
    clearTimeout(this.replays);
    for (const side of SIDES) this.judge.forget(side);
  }

  private runner(side: Side): Runner {
    const panel = this.panels[side];
    return new Runner(this.simulators, {
      started: () => panel.running(0),
      progress: (progress) => panel.running(progress),
      finished: (found, wanted) => {
        this.finish(side, found, wanted).catch((error: Error) => this.fail(side, error.message));
      },
      failed: (message) => this.fail(side, message),
    });
  }

  private fail(side: Side, message: string): void {
    this.failed = true;
    this.runs[side] = null;
    this.panels[side].failed(message);
    this.host.drawn(side, null);
    this.host.status("failed");
  }

  private async finish(side: Side, found: Finished, wanted: Wanted): Promise<void> {
    const files = found.served?.files ?? (await this.filesOf(wanted));
    const state = this.host.state();
    const system = state.systems[side];
    if (wanted.program !== state.program.name || wanted.system !== system.name) return;
    const run = understand(this.manifest, state.program, system, files, found, wanted);
    this.runs[side] = run;
    this.panels[side].show(run, state.program, this.manifest.clock_mhz);
    this.panels[side].print(run, found.served ?? { command: command(state, system), notes: [] });
    const verdict: Judged = found.served?.verdict ?? { kind: judgedBy(run) };
    if (found.served && verdict.kind === "agrees") {
      Object.assign(run, annotate(run.rows, verdict.waits, verdict.inherited));
    }
    this.panels[side].judge(verdict, system);
    this.host.drawn(side, run);
    this.settle();
  }

  private settle(): void {
    const { a, b } = this.runs;
    if (!a || !b || this.failed || this.busy) return;
    this.host.settled(a, b);
    requestAnimationFrame(() => {
      if (!this.busy) this.host.status("drawn");
    });
    clearTimeout(this.replays);
    this.replays = setTimeout(() => {
      this.replay("a", a);
      this.replay("b", b);
    }, PATIENCE);
  }

  private replay(side: Side, run: Run): void {
    if (run.served || judgedBy(run) !== "waiting" || this.runs[side] !== run) return;
    const { trace, built, system, tasks } = run;
    this.judge.replay(side, { trace, model: built.model, tasks }, (verdict) => {
      if (this.runs[side] !== run) return;
      this.panels[side].judge(verdict, system);
      if (verdict.kind !== "agrees") return;
      Object.assign(run, annotate(run.rows, verdict.waits, verdict.inherited));
      this.host.annotated(side, run);
    });
  }

  private filesOf({ program, system }: Wanted): Promise<Files> {
    const path = `programs/${encodeURIComponent(program)}/${encodeURIComponent(system)}`;
    const known = this.files.get(path);
    if (known) return known;
    const loading = load(path);
    this.files.set(path, loading);
    loading.catch(() => this.files.delete(path));
    return loading;
  }
}

async function load(path: string): Promise<Files> {
  const [built, image] = await Promise.all([json<Built>(`${path}.json`), fetched(`${path}.bin`)]);
  return { built, image: new Uint8Array(await image.arrayBuffer()) };
}

function judgedBy({ system, built }: Run): "own" | "without" | "waiting" {
  if (!system.replayed) return "own";
  return built.model === null ? "without" : "waiting";
}
