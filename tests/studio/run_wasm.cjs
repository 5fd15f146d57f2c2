// SPDX-License-Identifier: Apache-2.0
// node run_wasm.cjs SCRIPT MODULE FOLDER WORD…: runs a simulation of a page with these words; its files are those of FOLDER, where it leaves the trace.
const fs = require("node:fs");
const path = require("node:path");

const [script, module_, folder, ...words] = process.argv.slice(2);

require(path.resolve(script))({ wasmBinary: fs.readFileSync(module_), printErr: () => {} }).then((simulation) => {
  for (const name of fs.readdirSync(folder)) simulation.FS.writeFile(`/${name}`, fs.readFileSync(path.join(folder, name)));
  const status = simulation.callMain(words);
  if (status === 0) fs.writeFileSync(path.join(folder, "trace"), simulation.FS.readFile("/trace"));
  process.exitCode = status;
});
