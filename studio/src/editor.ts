// SPDX-License-Identifier: Apache-2.0
// Editor of a source: CodeMirror, in a shadow tree, whose styles need no exception from the policy of the page.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword], color: "var(--s1)" },
  { tag: [tags.comment], color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.string, tags.character], color: "var(--s2)" },
  { tag: [tags.number, tags.bool], color: "var(--s0)" },
  { tag: [tags.typeName, tags.processingInstruction], color: "var(--s3)" },
]);

const THEME = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--card)", fontSize: "13px", maxHeight: "30rem" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--soft)", borderRight: "1px solid var(--rule)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--text) 6%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--s1) 28%, transparent)",
  },
  ".cm-panels": { backgroundColor: "var(--page)", color: "var(--text)" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--text)", borderColor: "var(--shade)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  "&.cm-focused": { outline: "2px solid var(--s1)" },
});

export interface Host {
  changed(): void;
  save(): void;
  build(): void;
}

export class Editor {
  private readonly view: EditorView;

  constructor(
    box: HTMLElement,
    private readonly host: Host,
  ) {
    const root = box.attachShadow({ mode: "open" });
    this.view = new EditorView({ root, parent: root });
  }

  /** The state of a source that was not opened before; the editor keeps its history of changes there. */
  state(path: string, text: string): EditorState {
    const ends = text.includes("\r\n") ? [EditorState.lineSeparator.of("\r\n")] : [];
    return EditorState.create({ doc: text, extensions: [...this.extensions(path), ...ends] });
  }

  get current(): EditorState {
    return this.view.state;
  }

  show(state: EditorState): void {
    this.view.setState(state);
  }

  /** Another text in place of all; undoing brings back what was there. */
  replace(text: string): void {
    const changes = { from: 0, to: this.view.state.doc.length, insert: this.view.state.toText(text) };
    this.view.dispatch({ changes });
  }

  /** Mark a line with an error, and show it. */
  mark(line: number, message: string): void {
    const { doc } = this.view.state;
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const found: Diagnostic = { from, to, severity: "error", message };
    this.view.dispatch(setDiagnostics(this.view.state, [found]));
    this.view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  }

  clear(): void {
    this.view.dispatch(setDiagnostics(this.view.state, []));
  }

  private extensions(path: string): Extension[] {
    const pressed = (act: () => void) => (): boolean => {
      act();
      return true;
    };
    const own = [
      { key: "Mod-s", run: pressed(() => this.host.save()) },
      { key: "Mod-Enter", run: pressed(() => this.host.build()) },
    ];
    return [
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      indentUnit.of("    "),
      bracketMatching(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      syntaxHighlighting(COLOURS),
      THEME,
      keymap.of([...own, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap]),
      EditorView.contentAttributes.of({ "aria-label": `Source of ${path}` }),
      EditorView.updateListener.of((update) => update.docChanged && this.host.changed()),
      ...(/\.(c|h|cpp|hpp)$/.test(path) ? [cpp()] : []),
    ];
  }
}
