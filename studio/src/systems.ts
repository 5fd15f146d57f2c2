// SPDX-License-Identifier: Apache-2.0
// Form of a system: kernel, words, place, memory and sizes compose a name, which the server checks and prices.
import type { Choices, Parts, Price, ServedSystem, Size } from "./api";
import { button, byId, labelled, make, select } from "./dom";
import { grouped } from "./numbers";
import type { Server } from "./server";
import type { Side } from "./state";

export interface Host {
  system(side: Side): ServedSystem;
  use(side: Side, system: ServedSystem): void;
}

const NONE = "usual";

export class Systems {
  private readonly name = make("input", { type: "text", id: "system-name", spellcheck: "false", autocomplete: "off" });
  private readonly kernel: HTMLSelectElement;
  private readonly words: { axis: string; control: HTMLSelectElement }[];
  private readonly place: HTMLSelectElement;
  private readonly memory: HTMLSelectElement;
  private readonly sizes = new Map<string, HTMLInputElement>();
  private readonly using = button("Use it", "Run with this system", () => this.use());
  private readonly message = make("output", { id: "system-message" });
  private readonly price = make("p", { id: "system-price" });
  private readonly command = make("code", { class: "command" });
  private readonly yaml = make("pre", { class: "console" });
  private side: Side = "b";
  private chosen: Record<string, number> = {}; // sizes that the visitor or the name says
  private found: ServedSystem | null = null; // what the form shows; null: it is no system
  private asked = 0;

  constructor(
    private readonly server: Server,
    private readonly choices: Choices,
    private readonly host: Host,
  ) {
    const changed = (): void => void this.compose();
    this.kernel = select(choices.kernels.map(({ name, text }) => [name, `${name}: ${text}`]), "", changed);
    this.kernel.id = "system-kernel";
    this.words = choices.axes.map(({ name, words }) => {
      const control = optional(words, changed);
      control.id = `axis-${name.replaceAll(" ", "-")}`;
      return { axis: name, control };
    });
    this.place = optional(choices.places, changed);
    this.place.id = "system-place";
    this.memory = optional(choices.memories, changed);
    this.memory.id = "system-memory";
    this.name.addEventListener("change", () => void this.read());
    this.using.id = "system-use";
    this.using.className = "main";
    this.build();
  }

  /** Show the system of a side. */
  show(side = this.side): void {
    this.side = side;
    this.fill(this.host.system(side));
  }

  get current(): ServedSystem | null {
    return this.found;
  }

  private build(): void {
    const sides = [["a", "above"], ["b", "below"]] as const;
    const side = select(sides, this.side, (value) => this.show(value === "a" ? "a" : "b"));
    side.id = "system-side";
    const numbers = this.choices.sizes.map((size) => this.size(size));
    byId("system-form", HTMLElement).append(
      make(
        "div",
        { class: "bar" },
        labelled("System of the kernel", side),
        labelled("Name of the system", this.name),
        make("div", { class: "bar buttons" }, this.using),
        this.message,
      ),
      this.price,
      make(
        "div",
        { class: "bar" },
        labelled("Kernel", this.kernel),
        ...this.words.map(({ axis, control }) => labelled(axis, control)),
        labelled("place of the unit", this.place),
        labelled("memory", this.memory),
      ),
      make("div", { class: "bar sizes" }, ...numbers),
      make("p", { class: "soft" }, "The same as a file, for a folder of yours:"),
      this.command,
      make("details", {}, make("summary", {}, "The file"), this.yaml),
    );
  }

  private size({ name, label, title, minimum, maximum }: Size): HTMLElement {
    const bounds = { min: String(minimum), max: String(maximum), step: "1" };
    const input = make("input", { type: "number", id: `size-${name}`, inputmode: "numeric", title, ...bounds });
    input.addEventListener("change", () => {
      const value = Math.round(Number(input.value));
      if (input.value === "") delete this.chosen[name];
      else this.chosen[name] = value;
      void this.compose();
    });
    this.sizes.set(name, input);
    const range = make("small", {}, `${grouped(minimum)} – ${grouped(maximum)}`);
    return labelled(label, input, range);
  }

  private compose(): Promise<void> {
    return this.ask({
      kernel: this.kernel.value,
      words: this.words.map(({ control }) => control.value).filter(Boolean),
      place: this.place.value,
      memory: this.memory.value,
      sizes: this.chosen,
    });
  }

  private read(): Promise<void> {
    return this.ask({ name: this.name.value.trim() });
  }

  /** Ask for a system; only the newest answer counts. */
  private async ask(wanted: Record<string, unknown>): Promise<void> {
    const asked = ++this.asked;
    const beside = this.host.system(this.side === "a" ? "b" : "a").name;
    try {
      const found = await this.server.ask<ServedSystem>("system", { ...wanted, beside });
      if (asked === this.asked) this.fill(found);
    } catch (error) {
      if (asked !== this.asked) return;
      this.found = null;
      this.using.disabled = true;
      this.message.textContent = error instanceof Error ? error.message : String(error);
      this.message.className = "bad";
      this.price.replaceChildren();
      if ("kernel" in wanted) this.name.value = ""; // the name of another system would stand beside the sentence
      this.command.textContent = "";
      this.yaml.textContent = "";
    }
  }

  private fill(system: ServedSystem): void {
    this.found = system;
    this.name.value = system.name;
    this.message.textContent = system.core;
    this.message.className = "soft";
    this.using.disabled = false;
    this.price.replaceChildren(...priced(system.price));
    this.command.textContent = system.command;
    this.yaml.textContent = system.yaml;
    this.chosen = { ...system.parts?.sizes };
    for (const [name, input] of this.sizes) input.value = String(system.sizes[name] ?? "");
    if (system.parts) this.fillParts(system.parts);
    for (const control of this.controls) control.disabled = system.parts === null; // a file is edited as a file
    const unit = this.choices.kernels.find(({ name }) => name === system.parts?.kernel);
    if (!unit?.bus && !this.place.value) this.place.disabled = true;
  }

  private fillParts({ kernel, words, place, memory }: Parts): void {
    this.kernel.value = kernel;
    for (const { control } of this.words) control.value = words.find((word) => has(control, word)) ?? "";
    offer(this.place, place);
    offer(this.memory, memory);
  }

  private get controls(): (HTMLSelectElement | HTMLInputElement)[] {
    const words = this.words.map(({ control }) => control);
    return [this.kernel, ...words, this.place, this.memory, ...this.sizes.values()];
  }

  private use(): void {
    if (this.found) this.host.use(this.side, this.found);
  }
}

function optional(words: readonly string[], changed: () => void): HTMLSelectElement {
  return select([["", NONE], ...words.map((word) => [word, word] as const)], "", changed);
}

function has(control: HTMLSelectElement, word: string): boolean {
  return [...control.options].some(({ value }) => value === word);
}

/** Choose a word; one that only a name says becomes another choice. */
function offer(control: HTMLSelectElement, word: string): void {
  if (!has(control, word)) control.append(make("option", { value: word }, word));
  control.value = word;
}

function priced({ cells, block_rams, how, reason }: Price): (HTMLElement | string)[] {
  if (cells === null || block_rams === null) {
    return [make("b", {}, "Price unknown"), make("span", { class: "soft" }, ` – ${reason}`)];
  }
  const about = how === "measured" ? "" : "≈ ";
  const text = `${about}${grouped(cells)} cells and ${grouped(block_rams)} block RAMs`;
  return [make("b", {}, text), make("span", { class: "soft" }, ` beside the cores – ${how}: ${reason}`)];
}
