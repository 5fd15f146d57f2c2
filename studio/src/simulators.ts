// SPDX-License-Identifier: Apache-2.0
// Workers that simulate, one for each system. Requests of a system run one after the other; stopping ends its worker.
import type { Answer, Request } from "./contract";

export type Wanted = Omit<Request, "id">;
export type Finished = Extract<Answer, { kind: "done" }>;

export class Stopped extends Error {
  constructor() {
    super("stopped");
  }
}

interface Job {
  request: Request;
  progress: (cycles: number) => void;
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

export class Simulators {
  private readonly simulators = new Map<string, Simulator>();
  private requests = 0;

  /** Rejects with `Stopped` if the worker was stopped, with the simulation's message if it failed. */
  run(wanted: Wanted, progress: (cycles: number) => void = () => undefined): Promise<Finished> {
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
