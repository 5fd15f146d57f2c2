// SPDX-License-Identifier: Apache-2.0
// Worker with the golden model: melanion/model in Python, in Pyodide. It loads at the first request.
import type { Replay, Verdict } from "./contract";
import { fetched } from "./fetched";

interface PythonFunction {
  (trace: Uint8Array, model: string, tasks: string): string;
}

interface Python {
  unpackArchive(archive: ArrayBuffer, format: "zip", options: { extractDir: string }): void;
  runPython(code: string): PythonFunction;
}

type Agrees = Extract<Verdict, { kind: "agrees" }>;
type Differs = Extract<Verdict, { kind: "differs" }>;
/** What page_model.verdict() says, as JSON. */
type Judgement = Omit<Agrees, "id" | "seconds"> | Omit<Differs, "id">;

declare function loadPyodide(options: { indexURL: string }): Promise<Python>;

const FOLDER = "/model";
const JUDGE = `
import sys
sys.path.insert(0, "${FOLDER}")
import page_model
lambda trace, model, tasks: page_model.verdict(trace.to_bytes(), model, tasks)
`;

let judge: Promise<PythonFunction> | null = null;

async function load(): Promise<PythonFunction> {
  importScripts("./pyodide/pyodide.js");
  const archive = fetched("./model.zip");
  const python = await loadPyodide({ indexURL: "./pyodide/" });
  python.unpackArchive(await (await archive).arrayBuffer(), "zip", { extractDir: FOLDER });
  return python.runPython(JUDGE);
}

async function replay({ id, trace, model, tasks }: Replay): Promise<Verdict> {
  if (judge === null) answer({ id, kind: "loading" });
  judge ??= load().catch((error: unknown) => {
    judge = null; // the next request tries again
    throw error;
  });
  const verdict = await judge;
  const start = performance.now();
  const found = JSON.parse(verdict(new Uint8Array(trace), JSON.stringify(model), JSON.stringify(tasks))) as Judgement;
  const seconds = (performance.now() - start) / 1000;
  return found.kind === "differs" ? { ...found, id } : { ...found, id, seconds };
}

function answer(verdict: Verdict): void {
  self.postMessage(verdict);
}

self.addEventListener("message", ({ data: request }: MessageEvent<Replay>) => {
  replay(request)
    .catch((error: unknown): Verdict => {
      const message = error instanceof Error ? error.message : String(error);
      return { id: request.id, kind: "failed", message };
    })
    .then(answer);
});
