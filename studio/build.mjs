// SPDX-License-Identifier: Apache-2.0
// Bundles the page. `build.mjs page OUTDIR`: the page and Pyodide; `tools OUTDIR`: scripts for Node; `test`: run the tests.
import { spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const SOURCE = join(HERE, "src");
const PYODIDE = ["pyodide.js", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];
const COMMON = { bundle: true, target: "es2022", legalComments: "none", logLevel: "warning", absWorkingDir: HERE };
const FOR_NODE = { ...COMMON, platform: "node", format: "esm" };

async function page(folder) {
  await mkdir(join(folder, "pyodide"), { recursive: true });
  const scripts = ["page.ts", "worker.ts", "model.ts", "page.css"].map((name) => join(SOURCE, name));
  await build({ ...COMMON, entryPoints: scripts, outdir: folder, format: "iife", minify: true });
  await copyFile(join(SOURCE, "index.html"), join(folder, "index.html"));
  for (const name of PYODIDE) {
    await copyFile(join(HERE, "node_modules", "pyodide", name), join(folder, "pyodide", name));
  }
}

async function tools(folder) {
  const scripts = ["marks.ts"].map((name) => join(SOURCE, name));
  await build({ ...FOR_NODE, entryPoints: scripts, outdir: folder, outExtension: { ".js": ".mjs" } });
}

async function test() {
  const folder = await mkdtemp(join(tmpdir(), "melanion-studio-"));
  try {
    const tests = (await readdir(join(HERE, "test"))).filter((name) => name.endsWith(".test.ts"));
    const entryPoints = tests.map((name) => join(HERE, "test", name));
    await build({ ...FOR_NODE, entryPoints, outdir: folder, outExtension: { ".js": ".mjs" } });
    const bundles = tests.map((name) => join(folder, name.replace(/\.ts$/, ".mjs")));
    process.exitCode = spawnSync(process.execPath, ["--test", ...bundles], { stdio: "inherit" }).status ?? 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const [command, target] = process.argv.slice(2);
if (command === "page" && target) await page(target);
else if (command === "tools" && target) await tools(target);
else if (command === "test") await test();
else {
  console.error("usage: npm run build -- OUTDIR | npm run tools -- OUTDIR | npm test");
  process.exitCode = 2;
}
