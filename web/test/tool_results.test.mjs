import assert from "node:assert/strict";
import test from "node:test";
import { toolResults } from "../src/tool_results";

const call = (id, name) => ({ type: "tool_call", id, name });
const result = (id, text) => ({ type: "tool_result", id, text });
const asks = (...blocks) => ({ role: "assistant", blocks });
const gives = (...blocks) => ({ role: "user", origin: "tool", blocks });
const says = () => ({ role: "user", blocks: [{ type: "text", text: "go on" }] });

// What the page shows, call by call, then the results that stand alone.
function shown(messages) {
  const { of, shown: beside } = toolResults(messages);
  const blocks = messages.flatMap((message) => message.blocks);
  return [
    ...blocks.filter((block) => block.type === "tool_call").map((block) => `${block.name}: ${of.get(block)?.text ?? "none"}`),
    ...blocks.filter((block) => block.type === "tool_result" && !beside.has(block)).map((block) => block.text),
  ];
}

test("a result belongs to the earliest open call with its id", () => {
  for (const id of ["call_0", "", undefined]) {
    assert.deepEqual(shown([asks(call(id, "A"), call(id, "B")), gives(result(id, "a"), result(id, "b"))]), ["A: a", "B: b"]);
    assert.deepEqual(shown([asks(call(id, "A")), gives(result(id, "a")), asks(call(id, "B")), gives(result(id, "b"))]), ["A: a", "B: b"]);
  }
  assert.deepEqual(shown([asks(call("x", "A"), call("y", "B")), gives(result("y", "b"), result("x", "a"))]), ["A: a", "B: b"]);
});

test("a result without an open call stands alone", () => {
  assert.deepEqual(shown([gives(result("x", "early")), asks(call("x", "A")), gives(result("x", "a"), result("x", "again"))]), ["A: a", "early", "again"]);
});

test("a call that was interrupted does not take the result of a later one", () => {
  assert.deepEqual(shown([asks(call("", "A")), says(), asks(call("", "B")), gives(result("", "b"))]), ["A: none", "B: b"]);
  assert.deepEqual(shown([asks(call("x", "A")), says(), gives(result("x", "a"))]), ["A: a"]);
});
