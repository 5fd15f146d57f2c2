// SPDX-License-Identifier: Apache-2.0
// Sources of the visitor's folder: list, editor, saving, and errors of a build at their line.
import type { EditorState } from "@codemirror/state";
import type { Failure, Source } from "./api";
import { button, byId, labelled, make, select } from "./dom";
import { Editor } from "./editor";
import type { Server } from "./server";

interface Open {
  state: EditorState;
  saved: string; // text of the file
  version: string;
}

export class Sources {
  private readonly editor: Editor;
  private readonly open = new Map<string, Open>();
  private readonly said = make("output", { id: "file-state", class: "soft" });
  private readonly saving = button("Save", "Save the changed files (Ctrl+S)", () => void this.tell(this.save()));
  private files: HTMLSelectElement | null = null;
  private path = "";

  /** `build`: the visitor wants the folder's program to run. */
  constructor(
    private readonly server: Server,
    private readonly build: () => void,
  ) {
    this.editor = new Editor(byId("editor", HTMLElement), {
      changed: () => this.mark(),
      save: () => void this.tell(this.save()),
      build: () => void this.tell(this.run()),
    });
    this.saving.id = "save";
    window.addEventListener("beforeunload", (event) => {
      if (this.changed().length > 0) event.preventDefault();
    });
  }

  async begin(): Promise<void> {
    const found = await this.server.ask<{ path: string }[]>("files");
    const named = (pattern: RegExp) => found.find(({ path }) => pattern.test(path));
    const first = named(/(^|\/)main\.(c|cpp)$/) ?? named(/\.(c|cpp)$/) ?? found[0];
    const options = found.map(({ path }) => [path, path] as const);
    this.files = select(options, first?.path ?? "", (path) => void this.tell(this.look(path)));
    this.files.id = "files";
    const run = button("Save, build and run", "Save, build and run (Ctrl+Enter)", () => void this.tell(this.run()));
    run.id = "build";
    run.className = "main";
    const again = button("Open again", "Take the file as it is on the disk; undoing brings back your changes", () =>
      void this.tell(this.reopen()),
    );
    again.id = "reopen";
    const buttons = make("div", { class: "bar buttons" }, run, this.saving, again);
    byId("file-bar", HTMLElement).append(labelled("File", this.files), buttons, this.said);
    if (first) await this.look(first.path);
    else this.said.textContent = "The folder holds no sources.";
  }

  /** Show an error at its line, if it is in a source of the folder. */
  async show({ file, line, message }: Failure): Promise<void> {
    const known = [...(this.files?.options ?? [])].some(({ value }) => value === file);
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
    this.build();
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
    if (this.files) this.files.value = path;
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
      if (this.files) this.files.value = this.path;
      this.said.textContent = error.message;
      this.said.className = "bad";
    });
  }
}
