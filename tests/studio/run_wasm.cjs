// SPDX-License-Identifier: Apache-2.0
// node run_wasm.cjs SCRIPT MODULE FOLDER HELD PULSES WORD…: runs a simulation of a page with these words; its files are those of FOLDER, where it leaves the trace.
// HELD: cycle to which it runs first, before the pulses (LINE@CYCLE,…) are given. From there it runs twice, the second time after its memory has been put back.
const fs = require("node:fs");
const path = require("node:path");

const [script, module_, folder, held, pulses, ...words] = process.argv.slice(2);

function open(simulation) {
  for (const name of ["trace", "console"]) simulation.FS.open(`/${name}`, "w");
}

function finish(simulation) {
  for (const pulse of pulses.split(",").filter((word) => word)) {
    simulation.ccall("mel_pulse", null, ["number", "number"], pulse.split("@").map(Number));
  }
  simulation.ccall("mel_advance", "number", ["number"], [2 ** 52]);
  if (simulation.ccall("mel_end", "number", [], []) === 0) throw new Error("a file could not be written");
  return simulation.FS.readFile("/trace");
}

require(path.resolve(script))({ wasmBinary: fs.readFileSync(module_), printErr: () => {} }).then((simulation) => {
  for (const name of fs.readdirSync(folder)) simulation.FS.writeFile(`/${name}`, fs.readFileSync(path.join(folder, name)));
  const error = simulation.ccall("mel_begin", "string", ["string"], [words.join("\n")]);
  if (error) throw new Error(error);
  simulation.ccall("mel_advance", "number", ["number"], [Number(held)]);
  const memory = simulation.HEAPU8.slice();
  const first = finish(simulation).slice();
  simulation.HEAPU8.set(memory);
  open(simulation);
  const begin = performance.now();
  const second = finish(simulation);
  console.log(`${((performance.now() - begin) / 1000).toFixed(3)} s from the held cycle on`);
  if (Buffer.compare(Buffer.from(first), Buffer.from(second)) !== 0) throw new Error("the second run differs");
  fs.writeFileSync(path.join(folder, "trace"), second);
});
