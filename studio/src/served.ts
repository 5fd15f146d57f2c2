// SPDX-License-Identifier: Apache-2.0
// Simulators of the studio: the server builds, runs and replays. Runs of a side follow one another; stopping ends them on the server.
import type { Failure, Message, ServedRun, WatchRequest } from "./api";
import { listing } from "./listing";
import type { Server } from "./server";
import { type Finished, type Progress, type Simulators, Stopped, type Wanted } from "./simulators";
import type { Side } from "./state";
import type { Watched, Window } from "./unit";

/** `side`: of a system; `changed`: knobs that differ from the source; `keep`: in the results store. */
export interface Host {
  side(system: string): Side;
  changed(wanted: Wanted): Record<string, number>;
  keep(): boolean;
  stored(wanted: Wanted): object | null; // the run of the results store that this one repeats
  began(): void;
  answered(wanted: Wanted, answer: ServedRun): void;
  failed(failure: Failure): void;
}

export class ServedSimulators implements Simulators {
  private last: Record<Side, Promise<unknown>> = { a: Promise.resolve(), b: Promise.resolve() };
  private ending = new AbortController();
  private readonly ran = new WeakMap<Wanted, { side: Side; number: number }>(); // on the server

  constructor(
    private readonly server: Server,
    private readonly host: Host,
  ) {}

  run(wanted: Wanted, progress: Progress = () => undefined): Promise<Finished> {
    const side = this.host.side(wanted.system);
    const { signal } = this.ending;
    const begun = this.last[side].then(() => this.begin(side, wanted, progress, signal));
    this.last[side] = begun.catch(() => undefined);
    return begun;
  }

  async watch(wanted: Wanted, window: Window, progress: Progress = () => undefined): Promise<Watched> {
    const run = this.ran.get(wanted);
    if (!run) throw new Error("this run is not the newest of its side any more; run it again.");
    const body: WatchRequest = { ...window, run: run.number };
    const number = await this.watched({ ...this.body(run.side, wanted), ...body }, progress);
    const files = ["cycles", "listing"].map((file) => this.server.bytes(`result/unit/${number}/${file}`));
    const [cycles, words] = await Promise.all(files);
    if (!cycles || !words) throw new Error("the studio left no cycles");
    return { cycles, listing: await listing(words) };
  }

  stop(): void {
    this.ending.abort();
    this.ending = new AbortController();
  }

  private async begin(side: Side, wanted: Wanted, progress: Progress, signal: AbortSignal): Promise<Finished> {
    if (signal.aborted) throw new Stopped();
    this.host.began();
    const start = performance.now();
    try {
      const number = await this.follow(side, wanted, progress, signal);
      const found = await this.result(side, number, wanted);
      this.ran.set(wanted, { side, number });
      return { ...found, seconds: (performance.now() - start) / 1000 };
    } catch (error) {
      throw signal.aborted ? new Stopped() : error;
    }
  }

  /** The number of the run on the server, when it has ended. */
  private async follow(side: Side, wanted: Wanted, progress: Progress, signal: AbortSignal): Promise<number> {
    const body = { ...this.body(side, wanted), keep: this.host.keep(), stored: this.host.stored(wanted) };
    for await (const message of this.server.lines<Message>("run", body, signal)) {
      if (message.kind === "progress") progress(message.text);
      else if (message.kind === "done") return message.run;
      else {
        this.host.failed(message);
        throw new Error(`${message.message}\nThe same run without this page: ${message.command}`);
      }
    }
    throw new Error("the studio ended the answer before the run; run it again.");
  }

  /** The number of a window on the server, when it is there. */
  private async watched(body: object, progress: Progress): Promise<number> {
    for await (const message of this.server.lines<Message>("watch", body)) {
      if (message.kind === "progress") progress(message.text);
      else if (message.kind === "done") return message.run;
      else throw new Error(message.message);
    }
    throw new Error("the studio ended the answer before the run; run it again.");
  }

  private body(side: Side, wanted: Wanted): object {
    return {
      side,
      program: wanted.program,
      system: wanted.system,
      seed: wanted.seed,
      wait_states: wanted.wait_states,
      cycles: wanted.cycles,
      pulses: wanted.pulses.map(([line, cycle]) => ({ line, cycle })),
      knobs: this.host.changed(wanted),
    };
  }

  private async result(side: Side, number: number, wanted: Wanted): Promise<Omit<Finished, "seconds">> {
    const path = `result/${side}/${number}`;
    const [answer, trace, image] = await Promise.all([
      this.server.ask<ServedRun>(`${path}/answer.json`),
      this.server.bytes(`${path}/trace`),
      this.server.bytes(`${path}/image`),
    ]);
    this.host.answered(wanted, answer);
    const { built, console, said, ...rest } = answer;
    return { trace, console, said, served: { ...rest, files: { built, image: new Uint8Array(image) } } };
  }
}
