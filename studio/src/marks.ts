// SPDX-License-Identifier: Apache-2.0
// Prints the marks of a trace, for the test that compares them with melanion/trace/perfetto.py. For Node:
// node marks.mjs MANIFEST SYSTEM IMAGE TRACE; a line of output is [cycle, track, kind, name] as JSON.
import { readFileSync } from "node:fs";
import type { Manifest } from "./contract";
import { draw } from "./drawing";
import { find_tasks, numbered } from "./tasks";
import { decode } from "./trace";

const [manifest_file = "", system_name, image_file = "", trace_file = ""] = process.argv.slice(2);
const { systems, names } = JSON.parse(readFileSync(manifest_file).toString()) as Manifest;
const system = systems.find((each) => each.name === system_name);
if (!system) throw new Error(`${manifest_file} has no system ${system_name}`);
const events = decode(new Uint8Array(readFileSync(trace_file)).buffer);
const tasks = find_tasks(events, readFileSync(image_file), names);
const marks = draw(numbered(events, tasks, system.idle, names), system, tasks.names, names);
const lines = marks.map(({ cycle, track, kind, name }) => JSON.stringify([cycle, track, kind, name]));
process.stdout.write(lines.map((line) => `${line}\n`).join(""));
