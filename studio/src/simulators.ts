// SPDX-License-Identifier: Apache-2.0
// Simulators of the page: workers, one for each system. Requests of a system run one after the other; stopping ends its worker.
import type { Answer, Request, Verdict } from "./contract";
import { fetched } from "./fetched";
import { listing } from "./listing";
import type { Files } from "./run";
import type { Listing, Watched, Window } from "./unit";

export type Wanted = Omit<Request, "id" | "window">;
type Result = Extract<Answer, { kind: "done" | "watched" }>;

export interface Finished {
  trace: ArrayBuffer;
  console: string;
  said: string;
  seconds: number;
  served?: Served;
}

/** A server also replays the run, and says what a page would find in its files. */
export interface Served {
  files: Files;
  verdict: Verdict | { kind: "own" } | { kind: "ended"; message: string };
  command: string; // that does the same
  notes: string[];
  hints: string[];
  stored: Told | null;
  tasks: Record<string, string>; // number → name, by the stacks of the program
  provenance: unknown;
}

/** Whether a run that was opened has the events of the stored one, and how that was found. */
export interface Told {
  same: boolean;
  sentence: string;
}

/** Cycles so far, or what is done before the first one. */
export type Progress = (progress: number | string) => void;

export interface Simulators {
  /** Rejects with `Stopped` if the run was stopped, with a sentence if it failed. */
  run(wanted: Wanted, progress?: Progress): Promise<Finished>;
  /** What the unit of the system did in a part of a run that this simulator has run. Rejects as `run`. */
  watch(wanted: Wanted, window: Window, progress?: Progress): Promise<Watched>;
  stop(): void;
}

export class Stopped extends Error {
  constructor() {
    super("stopped");
  }
}

interface Job {
  request: Request;
  progress: Progress;
  done: (found: Result) => void;
  failed: (error: Error) => void;
}

class Simulator {
  private readonly worker = new Worker("worker.js");
  private jobs: Job[] = []; // the first one runs

  /** `broken`: the worker answers no more. */
  constructor(broken: () => void) {
    this.worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => this.hear(data));
    this.worker.addEventListener("error", (event) => {
      broken();
      this.fail(new Error(event.message || "worker.js did not load"));
    });
  }

  add(job: Job): void {
    this.jobs.push(job);
    if (this.jobs.length === 1) this.worker.postMessage(job.request);
  }

  stop(): void {
    this.worker.terminate();
    this.fail(new Stopped());
  }

  private hear(answer: Answer): void {
    const job = this.jobs[0];
    if (job?.request.id !== answer.id) return;
    if (answer.kind === "progress") {
      job.progress(answer.cycles);
      return;
    }
    this.jobs.shift();
    const next = this.jobs[0];
    if (next) this.worker.postMessage(next.request);
    if (answer.kind === "failed") job.failed(new Error(answer.message));
    else job.done(answer);
  }

  private fail(error: Error): void {
    const jobs = this.jobs;
    this.jobs = [];
    for (const job of jobs) job.failed(error);
  }
}

export class Workers implements Simulators {
  private readonly simulators = new Map<string, Simulator>();
  private requests = 0;
  private words: Promise<Listing> | null = null;

  async run(wanted: Wanted, progress: Progress = () => undefined): Promise<Finished> {
    const found = await this.ask({ ...wanted, id: ++this.requests }, progress);
    if (found.kind !== "done") throw new Error("the simulation answered another request");
    return found;
  }

  async watch(wanted: Wanted, window: Window): Promise<Watched> {
    this.words ??= fetched("microprogram.json.gz").then(async (found) => listing(await found.arrayBuffer()));
    this.words.catch(() => (this.words = null)); // the next one tries again
    const [found, words] = await Promise.all([this.ask({ ...wanted, window, id: ++this.requests }), this.words]);
    if (found.kind !== "watched") throw new Error("the simulation answered another request");
    return { cycles: found.cycles, listing: words };
  }

  private ask(request: Request, progress: Progress = () => undefined): Promise<Result> {
    return new Promise((done, failed) => {
      this.of(request.system).add({ request, progress, done, failed });
    });
  }

  stop(): void {
    for (const simulator of this.simulators.values()) simulator.stop();
    this.simulators.clear();
  }

  private of(system: string): Simulator {
    const known = this.simulators.get(system);
    if (known) return known;
    const simulator = new Simulator(() => this.simulators.delete(system));
    this.simulators.set(system, simulator);
    return simulator;
  }
}
