// SPDX-License-Identifier: Apache-2.0
// Draws a trace as begins, ends and instants on named tracks, as melanion/trace/perfetto.py does without annotations.
// A test compares both on every program of the gallery.
import type { Names, System } from "./contract";
import type { TraceEvent } from "./trace";

export type Values = Readonly<Record<string, number | string>>;

export interface Mark {
  cycle: number;
  track: string;
  kind: "begin" | "end" | "instant";
  name: string;
  values: Values;
}

export const KERNEL = "kernel";
export const LINES = "interrupt lines";
export const RUNNING = "running";
export const PREEMPTED = "preempted";
export const OFF_CORE = "off core"; // preempted, or waiting: nobody follows the kernel
export const IDLE = "idle";

const SPURIOUS = 0xffff;
const INTERFACE_TRACEPOINT = 0xfff0; // melanion/trace/events.py: from here on no tracepoint of a program
const CONTEXT_TASK = 0;
const CAUSES: Readonly<Record<number, string>> = {
  0x000b: "system call",
  0x8003: "dispatch interrupt",
  0x8007: "timer interrupt",
  0x800b: "external interrupt",
};

/** Marks of a trace, in the order of its events. `tasks`: number → name. */
export function draw(
  events: readonly TraceEvent[],
  system: System,
  tasks: Readonly<Record<string, string>>,
  names: Names,
): Mark[] {
  const drawing = new Drawing(system, tasks, names);
  const byKind = new Map(Object.entries(DRAW).map(([name, one]) => [names.trace[name], one]));
  for (const event of events) byKind.get(event.kind)?.(drawing, event);
  drawing.close(events.at(-1)?.cycle ?? 0);
  return drawing.marks;
}

/** State of the drawing: open slices, running tasks and the calls in which tasks wait. */
class Drawing {
  readonly marks: Mark[] = [];
  readonly running = new Map<number, number>(); // core → task
  readonly call = new Map<number, string>(); // task → call in which it waits
  readonly gone = new Set<number>(); // tasks that became dormant while they ran
  private readonly open = new Set<string>();

  readonly idle: number;
  readonly off: string; // slice of a task that neither runs nor waits in a call

  constructor(
    system: System,
    private readonly tasks: Readonly<Record<string, string>>,
    readonly names: Names,
  ) {
    this.idle = system.idle;
    this.off = system.replayed ? PREEMPTED : OFF_CORE;
  }

  begin(cycle: number, track: string, name: string, values: Values = {}): void {
    this.end(cycle, track);
    this.open.add(track);
    this.marks.push({ cycle, track, kind: "begin", name, values });
  }

  end(cycle: number, track: string): void {
    if (this.open.delete(track)) this.marks.push({ cycle, track, kind: "end", name: "", values: {} });
  }

  /** A slice that is drawn at its end. */
  whole(begin: number, cycle: number, track: string, name: string, values: Values): void {
    this.marks.push({ cycle: begin, track, kind: "begin", name, values });
    this.marks.push({ cycle, track, kind: "end", name: "", values: {} });
  }

  instant(cycle: number, track: string, name: string, values: Values = {}): void {
    this.marks.push({ cycle, track, kind: "instant", name, values });
  }

  close(cycle: number): void {
    for (const track of [...this.open].sort()) this.end(cycle, track);
  }

  task(number: number): string {
    return `tasks / ${this.label(number)}`;
  }

  label(number: number): string {
    return number === this.idle ? IDLE : `task ${number} ${this.tasks[number] ?? ""}`.trimEnd();
  }

  status(word: number): string {
    return this.names.status[word | 0] ?? String(word | 0);
  }

  reader(number: number): string {
    if (number === this.names.handler) return "a handler";
    return number === this.idle ? IDLE : `task ${number}`;
  }
}

type Draw = (now: Drawing, event: TraceEvent) => void;

function command(now: Drawing, { cycle, core, a, b, c, d }: TraceEvent): void {
  const name = now.names.command[a & 0xff] ?? String(a & 0xff);
  const call = `${name}(${b})`;
  const waits = (d | 0) === now.names.waiting;
  const runner = now.running.get(core) ?? now.idle;
  if (waits) now.call.set(runner, call); // a task called, even if the kernel reports no caller
  else if (a >> 8 === CONTEXT_TASK && name === "task_exit") now.gone.add(runner);
  now.instant(cycle, KERNEL, call, { argument: c, status: waits ? "WAITING" : now.status(d), core });
}

