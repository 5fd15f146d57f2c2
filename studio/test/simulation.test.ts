// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { Simulation } from "../src/simulation";

const PLACE = 8; // of the records of a window in the memory

/** A module whose first byte is its cycle; each cycle and each interrupt is written to the trace. */
class Module {
  readonly HEAPU8 = new Uint8Array(PLACE + 64);
  readonly contents = new Map<string, number[]>();
  advanced = 0; // cycles, in all runs together

  readonly FS = {
    streams: [null, { fd: 1, path: "/trace" }, { fd: 2, path: "/console" }],
    writeFile: (path: string) => this.contents.set(path, []),
    readFile: (path: string) => Uint8Array.from(this.contents.get(path) ?? []),
    open: (path: string) => {
      this.contents.set(path, []);
      return { fd: path === "/trace" ? 1 : 2, path };
    },
    write: ({ path }: { path: string }, content: Uint8Array) => this.contents.get(path)?.push(...content),
  };

  ccall(name: string, _: unknown, __: unknown, [first = 0, second = 0]: number[]): number | string {
    if (name === "mel_begin") return "";
    if (name === "mel_pulse") this.tell(100 + first + second);
    while (name === "mel_advance" && this.cycle < first) {
      this.tell(this.cycle);
      this.HEAPU8[0] = this.cycle + 1;
      this.advanced += 1;
    }
    if (name === "mel_watch") {
      const begin = this.cycle;
      this.ccall("mel_advance", "", "", [first]);
      for (let at = begin; at < this.cycle; at++) this.HEAPU8[PLACE + 8 * (at - begin)] = at;
      return this.cycle - begin;
    }
    if (name === "mel_watched") return PLACE;
    return name === "mel_end" ? 1 : this.cycle;
  }

  private get cycle(): number {
    return this.HEAPU8[0] ?? 0;
  }

  private tell(value: number): void {
    const trace = this.contents.get("/trace");
    if (trace) trace.push(value);
    else this.contents.set("/trace", [value]);
  }
}

async function begun(module: Module): Promise<Simulation> {
  Object.assign(globalThis, { createSimulation: () => Promise.resolve(module) });
  const empty = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0]);
  return Simulation.begin(new WebAssembly.Module(empty), new Map(), []);
}

const cycles = (count: number): number[] => Array.from({ length: count }, (_, cycle) => cycle);

test("a simulation goes back to before an interrupt, and the trace is that of a whole run", async () => {
  const module = new Module();
  const simulation = await begun(module);
  simulation.hold([{ cycle: 10, apart: 1 }, { cycle: 18, apart: 1 }]);
  const whole = simulation.finish([[1, 20]], 22);
  assert.deepEqual([...whole.trace], [...cycles(18), 121, 18, 19, 20, 21]);
  assert.equal(simulation.back(19), true);
  const again = simulation.finish([[1, 19]], 22);
  assert.deepEqual([...again.trace], [...cycles(18), 120, 18, 19, 20, 21]);
  assert.equal(module.advanced, 22 + 4);
  assert.equal(simulation.back(18), true); // the copy of cycle 18 is too late for it
  assert.deepEqual([...simulation.finish([[1, 18]], 22).trace], [...cycles(10), 119, ...cycles(22).slice(10)]);
  assert.equal(simulation.back(10), false);
});

test("copies that are near the last one are left out, and the oldest one stays", async () => {
  const module = new Module();
  const simulation = await begun(module);
  for (const cycle of [10, 20, 23, 30, 40]) simulation.hold([{ cycle, apart: 5 }]);
  const kept = [50, 40, 30, 25].map((before) => {
    simulation.back(before);
    return module.HEAPU8[0];
  });
  assert.deepEqual(kept, [40, 30, 10, 10]);
});

test("a window is what the unit does between two cycles, and a simulation goes back behind it", async () => {
  const module = new Module();
  const simulation = await begun(module);
  simulation.hold([{ cycle: 10, apart: 1 }]);
  const whole = simulation.finish([[1, 20]], 22);
  assert.equal(simulation.back(20), true);
  const found = new Uint8Array(simulation.watch([[1, 20]], { first: 14, until: 16 }));
  assert.deepEqual([...found], [14, 15].flatMap((cycle) => [cycle, 0, 0, 0, 0, 0, 0, 0]));
  assert.equal(simulation.back(20), true);
  assert.deepEqual([...simulation.finish([[1, 20]], 22).trace], [...whole.trace]);
});
