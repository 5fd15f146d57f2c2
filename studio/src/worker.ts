// SPDX-License-Identifier: Apache-2.0
// Worker that simulates one system. A request is a run of `melanion run`: the same arguments, the same trace.
import type { Answer, Built, Request } from "./contract";
import { fetched, json } from "./fetched";

interface Files {
  writeFile(path: string, content: Uint8Array | string): void;
  readFile(path: string): Uint8Array<ArrayBuffer>;
}

interface Simulation {
  FS: Files;
  callMain(words: string[]): number;
}

interface Settings {
  print(line: string): void;
  printErr(line: string): void;
  instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): object;
}

interface Loaded {
  image: Uint8Array;
  built: Built;
}

declare function createSimulation(settings: Settings): Promise<Simulation>;

let compiled: Promise<WebAssembly.Module> | null = null; // of the system of this worker
const programs = new Map<string, Promise<Loaded>>();

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

/** The promise of a key; one that failed is forgotten, so that the next request tries again. */
function once(program: string, system: string): Promise<Loaded> {
  const known = programs.get(program);
  if (known) return known;
  const loading = load(program, system);
  programs.set(program, loading);
  loading.catch(() => programs.delete(program));
  return loading;
}

/** A new instance, since main() of the simulation runs once. */
function instance(module: WebAssembly.Module, heard: (line: string) => void): Promise<Simulation> {
  return new Promise((done, failed) => {
    createSimulation({
      print: heard,
      printErr: heard,
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(module, imports).then(receive, failed);
        return {}; // the exports come later
      },
    }).then(done, failed);
  });
}

/** Write the files of a request; returns the words of the command line. */
function prepare(files: Files, request: Request, { image, built }: Loaded): string[] {
  files.writeFile("/image", image);
  files.writeFile("/tracepoints", built.tracepoints);
  const words = ["--image", "/image", "--tracepoints", "/tracepoints", "--trace", "/trace", "--console", "/console"];
  words.push("--max-cycles", String(request.cycles), "--seed", String(request.seed));
  words.push("--wait-states", request.wait_states, "--data-wait-states", request.wait_states);
  words.push("--speed", "--progress", ...built.arguments);
  for (const [name, value] of Object.entries(request.knobs)) {
    const address = built.variables[name];
    if (address === undefined) continue; // a kernel for which the program has no such variable
    const file = `/knob_${name}`;
    const content = new DataView(new ArrayBuffer(4));
    content.setInt32(0, value, true);
    files.writeFile(file, new Uint8Array(content.buffer));
    words.push("--data", `${file}@0x${address.toString(16)}`);
  }
  for (const [line, cycle] of request.pulses) words.push("--pulse", `${line}@${cycle}`);
  return words;
}

/** Exit status of main(), which Emscripten throws when the program called exit(). */
function call(simulation: Simulation, words: string[]): number {
  try {
    return simulation.callMain(words);
  } catch (error) {
    const status = (error as { status?: unknown }).status;
    if (typeof status === "number") return status;
    throw error;
  }
}

async function run(request: Request): Promise<Answer> {
  compiled ??= compile(request.system).catch((error: unknown) => {
    compiled = null; // the next request tries again
    throw error;
  });
  const [module, loaded] = await Promise.all([compiled, once(request.program, request.system)]);
  const said: string[] = [];
  const heard = (line: string): void => {
    const progress = /^progress: (\d+) cycles/.exec(line);
    if (progress) answer({ id: request.id, kind: "progress", cycles: Number(progress[1]) });
    else said.push(line);
  };
  const simulation = await instance(module, heard);
  const words = prepare(simulation.FS, request, loaded);
  const start = performance.now();
  const status = call(simulation, words);
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0) return failure(request.id, said.at(-1) ?? `the simulation ended with status ${status}`);
  const trace = simulation.FS.readFile("/trace").slice().buffer;
  const console = new TextDecoder().decode(simulation.FS.readFile("/console"));
  return { id: request.id, kind: "done", trace, console, said: said.join("\n"), seconds };
}

function failure(id: number, message: string): Answer {
  return { id, kind: "failed", message };
}

function answer(found: Answer): void {
  self.postMessage(found, found.kind === "done" ? [found.trace] : []);
}

self.addEventListener("message", ({ data: request }: MessageEvent<Request>) => {
  run(request)
    .catch((error: unknown) => failure(request.id, error instanceof Error ? error.message : String(error)))
    .then(answer);
});
