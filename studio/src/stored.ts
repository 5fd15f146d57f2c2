// SPDX-License-Identifier: Apache-2.0
// Sets of the results store: both runs are kept as one, and every run is opened in the timeline or exported.
import type { StoredRequest, StoredSet } from "./api";
import { button, byId, labelled, make } from "./dom";
import { counted, grouped } from "./numbers";
import type { Server } from "./server";

/** `open`: show these runs; `again`: simulate them, even if their traces were kept. */
export interface Host {
  open(runs: StoredRequest[], again: boolean): void;
}

const KINDS = ["json", "csv"] as const;
const HEADS = ["set", "name or command", "runs"];

export class Stored {
  private readonly box = byId("stored", HTMLDetailsElement);
  private readonly name = make("input", { type: "text", id: "set-name", placeholder: "before the change" });
  private readonly said = make("output", { id: "stored-said", class: "soft" });
  private readonly lines = make("tbody");

  constructor(
    private readonly server: Server,
    private readonly host: Host,
  ) {
    const keep = button("Save both runs", "Keep both runs, with their traces, as one set of the results store", () =>
      this.tell(this.keep()),
    );
    keep.id = "set-keep";
    const heads = HEADS.map((text) => make("th", { scope: "col", class: "text" }, text));
    const head = make("thead", {}, make("tr", {}, ...heads, make("td")));
    const table = make("table", { class: "stack", id: "sets" }, head, this.lines);
    byId("stored-form", HTMLElement).append(
      make("div", { class: "bar" }, labelled("Name of the set", this.name), keep, this.said),
      make("div", { class: "scroll" }, table),
    );
    this.box.addEventListener("toggle", () => this.box.open && this.tell(this.list()));
  }

  private async keep(): Promise<void> {
    const { number, command } = await this.server.ask<{ number: number; command: string }>("keep", {
      name: this.name.value.trim(),
    });
    await this.list();
    this.said.textContent = `kept as set ${number}; its figures: ${command}`;
  }

  private async list(): Promise<void> {
    const sets = await this.server.ask<StoredSet[]>("sets");
    this.lines.replaceChildren(...sets.map((set) => this.line(set)));
    if (sets.length === 0) this.said.textContent = "The results store holds no set yet.";
  }

  private line(set: StoredSet): HTMLElement {
    const { number, began, name, command, runs, units } = set;
    const words = make("span", { title: command }, name || command);
    const when = make("small", { class: "soft" }, ` ${began.slice(0, 16).replace("T", " ")} UTC`);
    const shown = runs.slice(0, 4).map(({ kernel, rows, commit }) => {
      const row = rows.find(({ label }) => label.startsWith("latency")) ?? rows[0];
      const most = row ? (row.unit === "cycles" ? counted(row.max) : `${grouped(row.max)} ${row.unit}`) : "no figures";
      return make("div", { title: `commit ${commit}` }, `${kernel}: ${row?.label ?? ""} ${most}`);
    });
    const left = units - shown.length;
    const rest = left > 0 ? [make("div", {}, shown.length > 0 ? `… and ${left} others` : `${left} units`)] : [];
    const cell = (label: string, ...content: (Node | string)[]): HTMLElement =>
      make("td", { class: "text", "data-is": label }, ...content);
    const row = make(
      "tr",
      { "data-set": String(number) },
      make("th", { scope: "row" }, String(number)),
      cell(HEADS[1] ?? "", words, when),
      cell(HEADS[2] ?? "", ...shown, ...rest),
      make("td", { class: "text" }, make("div", { class: "bar buttons" }, ...this.buttons(set))),
    );
    return row;
  }

  private buttons({ number, runs, report }: StoredSet): HTMLElement[] {
    const act = (text: string, label: string, done: () => Promise<void>): HTMLButtonElement => {
      const element = button(text, label, () => this.tell(done()));
      element.dataset["act"] = text.toLowerCase().replace(" ", "-");
      return element;
    };
    const found: HTMLElement[] = [];
    if (runs.some(({ how }) => how === "trace")) {
      found.push(act("Open", `Show the kept traces of set ${number}`, () => this.open(number, false)));
    }
    if (runs.length > 0 && runs.every(({ how }) => how !== "")) {
      const label = `Run set ${number} again, and compare its events with those that were stored`;
      found.push(act("Run again", label, () => this.open(number, true)));
    }
    const exported = KINDS.map((kind) =>
      act(kind.toUpperCase(), `Download the figures of set ${number}; the same: ${report}`, () =>
        this.save(number, kind),
      ),
    );
    return [...found, ...exported];
  }

  private async open(number: number, again: boolean): Promise<void> {
    const runs = await this.server.ask<StoredRequest[]>("open", { set: number });
    this.host.open(runs, again);
  }

  /** Hand a file over to the browser. */
  private async save(number: number, kind: (typeof KINDS)[number]): Promise<void> {
    const address = URL.createObjectURL(await (await this.server.fetch(`set/${number}/${kind}`)).blob());
    make("a", { href: address, download: `set-${number}.${kind}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  private tell(done: Promise<void>): void {
    this.said.textContent = "";
    this.said.className = "soft";
    done.catch((error: Error) => {
      this.said.textContent = error.message;
      this.said.className = "bad";
    });
  }
}
