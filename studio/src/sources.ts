// SPDX-License-Identifier: Apache-2.0
// Sources of the visitor's folder: list, editor, saving, and errors of a build at their line.
import type { EditorState } from "@codemirror/state";
import type { Begun, Failure, Source } from "./api";
import { button, byId, labelled, make, select } from "./dom";
import { Editor } from "./editor";
import type { Server } from "./server";

interface Open {
  state: EditorState;
  saved: string; // text of the file
  version: string;
}

/** `build`: the visitor wants the folder's program to run; `begun`: it was written just now. */
export interface Host {
  build(): void;
  begun(program: Begun): void;
}

export class Sources {
  private readonly editor: Editor;
  private readonly open = new Map<string, Open>();
  private readonly said = make("output", { id: "file-state", class: "soft" });
  private readonly saving = button("Save", "Save the changed files (Ctrl+S)", () => void this.tell(this.save()));
  private readonly files = select([], "", (path) => void this.tell(this.look(path)));
  private readonly name = make("input", { type: "text", id: "new-name", placeholder: "work.c", spellcheck: "false" });
  private readonly beginning = make("p", { id: "beginning", hidden: "" });
  private path = "";

  constructor(
    private readonly server: Server,
    private readonly host: Host,
  ) {
    this.editor = new Editor(byId("editor", HTMLElement), {
      changed: () => this.mark(),
      save: () => void this.tell(this.save()),
      build: () => void this.tell(this.run()),
    });
    this.saving.id = "save";
    this.files.id = "files";
    window.addEventListener("beforeunload", (event) => {
      if (this.changed().length > 0) event.preventDefault();
    });
    window.addEventListener("focus", () => void this.tell(this.list()));
  }

  async begin(): Promise<void> {
    const run = button("Save, build and run", "Save, build and run (Ctrl+Enter)", () => void this.tell(this.run()));
    run.id = "build";
    run.className = "main";
    const again = button("Open again", "Take the file as it is on the disk; undoing brings back your changes", () =>
      void this.tell(this.reopen()),
    );
    again.id = "reopen";
    const buttons = make("div", { class: "bar buttons" }, run, this.saving, again);
    const adding = button("Add", "Make an empty file of this name in the folder", () => void this.tell(this.add()));
    adding.id = "new";
    const named = make("div", { class: "bar buttons" }, labelled("New file", this.name), adding);
    byId("file-bar", HTMLElement).append(labelled("File", this.files), buttons, named, this.said);
    const start = button(
      "Begin with two tasks and an interrupt",
      "Write main.c and FreeRTOSConfig.h into the folder, and run them",
      () => void this.tell(this.write()),
    );
    start.id = "begin";
    this.beginning.append("This folder holds no program yet. ", start);
    byId("file-bar", HTMLElement).after(this.beginning);
    await this.list();
  }

  /** Files of the folder as it is now; the first one is opened when none is. */
  private async list(): Promise<void> {
    const found = await this.server.ask<{ path: string }[]>("files");
    const paths = found.map(({ path }) => path);
    const all = [...new Set([...paths, ...this.open.keys()])].sort();
    this.files.replaceChildren(...all.map((path) => make("option", { value: path }, path)));
    this.files.value = this.path;
    const empty = all.length === 0;
    this.beginning.hidden = !empty;
    byId("editor", HTMLElement).hidden = empty;
    if (empty) this.said.textContent = "";
    const named = (pattern: RegExp) => paths.find((path) => pattern.test(path));
    const first = named(/(^|\/)main\.(c|cpp)$/) ?? named(/\.(c|cpp)$/) ?? paths[0];
    if (!this.path && first) await this.look(first);
  }

  private async add(): Promise<void> {
    const path = this.name.value.trim();
    await this.server.ask("new", { path });
    this.name.value = "";
    await this.list();
    await this.look(path);
  }

  private async write(): Promise<void> {
    const begun = await this.server.ask<Begun>("begin", {});
    await this.list();
    this.host.begun(begun);
  }

  /** Show an error at its line, if it is in a source of the folder. */
  async show({ file, line, message }: Failure): Promise<void> {
    const known = [...this.files.options].some(({ value }) => value === file);
    if (!file || !line || !known) return;
    await this.look(file);
    this.editor.mark(line, message.replace(/^\S+: /, ""));
    this.said.textContent = `error in line ${line}`;
    this.said.className = "bad";
    this.said.dataset["line"] = String(line);
  }

  /** A new build: what was marked may be right now. */
  forget(): void {
    if (!this.path) return;
    this.editor.clear();
    this.mark();
  }

  async save(): Promise<void> {
    for (const [path, open] of this.changed()) {
      const text = open.state.sliceDoc();
      const { version } = await this.server.ask<{ version: string }>("file", { path, text, version: open.version });
      Object.assign(open, { saved: text, version });
    }
    this.mark();
  }

  private async run(): Promise<void> {
    await this.save();
    this.host.build();
  }

  private async look(path: string): Promise<void> {
    if (path === this.path) return;
    this.hold();
    let open = this.open.get(path);
    if (!open) {
      const { text, version } = await this.server.ask<Source>(`file?path=${encodeURIComponent(path)}`);
      const state = this.editor.state(path, text);
      open = { state, saved: state.sliceDoc(), version };
      this.open.set(path, open);
    }
    this.path = path;
    this.files.value = path;
    this.editor.show(open.state);
    this.mark();
  }

  /** The file may have been changed by another program. */
  private async reopen(): Promise<void> {
    const open = this.open.get(this.path);
    if (!open) return;
    const { text, version } = await this.server.ask<Source>(`file?path=${encodeURIComponent(this.path)}`);
    this.editor.replace(text);
    this.hold();
    Object.assign(open, { saved: open.state.sliceDoc(), version });
    this.mark();
    await this.list();
  }

  /** Keep what the editor shows. */
  private hold(): void {
    const open = this.open.get(this.path);
    if (open) open.state = this.editor.current;
  }

  private changed(): [string, Open][] {
    this.hold();
    return [...this.open].filter(([, { state, saved }]) => state.sliceDoc() !== saved);
  }

  private mark(): void {
    const names = this.changed().map(([path]) => path);
    this.said.textContent = names.length > 0 ? `not saved: ${names.join(", ")}` : "saved";
    this.said.className = "soft";
    delete this.said.dataset["line"];
    this.saving.disabled = names.length === 0;
  }

  private async tell(done: Promise<void>): Promise<void> {
    await done.catch((error: Error) => {
      this.files.value = this.path;
      this.said.textContent = error.message;
      this.said.className = "bad";
    });
  }
}
