// Turns the Markdown tree into DOM nodes.
import { cleanLine, cleanText } from "./clean";
import { copyButton } from "./copy";
import { h, type Child } from "./dom";
import { longText } from "./long_text";
import { parseMarkdown, type Block, type Inline } from "./markdown";

const longestMarkdown = 60_000;

/** Renders Markdown. Shows text that is too long to lay out as a document as plain text. */
export function markdown(text: string): HTMLElement {
  if (text.length > longestMarkdown || /[^\n]{20000}/.test(text)) return h("div", { className: "prose" }, longText(text, "plain"));
  return h("div", { className: "prose", dir: "auto" }, blocks(parseMarkdown(cleanText(text))));
}

function blocks(list: Block[]): Child[] {
  return list.map(block);
}

function block(node: Block): HTMLElement {
  switch (node.kind) {
    case "paragraph":
      return h("p", { dir: "auto" }, inlines(node.children));
    // Headings of a transcript are not headings of this page.
    case "heading":
      return h("p", { className: `heading h${node.level}`, dir: "auto" }, inlines(node.children));
    case "code":
      return codeBlock(node.text, node.language);
    case "quote":
      return h("blockquote", {}, blocks(node.children));
    case "rule":
      return h("hr");
    case "list":
      return h(node.ordered ? "ol" : "ul", node.ordered && node.from !== 1 ? { start: node.from } : {}, node.items.map((item) => {
        const inside = item.children.length === 1 && item.children[0]?.kind === "paragraph" ? inlines(item.children[0].children) : blocks(item.children);
        if (item.checked === null) return h("li", { dir: "auto" }, inside);
        return h("li", { className: "task", dir: "auto" }, h("span", { "aria-hidden": "true" }, item.checked ? "☑ " : "☐ "), h("span", { className: "hidden" }, item.checked ? "done: " : "to do: "), inside);
      }));
    case "table":
      return h("div", { className: "wide", tabindex: 0, role: "region", "aria-label": "Table" }, h("table", {},
        h("thead", {}, h("tr", {}, node.head.map((cell, at) => h("th", { scope: "col", className: node.align[at] }, inlines(cell))))),
        h("tbody", {}, node.rows.map((row) => h("tr", {}, row.map((cell, at) => h("td", { className: node.align[at] }, inlines(cell))))))));
  }
}

function inlines(list: Inline[]): Child[] {
  return list.map((node): Child => {
    switch (node.kind) {
      case "text":
        return node.text;
      case "code":
        return h("code", {}, node.text);
      case "break":
        return h("br");
      case "strong":
        return h("strong", {}, inlines(node.children));
      case "em":
        return h("em", {}, inlines(node.children));
      case "strike":
        return h("s", {}, inlines(node.children));
      case "link":
        return h("a", { href: node.href, rel: "noopener noreferrer", target: "_blank", title: node.href }, inlines(node.children));
      // Never fetched, because fetching would tell the owner of the picture that somebody reads this.
      case "image": {
        const words = `[image: ${cleanLine(node.alt) || "no description"}]`;
        return node.href ? h("a", { href: node.href, rel: "noopener noreferrer", target: "_blank", title: node.href }, words) : words;
      }
    }
  });
}

export function codeBlock(text: string, language = ""): HTMLElement {
  const name = cleanLine(language).slice(0, 30);
  return h("div", { className: "code" }, h("div", { className: "code-bar" }, h("span", {}, name || "text"), copyButton(() => text, "Copy code")), longText(text, "code"));
}
