// SPDX-License-Identifier: Apache-2.0
// A simulation in WebAssembly (soc/sim/page), which can go back: its state is its memory and its open files.
// Copies of it before the first interrupt save the boot of the system when the visitor moves the interrupt.
import { RECORD, type Window } from "./unit";

interface Stream {
  fd: number;
  path: string;
}

interface Files {
  streams: readonly (Stream | null | undefined)[];
  open(path: string, mode: "w"): Stream;
  write(stream: Stream, content: Uint8Array, offset: number, length: number): void;
  writeFile(path: string, content: Uint8Array | string): void;
  readFile(path: string): Uint8Array<ArrayBuffer>;
}

interface Module {
  FS: Files;
  HEAPU8: Uint8Array; // another one after the memory has grown
  ccall(name: "mel_begin", returns: "string", types: ["string"], values: [string]): string;
  ccall(name: "mel_advance", returns: "number", types: ["number"], values: [number]): number;
  ccall(name: "mel_pulse", returns: null, types: ["number", "number"], values: [number, number]): void;
  ccall(name: "mel_watch", returns: "number", types: ["number"], values: [number]): number;
  ccall(name: "mel_watched", returns: "number", types: [], values: []): number;
  ccall(name: "mel_end", returns: "number", types: [], values: []): number;
}

interface Settings {
  print(line: string): void;
  printErr(line: string): void;
  instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): object;
}

declare function createSimulation(settings: Settings): Promise<Module>;

interface Copy {
  cycle: number;
  memory: Uint8Array;
  files: { stream: Stream; content: Uint8Array }[]; // in the order in which they were opened
}

export interface Output {
  trace: Uint8Array<ArrayBuffer>;
  console: string;
}

const MOST_COPIES = 3; // of 16 MB each
const [TRACE, CONSOLE] = ["/trace", "/console"];
export const OUTPUTS = ["--trace", TRACE, "--console", CONSOLE];

export class Simulation {
  private copies: Copy[] = []; // by cycle; no interrupt of the page is given in any of them
  private cycle = 0;
  heard: (line: string) => void = () => undefined;

  private constructor(private readonly module: Module) {}

  /** `files`: what the words name, by path. Rejects with the simulation's message. */
  static async begin(
    code: WebAssembly.Module,
    files: ReadonlyMap<string, Uint8Array | string>,
    words: readonly string[],
  ): Promise<Simulation> {
    const tell = (line: string): void => found?.heard(line);
    let found: Simulation | null = null;
    const module = await instance(code, tell);
    for (const [path, content] of files) module.FS.writeFile(path, content);
    const error = module.ccall("mel_begin", "string", ["string"], [words.join("\n")]);
    if (error) throw new Error(error);
    found = new Simulation(module);
    return found;
  }

  /** Go back to the last copy before a cycle; false: there is none. */
  back(before: number): boolean {
    const copy = this.copies.findLast((each) => each.cycle < before);
    if (!copy) return false;
    this.module.HEAPU8.set(copy.memory);
    this.cycle = copy.cycle;
    return copy.files.every(({ stream, content }) => {
      const again = this.module.FS.open(stream.path, "w");
      this.module.FS.write(again, content, 0, content.length);
      return again.fd === stream.fd;
    });
  }

  /** Advance to these cycles, in their order, and copy the state in each, unless it is less than `apart` cycles on. */
  hold(cycles: readonly { cycle: number; apart: number }[]): void {
    for (const { cycle, apart } of cycles) {
      if (cycle < this.cycle + apart) continue;
      this.advance(cycle);
      const rest = this.copies.filter((each) => each.cycle < cycle);
      this.copies = [...rest.slice(0, 1), ...rest.slice(1).slice(2 - MOST_COPIES), this.copy()];
    }
  }

  /** Give the interrupts, go on until a cycle, and end. The next call is `back`. */
  finish(pulses: readonly [line: number, cycle: number][], until: number): Output {
    for (const pulse of pulses) this.module.ccall("mel_pulse", null, ["number", "number"], pulse);
    this.advance(until);
    if (this.module.ccall("mel_end", "number", [], []) === 0) throw new Error("a file could not be written");
    const { FS } = this.module;
    return { trace: FS.readFile(TRACE), console: new TextDecoder().decode(FS.readFile(CONSOLE)) };
  }

  /** Give the interrupts, and end behind a window: the records of what the unit does in it. The next call is `back`. */
  watch(pulses: readonly [line: number, cycle: number][], { first, until }: Window): ArrayBuffer {
    for (const pulse of pulses) this.module.ccall("mel_pulse", null, ["number", "number"], pulse);
    this.advance(first);
    const count = this.module.ccall("mel_watch", "number", ["number"], [until]);
    const at = this.module.ccall("mel_watched", "number", [], []);
    const found = this.module.HEAPU8.slice(at, at + RECORD * count);
    this.module.ccall("mel_end", "number", [], []);
    return found.buffer;
  }

  private advance(until: number): void {
    this.cycle = this.module.ccall("mel_advance", "number", ["number"], [until]);
  }

  private copy(): Copy {
    const { FS, HEAPU8 } = this.module;
    const open = FS.streams.filter((stream) => stream?.path === TRACE || stream?.path === CONSOLE);
    const files = open.flatMap((stream) =>
      stream ? [{ stream: { fd: stream.fd, path: stream.path }, content: FS.readFile(stream.path).slice() }] : [],
    );
    return { cycle: this.cycle, memory: HEAPU8.slice(), files };
  }
}

/** A new instance, since a simulation begins once. */
function instance(code: WebAssembly.Module, heard: (line: string) => void): Promise<Module> {
  return new Promise((done, failed) => {
    createSimulation({
      print: heard,
      printErr: heard,
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(code, imports).then(receive, failed);
        return {}; // the exports come later
      },
    }).then(done, failed);
  });
}
