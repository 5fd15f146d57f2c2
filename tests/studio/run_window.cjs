// SPDX-License-Identifier: Apache-2.0
// node run_window.cjs SCRIPT MODULE FOLDER HELD PULSES FIRST UNTIL WORD…: runs a simulation of a page as run_wasm.cjs does, to its end, and once more from HELD on,
// now with a window from FIRST to UNTIL, whose records it leaves in FOLDER as `cycles`.
const fs = require("node:fs");
const path = require("node:path");

const [script, module_, folder, held, pulses, first, until, ...words] = process.argv.slice(2);

require(path.resolve(script))({ wasmBinary: fs.readFileSync(module_), printErr: () => {} }).then((simulation) => {
  const call = (name, ...values) => simulation.ccall(name, "number", values.map(() => "number"), values);
  const pulse = () => pulses.split(",").filter(Boolean).forEach((each) => call("mel_pulse", ...each.split("@").map(Number)));
  for (const name of fs.readdirSync(folder)) simulation.FS.writeFile(`/${name}`, fs.readFileSync(path.join(folder, name)));
  const error = simulation.ccall("mel_begin", "string", ["string"], [words.join("\n")]);
  if (error) throw new Error(error);
  call("mel_advance", Number(held));
  const memory = simulation.HEAPU8.slice();
  pulse();
  call("mel_advance", Number(until));
  call("mel_end");
  const trace = simulation.FS.readFile("/trace").slice();
  simulation.HEAPU8.set(memory);
  for (const name of ["trace", "console"]) simulation.FS.open(`/${name}`, "w");
  pulse();
  call("mel_advance", Number(first));
  const begin = performance.now();
  const count = call("mel_watch", Number(until));
  console.log(`${(performance.now() - begin).toFixed(1)} ms for ${count} cycles of the unit`);
  const at = call("mel_watched");
  fs.writeFileSync(path.join(folder, "cycles"), simulation.HEAPU8.slice(at, at + 8 * count));
  call("mel_end");
  if (Buffer.compare(Buffer.from(trace), Buffer.from(simulation.FS.readFile("/trace"))) !== 0) throw new Error("a window changes the run");
});
