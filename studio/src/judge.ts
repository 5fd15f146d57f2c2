// SPDX-License-Identifier: Apache-2.0
// Client of the worker with the golden model. Only the newest run of each side is replayed: older ones are dropped.
import type { Replay, Verdict } from "./contract";

export type Heard = (verdict: Verdict) => void;

interface Waiting {
  request: Replay;
  heard: Heard;
}

export class Judge {
  private worker: Worker | null = null; // made at the first request, since it loads 6 MB
  private readonly waiting = new Map<string, Waiting>(); // side → its newest request
  private current: Waiting | null = null;
  private requests = 0;

  /** `heard` is called with each verdict about this run, unless a newer run of the side replaces it. */
  replay(side: string, wanted: Omit<Replay, "id">, heard: Heard): void {
    this.waiting.set(side, { request: { ...wanted, id: ++this.requests }, heard });
    this.next();
  }

  forget(side: string): void {
    this.waiting.delete(side);
  }

  private next(): void {
    const first = this.waiting.entries().next();
    if (this.current || first.done) return;
    const [side, found] = first.value;
    this.waiting.delete(side);
    this.current = found;
    this.started().postMessage(found.request);
  }

  private started(): Worker {
    if (this.worker) return this.worker;
    this.worker = new Worker("model.js");
    this.worker.addEventListener("message", ({ data }: MessageEvent<Verdict>) => this.hear(data));
    this.worker.addEventListener("error", (event) => {
      const message = event.message || "model.js did not load";
      if (this.current) this.hear({ id: this.current.request.id, kind: "failed", message });
    });
    return this.worker;
  }

  private hear(verdict: Verdict): void {
    this.current?.heard(verdict);
    if (verdict.kind === "loading") return;
    this.current = null;
    this.next();
  }
}
