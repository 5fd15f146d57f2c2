// SPDX-License-Identifier: Apache-2.0
// Simulators of the page: workers, one for each system. Requests of a system run one after the other; stopping ends its worker.
import type { Answer, Request, Verdict } from "./contract";
import type { Files } from "./run";

export type Wanted = Omit<Request, "id">;

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
  done: (found: Finished) => void;
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
    if (answer.kind === "done") job.done(answer);
    else job.failed(new Error(answer.message));
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

  run(wanted: Wanted, progress: Progress = () => undefined): Promise<Finished> {
    return new Promise((done, failed) => {
      const request: Request = { ...wanted, id: ++this.requests };
      this.of(wanted.system).add({ request, progress, done, failed });
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
