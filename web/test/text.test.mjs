import assert from "node:assert/strict";
import test from "node:test";
import { branchesOf, shared } from "../src/branch_paths";
import { cleanLine, cleanText, cut, title } from "../src/clean";
import { agentName, ago, money, projectName, sessionName, sessionTitle, shellWord, short, statusOf } from "../src/format";
import { figuresOf } from "../src/message_kind";
import { splitWords } from "../src/prompts";
import { pieces } from "../src/snippet";
import { editOf, outputText, toolLine } from "../src/tool_words";

test("nothing reorders, hides or repaints text", () => {
  assert.equal(cleanLine("a\u202egnp.exe\u2066b"), "a\ufffdgnp.exe\ufffdb");
  assert.equal(cleanText("\u001b[31mred\u001b[0m \u001b]0;title\u0007x\u0000\u0085"), "red x\u2400\ufffd");
  assert.equal(cleanText("a\tb\r\nc"), "a\tb\nc");
  assert.equal(cleanLine(" a\n b "), "a b");
});

test("a cut is never inside a character", () => {
  assert.equal(cut("ab😀cd", 3), "ab…");
  assert.equal(cut("ab", 3), "ab");
  assert.equal(title("x".repeat(10_000_000)).length, 201);
});

test("figures for people", () => {
  assert.deepEqual([0, 999, 1000, 12_345, 999_999, 1_234_567, 2.5e9].map(short), ["0", "999", "1.0k", "12k", "1.0M", "1.2M", "2.5B"]);
  assert.deepEqual([null, 0.001, 1.5, 1234.5].map((value) => money(value)), ["", "<$0.01", "$1.50", "$1,234.50"]);
  assert.equal(ago("2026-11-15T00:00:00Z", Date.parse("2026-11-15T00:05:00Z")), "5 min ago");
  assert.equal(projectName("/home/dev/alpha"), "alpha");
  assert.equal(agentName("claude-code"), "Claude Code");
});

test("titles and states have an order", () => {
  assert.equal(sessionTitle({ id: "12345678-9", title: null, first_prompt: "do\nit" }), "do it");
  assert.equal(sessionTitle({ id: "12345678-9", title: "", first_prompt: "" }), "Session 12345678");
  assert.equal(sessionName({ layout: "codex", id: "12345678-9" }), "codex/12345678-9");
  assert.equal(statusOf({ status: "active", damage: 2 }), "damaged");
  assert.equal(statusOf({ status: "running", damage: 2 }), "running");
  assert.equal(statusOf({ status: "active", damage: 0, archived: true }), "archived");
});

test("an id becomes one word of a shell", () => {
  assert.equal(shellWord("ab-1"), "ab-1");
  assert.equal(shellWord("a'; rm -rf /"), "'a'\\''; rm -rf /'");
  assert.equal(shellWord(""), "''");
});

test("spans of hits are bytes", () => {
  assert.deepEqual(pieces("ü hit", [[3, 6]]), [{ text: "ü ", marked: false }, { text: "hit", marked: true }]);
  assert.deepEqual(pieces("abc", [[2, 9], [1, 0]]), [{ text: "abc", marked: false }]);
});

test("words and phrases", () => {
  assert.deepEqual(splitWords('a "b c" d" "open'), ["a", "b c", 'd"', "open"]);
  assert.deepEqual(splitWords(' " '), []);
});

test("a tool says what it does in a line", () => {
  assert.equal(toolLine({ command: "ls -l\n&& pwd", description: "x" }), "ls -l && pwd");
  assert.equal(toolLine({ file_path: "/a/b.txt", old_string: "a" }), "/a/b.txt");
  assert.equal(toolLine({ pattern: "TODO", path: "src" }), "TODO in src");
  assert.equal(toolLine({ todos: [{ status: "completed", content: "a" }, { status: "in_progress", content: "b" }] }), "1 of 2 done: b");
  assert.equal(toolLine("*** Begin Patch\n*** Add File: notes.txt\n+x\n*** End Patch"), "notes.txt");
  assert.equal(toolLine({}), "");
});

test("edits of every agent become lines", () => {
  const kinds = (name, input) => editOf(name, input)?.map((line) => line.kind).join(" ");
  assert.equal(kinds("Edit", { file_path: "a", old_string: "a\nb", new_string: "a\nc" }), "same removed added");
  assert.equal(kinds("edit", { filePath: "a", oldString: "x", newString: "y" }), "removed added");
  assert.equal(kinds("str_replace", { path: "a", old_str: "x", new_str: "y" }), "removed added");
  assert.equal(kinds("MultiEdit", { file_path: "a", edits: [{ old_string: "x", new_string: "y" }, { old_string: "1", new_string: "2" }] }), "removed added gap removed added");
  assert.equal(kinds("Write", { file_path: "a", content: "x\ny\n" }), "added added");
  assert.equal(kinds("create", { path: "a", file_text: "x" }), "added");
  assert.equal(kinds("Bash", { command: "ls" }), undefined);
  assert.equal(kinds("Edit", { file_path: "a", old_string: 1, new_string: {} }), undefined);
});

test("outputs of every shape are text", () => {
  assert.equal(outputText("x"), "x");
  assert.equal(outputText([{ type: "text", text: "a" }, { type: "text", text: "b" }]), "a\nb");
  assert.equal(outputText({ output: "x" }), "x");
  assert.equal(outputText(null), "");
  assert.equal(outputText({ a: 1, b: 2, c: 3 }), JSON.stringify({ a: 1, b: 2, c: 3 }, null, 2));
});

test("an answer shows its tokens once, where they can be seen", () => {
  let ordinal = 0;
  const record = (response, output, type, text = "") => ({ ordinal: ordinal++, role: "assistant", response, usage: { input: 1, output }, blocks: [{ type, text }] });
  const told = (messages) => [...figuresOf(messages)].map(([place, has]) => [messages.indexOf(place), has.usage.output]);
  assert.deepEqual(told([record("a", 1, "thinking", "hm"), record("a", 7, "text", "Yes."), record("a", 7, "tool_call")]), [[1, 7]]);
  assert.deepEqual(told([record("a", 5, "thinking"), record("a", 5, "tool_call")]), [[1, 5]]);
  assert.deepEqual(told([record("a", 5, "tool_call"), { role: "tool", blocks: [] }, record("a", 9, "tool_call"), record("b", 2, "text", "Done.")]), [[0, 9], [3, 2]]);
  assert.deepEqual(told([record(undefined, 3, "text", "x"), record(undefined, 4, "text", "y")]), [[0, 3], [1, 4]]);
});

test("branches end where nothing follows", () => {
  const message = (ordinal, id, parent) => ({ ordinal, id, parent, role: "user", blocks: [] });
  const found = branchesOf([message(0, "a", null), message(1, "b", "a"), message(2, "c", "a"), message(3, "d", "c")]);
  assert.deepEqual(found.map((branch) => branch.messages.map((one) => one.id).join("")), ["ab", "acd"]);
  assert.equal(shared(found[0], found[1]), 1);
  assert.deepEqual(branchesOf([message(0, "a", "b"), message(1, "b", "a")]), []);
});
