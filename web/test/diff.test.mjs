import assert from "node:assert/strict";
import test from "node:test";
import { counts, diffLines, folded, patchLines } from "../src/diff";

const side = (lines, kind) => lines.filter((line) => line.kind === "same" || line.kind === kind).map((line) => line.text).join("\n");

test("both texts can be read from a diff", () => {
  let seed = 7;
  const random = (below) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
  for (let round = 0; round < 300; round++) {
    const make = () => Array.from({ length: random(12) + 1 }, () => "abcd"[random(4)]).join("\n");
    const [before, after] = [make(), make()];
    const lines = diffLines(before, after);
    assert.equal(side(lines, "removed"), before);
    assert.equal(side(lines, "added"), after);
  }
});

test("one changed line is one line removed and one added", () => {
  assert.deepEqual(counts(diffLines("a\nb\nc\n", "a\nx\nc\n")), { added: 1, removed: 1 });
  assert.deepEqual(diffLines("", "a\nb\n").map((line) => line.kind), ["added", "added"]);
});

test("texts that have nothing in common are not compared for ever", () => {
  const before = Array.from({ length: 5000 }, (_, at) => `a${at}`).join("\n");
  assert.deepEqual(counts(diffLines(before, before.replaceAll("a", "b"))), { added: 5000, removed: 5000 });
});

test("long unchanged runs are folded", () => {
  const before = Array.from({ length: 100 }, (_, at) => `line ${at}`);
  const after = [...before];
  after[50] = "changed";
  const lines = folded(diffLines(before.join("\n"), after.join("\n")));
  assert.equal(lines[0].kind, "gap");
  assert.equal(lines.length, 2 + 6 + 2);
});

test("patches of agents are read", () => {
  const lines = patchLines("*** Begin Patch\n*** Update File: a.txt\n@@\n-old\n+new\n same\n*** End Patch");
  assert.deepEqual(lines.map((line) => line.kind), ["gap", "gap", "removed", "added", "same"]);
});
