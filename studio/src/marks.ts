// SPDX-License-Identifier: Apache-2.0
// Prints the marks of a trace, for the test that compares them with melanion/trace/perfetto.py. For Node:
// node marks.mjs MANIFEST SYSTEM IMAGE TRACE; a line of output is [cycle, track, kind, name] as JSON.
import { readFileSync } from "node:fs";
import type { Manifest } from "./contract";
import { draw } from "./drawing";
import { findTasks, numbered } from "./tasks";
import { decode } from "./trace";

const [manifestFile = "", systemName, imageFile = "", traceFile = ""] = process.argv.slice(2);
const { systems, names } = JSON.parse(readFileSync(manifestFile).toString()) as Manifest;
const system = systems.find((each) => each.name === systemName);
if (!system) throw new Error(`${manifestFile} has no system ${systemName}`);
const events = decode(new Uint8Array(readFileSync(traceFile)).buffer);
const tasks = findTasks(events, readFileSync(imageFile), names);
const marks = draw(numbered(events, tasks, system.idle, names), system, tasks.names, names);
const lines = marks.map(({ cycle, track, kind, name }) => JSON.stringify([cycle, track, kind, name]));
process.stdout.write(lines.map((line) => `${line}\n`).join(""));
