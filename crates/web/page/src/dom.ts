// Making elements. Styles go through properties, never through style attributes: the page's policy forbids those.

export type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

const SVG = "http://www.w3.org/2000/svg";

function fill(element: Element, props: Props, children: Child[]): void {
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on") && typeof value === "function") {
      element.addEventListener(key.slice(2), value as EventListener);
    } else if (key === "value" && "value" in element) {
      (element as HTMLInputElement).value = String(value);
    } else {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, props, children);
  return element;
}

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  fill(element, props, children);
  return element;
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...children.filter((child): child is Node | string => !!child));
}

/** Says something to a screen reader. */
export function say(text: string): void {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

/** Shows an error, or that something is done, for a while. */
export function toast(text: string, kind: "bad" | "good" = "bad"): void {
  const box = document.getElementById("toasts");
  if (!box) return;
  const note = h("div", { class: `toast ${kind}` }, text);
  box.append(note);
  setTimeout(() => note.remove(), 6000);
}

export const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Moves something, unless the person has asked for stillness. */
export function animate(element: Element, frames: Keyframe[], ms: number, easing = "ease-out"): void {
  if (!calm()) element.animate(frames, { duration: ms, easing });
}

export function number(value: number): string {
  return Math.abs(value) >= 10000 || Number.isInteger(value)
    ? Math.round(value).toLocaleString("en")
    : value.toLocaleString("en", { maximumSignificantDigits: 3 });
}

/** `3 states`, `1 state`. */
export function many(count: number, word: string): string {
  return `${number(count)} ${word}${count === 1 ? "" : "s"}`;
}

export function duration(ms: number): string {
  if (ms < 1) return "under 1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60000)} min ${Math.round((ms % 60000) / 1000)} s`;
}

export function when(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

let nextId = 0;
export const uid = (prefix: string): string => `${prefix}-${++nextId}`;