function dispatch(now: Drawing, { cycle, core, a, b, c }: TraceEvent): void {
  if (c !== 0) now.end(cycle, `core ${core} / handler`);
  if (a === now.running.get(core)) return;
  const left = now.running.get(core) ?? b;
  now.running.set(core, a);
  if (now.gone.delete(left) || left === now.idle) now.end(cycle, now.task(left));
  else if (left !== a) now.begin(cycle, now.task(left), now.call.get(left) ?? now.off, { core });
  now.call.delete(a);
  now.begin(cycle, now.task(a), RUNNING, { core });
  if (a === now.idle) now.end(cycle, `core ${core} / task`);
  else now.begin(cycle, `core ${core} / task`, now.label(a));
}

function miss(now: Drawing, { cycle, a, b }: TraceEvent): void {
  now.instant(cycle, KERNEL, `${b !== 0 ? "budget used up by" : "deadline missed by"} task ${a}`);
  now.instant(cycle, now.task(a), b !== 0 ? "budget used up" : "deadline missed");
}

function orphan(now: Drawing, { cycle, a, b, c }: TraceEvent): void {
  const owner = a === now.idle ? "nobody" : `task ${a}`;
  now.instant(cycle, KERNEL, `mutex ${b} of task ${c}, which ended`, { owner });
}

function irq(now: Drawing, { cycle, a, b, c, d }: TraceEvent): void {
  const action = now.names.action[b] ?? String(b);
  now.instant(cycle, KERNEL, `interrupt ${a}: ${action}`, { object: c, status: now.status(d) });
}

function claim(now: Drawing, { cycle, core, a }: TraceEvent): void {
  now.begin(cycle, `core ${core} / handler`, a === SPURIOUS ? "spurious" : `handler of interrupt ${a}`);
}

function trap(now: Drawing, { cycle, core, a, b }: TraceEvent): void {
  now.begin(cycle, `core ${core} / trap`, CAUSES[a] ?? `trap 0x${a.toString(16)}`, { pc: b });
}

const DRAW: Readonly<Record<string, Draw>> = {
  COMMAND: command,
  DISPATCH: dispatch,
  TICK: (now, { cycle, b, c }) => now.instant(cycle, KERNEL, "tick", { counter: b + c * 2 ** 32 }),
  TIMEOUT: (now, { cycle, a, d }) => now.instant(cycle, KERNEL, `timeout of task ${a}`, { status: now.status(d) }),
  RELEASE: (now, { cycle, a, d }) => now.instant(cycle, KERNEL, `release of task ${a}`, { status: now.status(d) }),
  ORPHAN: orphan,
  INHERIT: (now, { cycle, a, c }) => now.instant(cycle, KERNEL, `task ${a} inherits`, { priority: c }),
  SLICE: (now, { cycle, core, a }) => now.instant(cycle, KERNEL, `end of the slice of task ${a}`, { core }),
  MISS: miss,
  OPERAND: (now, { cycle, core, c }) => now.instant(cycle, KERNEL, "operand", { value: c, core }),
  VALUE: (now, { cycle, core, a, c }) =>
    now.instant(cycle, KERNEL, `value for ${now.reader(a)}`, { value: c, core }),
  IRQ: irq,
  CLAIM: claim,
  TRAP: trap,
  MRET: (now, { cycle, core }) => now.end(cycle, `core ${core} / trap`),
  IRQ_OFF: (now, { cycle, core, b, c }) =>
    now.whole(cycle - b, cycle, `core ${core} / interrupts off`, "interrupts off", { cycles: b, pc: c }),
  IRQ_WIRE: (now, { cycle, a }) => now.instant(cycle, LINES, `line ${a}`),
  TRACEPOINT: (now, { cycle, core, a, b, c }) => {
    if (a < INTERFACE_TRACEPOINT)
      now.instant(cycle, `core ${core} / tracepoints`, `tracepoint ${a}`, { first: b, second: c });
  },
  MARKER: (now, { cycle, core, a, b }) => now.instant(cycle, `core ${core} / markers`, `marker ${a}`, { value: b }),
};
