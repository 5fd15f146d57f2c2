// SPDX-License-Identifier: Apache-2.0
// Worker that simulates one system. A request is a run of `melanion run`: the same arguments, the same trace.
import type { Answer, Built, Request } from "./contract";
import { fetched, json } from "./fetched";
import { OUTPUTS, Simulation } from "./simulation";
import { slowdown } from "./state";
import type { Window } from "./unit";

interface Loaded {
  image: Uint8Array;
  built: Built;
}

/** Cycles before the first interrupt in which the simulation is held: it may be moved to earlier cycles, too. */
const HELD = [20_000, 4000, 400];
const ENDLESS = String(Number.MAX_SAFE_INTEGER); // cycles: where a run ends is no matter of its begin

let compiled: Promise<WebAssembly.Module> | null = null; // of the system of this worker
const programs = new Map<string, Promise<Loaded>>();
let last: { key: string; simulation: Simulation } | null = null;

async function compile(system: string): Promise<WebAssembly.Module> {
  const folder = `systems/${encodeURIComponent(system)}`;
  const binary = fetched(`${folder}/sim.wasm`); // comes while the script loads, which blocks
  importScripts(`${folder}/sim.js`);
  return WebAssembly.compile(await (await binary).arrayBuffer());
}

async function load(program: string, system: string): Promise<Loaded> {
  const path = `programs/${encodeURIComponent(program)}/${encodeURIComponent(system)}`;
  const [image, built] = await Promise.all([fetched(`${path}.bin`), json<Built>(`${path}.json`)]);
  return { image: new Uint8Array(await image.arrayBuffer()), built };
}

/** The files of a program; when they did not come, the next request tries again. */
function once(program: string, system: string): Promise<Loaded> {
  const known = programs.get(program);
  if (known) return known;
  const loading = load(program, system);
  programs.set(program, loading);
  loading.catch(() => programs.delete(program));
  return loading;
}

function begin(code: WebAssembly.Module, request: Request, { image, built }: Loaded): Promise<Simulation> {
  const files = new Map<string, Uint8Array | string>([["/image", image], ["/tracepoints", built.tracepoints]]);
  const words = ["--image", "/image", "--tracepoints", "/tracepoints", ...OUTPUTS];
  words.push("--max-cycles", ENDLESS, "--seed", String(request.seed));
  words.push("--wait-states", request.wait_states, "--data-wait-states", request.wait_states);
  words.push("--speed", "--progress", ...built.arguments);
  for (const [name, value] of Object.entries(request.knobs)) {
    const address = built.variables[name];
    if (address === undefined) continue; // a kernel for which the program has no such variable
    const file = `/knob_${name}`;
    const content = new DataView(new ArrayBuffer(4));
    content.setInt32(0, value, true);
    files.set(file, new Uint8Array(content.buffer));
    words.push("--data", `${file}@0x${address.toString(16)}`);
  }
  return Simulation.begin(code, files, words);
}

/** The last simulation, gone back to before the first interrupt; a new one when more than interrupts differ. */
async function ready(code: WebAssembly.Module, request: Request, loaded: Loaded, first: number): Promise<Simulation> {
  const key = keyOf(request);
  if (last?.key === key && last.simulation.back(first)) return last.simulation;
  last = null;
  last = { key, simulation: await begin(code, request, loaded) };
  return last.simulation;
}

/** A simulation that can go back far enough is used; else a new one, so that the copies of the other stay. */
async function watch(code: WebAssembly.Module, request: Request, loaded: Loaded, window: Window): Promise<ArrayBuffer> {
  const first = Math.min(...request.pulses.map(([, cycle]) => cycle), window.first + 1);
  const held = last?.key === keyOf(request) && last.simulation.back(first) ? last.simulation : null;
  const simulation = held ?? (await begin(code, request, loaded));
  simulation.heard = () => undefined;
  return simulation.watch(request.pulses, window);
}

function keyOf({ program, seed, wait_states, knobs }: Request): string {
  return JSON.stringify([program, seed, wait_states, knobs]);
}

async function run(request: Request): Promise<Answer> {
  const { id, pulses, cycles } = request;
  compiled ??= compile(request.system).catch((error: unknown) => {
    compiled = null; // the next request tries again
    throw error;
  });
  const [code, loaded] = await Promise.all([compiled, once(request.program, request.system)]);
  if (request.window) return { id, kind: "watched", cycles: await watch(code, request, loaded, request.window) };
  const start = performance.now();
  const first = Math.min(...pulses.map(([, cycle]) => cycle), cycles);
  const simulation = await ready(code, request, loaded, first);
  const said: string[] = [];
  simulation.heard = (line) => {
    const progress = /^progress: (\d+) cycles/.exec(line);
    if (progress) answer({ id, kind: "progress", cycles: Number(progress[1]) });
    else said.push(line);
  };
  const slower = slowdown({ waits: request.wait_states });
  simulation.hold(HELD.map((each) => ({ cycle: first - each * slower, apart: each * slower })));
  const { trace, console } = simulation.finish(pulses, cycles);
  const seconds = (performance.now() - start) / 1000;
  return { id, kind: "done", trace: trace.slice().buffer, console, said: said.join("\n"), seconds };
}

function answer(found: Answer): void {
  const moved = found.kind === "done" ? [found.trace] : found.kind === "watched" ? [found.cycles] : [];
  self.postMessage(found, moved);
}

self.addEventListener("message", ({ data: request }: MessageEvent<Request>) => {
  run(request)
    .catch((error: unknown): Answer => {
      last = null; // in which state the simulation is, nobody knows
      const message = error instanceof Error ? error.message : String(error);
      return { id: request.id, kind: "failed", message };
    })
    .then(answer);
});
