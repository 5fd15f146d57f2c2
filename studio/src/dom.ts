// SPDX-License-Identifier: Apache-2.0
// Elements of the page: found by id, and made with their content.

type Content = Node | string;

/** The element of index.html with this id. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`index.html has no ${type.name} ${id}`);
  return found;
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...content: Content[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
}

export function button(text: string, label: string, pressed: () => void): HTMLButtonElement {
  const element = make("button", { type: "button", "aria-label": label, title: label }, text);
  element.addEventListener("click", pressed);
  return element;
}

/** A select with the values and their texts; `chosen` is called with a value. */
export function select(
  options: readonly (readonly [value: string, text: string])[],
  value: string,
  chosen: (value: string) => void,
): HTMLSelectElement {
  const element = make("select", {}, ...options.map(([each, text]) => make("option", { value: each }, text)));
  element.value = value;
  element.addEventListener("change", () => chosen(element.value));
  return element;
}

/** A control with its name above it. */
export function labelled(name: string, control: HTMLElement, ...more: Content[]): HTMLLabelElement {
  return make("label", { class: "field" }, make("span", {}, name), control, ...more);
}

/** Draw on a canvas in CSS pixels: its memory has as many pixels as the screen. */
export function prepare(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const ratio = window.devicePixelRatio || 1;
  const [columns, lines] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== lines) canvas.height = lines;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser draws no canvas");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
