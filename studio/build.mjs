// SPDX-License-Identifier: Apache-2.0
// Bundles the page. `build.mjs page OUTDIR`: the page and Pyodide; `studio OUTDIR`: that of `melanion studio`; `tools OUTDIR`: scripts for Node; `test`: run the tests.
import { spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
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

/** The page with other words, another script, and the controls of studio.html above the timeline. */
async function studio(folder) {
  await mkdir(folder, { recursive: true });
  const scripts = ["studio.ts", "page.css", "studio.css"].map((name) => join(SOURCE, name));
  await build({ ...COMMON, entryPoints: scripts, outdir: folder, format: "iife", minify: true });
  const controls = await readFile(join(SOURCE, "studio.html"), "utf8");
  let text = await readFile(join(SOURCE, "index.html"), "utf8");
  for (const [before, after] of [
    ['<link rel="preload" href="manifest.json" as="fetch" crossorigin>', '<link rel="stylesheet" href="studio.css">'],
    ["worker-src 'self'; ", ""],
    ["page.js", "studio.js"],
    ["simulates hardware in the browser", "shows simulations of hardware"],
    ["simulated from its RTL in this browser, cycle by cycle", "simulated from its RTL on this machine, cycle by cycle"],
    ["After the first picture the golden model of the kernel, written in Python, loads and replays", "The golden model of the kernel replays"],
    ['<p id="comparison"', `${controls}\n<p id="comparison"`],
  ]) {
    if (!text.includes(before)) throw new Error(`index.html has no ${before}`);
    text = text.replace(before, after);
  }
  await writeFile(join(folder, "index.html"), text);
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
else if (command === "studio" && target) await studio(target);
else if (command === "tools" && target) await tools(target);
else if (command === "test") await test();
else {
  console.error("usage: npm run build -- OUTDIR | npm run studio -- OUTDIR | npm run tools -- OUTDIR | npm test");
  process.exitCode = 2;
}
