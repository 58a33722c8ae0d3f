import assert from "node:assert/strict";
import test from "node:test";
import { parseMarkdown } from "../src/markdown";
import { inlines, safeHref } from "../src/inline";

const text = (nodes) => nodes.map((node) => node.text ?? (node.children ? text(node.children) : node.alt ?? "")).join("");

test("blocks are told apart", () => {
  const kinds = parseMarkdown("# Title\n\nwords\n\n- a\n- b\n\n1. x\n\n> said\n\n```js\nlet a;\n```\n\n---\n\n| a | b |\n|---|--:|\n| 1 | 2 |").map((block) => block.kind);
  assert.deepEqual(kinds, ["heading", "paragraph", "list", "list", "quote", "code", "rule", "table"]);
});

test("lists nest, and tasks are known", () => {
  const [list] = parseMarkdown("- [x] done\n- open\n  - inside\n  - too\n");
  assert.equal(list.items.length, 2);
  assert.equal(list.items[0].checked, true);
  assert.equal(list.items[1].checked, null);
  assert.equal(list.items[1].children[1].items.length, 2);
});

test("an ordered list keeps its first number", () => {
  const [list] = parseMarkdown("3. three\n4. four");
  assert.deepEqual([list.ordered, list.from, list.items.length], [true, 3, 2]);
});

test("code is verbatim, and a fence that never ends goes to the end", () => {
  assert.deepEqual(parseMarkdown("~~~\n<b>*x*</b>\n~~~"), [{ kind: "code", language: "", text: "<b>*x*</b>" }]);
  assert.equal(parseMarkdown("```\na\nb")[0].text, "a\nb");
  assert.equal(parseMarkdown("````\n```\n````")[0].text, "```");
});

test("emphasis, code and strike", () => {
  const kinds = inlines("a **b** *c* `d` ~~e~~ ***f***").map((node) => node.kind);
  assert.deepEqual(kinds, ["text", "strong", "text", "em", "text", "code", "text", "strike", "text", "strong"]);
});

test("names with underscores and lonely marks are text", () => {
  assert.deepEqual(inlines("snake_case_name 2 * 3 * 4 **open"), [{ kind: "text", text: "snake_case_name 2 * 3 * 4 **open" }]);
});

test("HTML is text", () => {
  const hostile = "<script>alert(1)</script><img src=x onerror=y>";
  assert.equal(text(inlines(hostile)), hostile);
  assert.equal(parseMarkdown(hostile)[0].kind, "paragraph");
});

test("links lead to http, https and mailto only", () => {
  for (const bad of ["javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "//evil.example", "/login", "java\u0000script:x", "blob:x", "https://a\u202eb"]) {
    assert.equal(safeHref(bad), null, bad);
    assert.ok(inlines(`[x](${bad})`).every((node) => node.kind === "text"), bad);
  }
  assert.equal(inlines("[x](https://example.org/a)")[0].href, "https://example.org/a");
  assert.equal(inlines("<mailto:a@example.org>")[0].href, "mailto:a@example.org");
  assert.equal(inlines("see https://example.org/a, please")[1].href, "https://example.org/a");
});

test("pictures are named, and their address is only kept where a link may lead", () => {
  assert.deepEqual(inlines("![cat](https://example.org/cat.png)"), [{ kind: "image", href: "https://example.org/cat.png", alt: "cat" }]);
  assert.deepEqual(inlines("![cat](javascript:x)"), [{ kind: "image", href: "", alt: "cat" }]);
});

test("a table keeps to its columns", () => {
  const [table] = parseMarkdown("| a | b |\n|:-:|--:|\n| 1 | 2 | 3 |\n| x \\| y | z |");
  assert.deepEqual(table.align, ["center", "right"]);
  assert.equal(table.rows[0].length, 2);
  assert.equal(text(table.rows[1][0]), "x | y");
});

// A parser that is not linear takes minutes here. One with unbounded recursion overflows the stack.
test("what is made to be slow or deep is not", () => {
  for (const hostile of ["*".repeat(50_000), "[".repeat(50_000), "`".repeat(50_000) + "a", "*a ".repeat(20_000), "> ".repeat(20_000) + "x", "- ".repeat(20_000) + "x", "_a_".repeat(20_000), "![](".repeat(20_000), "<".repeat(50_000), "a\n".repeat(50_000), "|".repeat(20_000) + "\n" + "|-".repeat(20_000)]) parseMarkdown(hostile);
});
