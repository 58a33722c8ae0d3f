// Makes DOM nodes, never HTML strings, so that text stays text.

export type Child = Node | string | number | null | undefined | false | Child[];
type Value = string | number | boolean | null | undefined | EventListener;
export type Props = Record<string, Value>;

function put(parent: Node, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) put(parent, child);
    else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

function set(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name === "className" ? "class" : name, value === true ? "" : String(value));
  }
}

/** Makes an element with attributes. Functions such as `onclick` become listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, props);
  put(element, children);
  return element;
}

export function svg(tag: string, props: Props = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, props);
  put(element, children);
  return element;
}

export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  put(parent, children);
}

/** Makes a button. Pass `aria-label` in `props` if the text alone is unclear. */
export function button(text: Child, onclick: (event: Event) => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", className: "button", ...props, onclick }, text);
}

// The icons of the page, as 16 by 16 outlines.
const outlines: Record<string, string> = {
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 13.5 13.5",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  check: "M3 8.5 6.5 12 13 4.5",
  star: "M8 2.2 9.8 6l4.2.5-3.1 2.8.9 4.1L8 11.3l-3.8 2.1.9-4.1L2 6.5 6.2 6z",
  link: "M6.5 9.5 9.5 6.5M7 4.5 8.5 3a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.5L4.5 7",
  chevron: "M6 3.5 10.5 8 6 12.5",
  back: "M10 3.5 5.5 8 10 12.5",
  up: "M3.5 10 8 5.5 12.5 10",
  down: "M3.5 6 8 10.5 12.5 6",
  close: "M4 4l8 8M12 4l-8 8",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1",
  terminal: "M2.5 3.5h11v9h-11zM5 6.5 7 8 5 9.5M8.5 10h2.5",
  branch: "M4.5 5.5v5M4.5 5.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM4.5 13.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM11.5 6.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM11.5 6.5c0 2.5-3 2.5-7 4",
  list: "M2.5 4h11M2.5 8h11M2.5 12h7",
  warning: "M8 2.5 14.5 13.5h-13zM8 6.5v3M8 11.5v.2",
};

export function icon(name: keyof typeof outlines): SVGElement {
  return svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" }, svg("path", { d: outlines[name] ?? "" }));
}
