import assert from "node:assert/strict";
import test from "node:test";
import { formatRoute, parseRoute, start } from "../src/router";

test("an address without a query is the list", () => {
  assert.deepEqual(parseRoute(""), start);
  assert.equal(formatRoute(start), "/");
});

test("what is in the address comes back from it", () => {
  const route = { ...start, view: "search", session: "claude-code/ab c&=", message: 12, layout: "full", words: "a \"b c\" ü", agent: "codex", project: "/home/dev/ü", status: "running", since: "7d", at: "desk", machine: "all", remote: "our team", subagents: true, starred: true, tag: "x", find: "y" };
  assert.deepEqual(parseRoute(formatRoute(route)), route);
});

test("nonsense is left out", () => {
  assert.deepEqual(parseRoute("?view=admin&m=-1&layout=x&m=1e9&unknown=1"), start);
  assert.equal(parseRoute("?m=99999999999").message, null);
});
