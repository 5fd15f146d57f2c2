// SPDX-License-Identifier: Apache-2.0
// Runs one side again and again: while a run lasts, only the newest of the requests that follow is kept.
import type { Finished, Progress, Simulators, Wanted } from "./simulators";

export interface Watcher {
  started(): void;
  progress: Progress;
  finished(found: Finished, wanted: Wanted): void;
  failed(message: string): void;
}

export class Runner {
  private pending: Wanted | null = null;
  private running: Wanted | null = null;

  constructor(
    private readonly simulators: Simulators,
    private readonly watcher: Watcher,
  ) {}

  get busy(): boolean {
    return this.running !== null;
  }

  run(wanted: Wanted): void {
    this.pending = wanted;
    if (!this.running) this.next();
  }

  /** Forget what was wanted. The caller stops the simulators, which ends the run that lasts. */
  cancel(): void {
    this.pending = null;
    this.running = null;
  }

  private next(): void {
    const wanted = this.pending;
    this.pending = null;
    this.running = wanted;
    if (!wanted) return;
    this.watcher.started();
    const current = (): boolean => this.running === wanted; // it was not cancelled
    this.simulators
      .run(wanted, (progress) => current() && this.watcher.progress(progress))
      .then(
        (found) => current() && this.end(() => this.watcher.finished(found, wanted)),
        (error: Error) => current() && this.end(() => this.watcher.failed(error.message)),
      );
  }

  private end(tell: () => void): void {
    this.running = null;
    tell();
    if (!this.running) this.next();
  }
}
