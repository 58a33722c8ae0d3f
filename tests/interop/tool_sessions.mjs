// Sessions of eight turns in each agent's format. Two turns use tools, the first two at once.
// `said` has every text once. `call` and `result` are line numbers in the first turn with tools.
import { createHash } from "node:crypto";

export const id = "0199a000-0000-7000-8000-0000000000a1";
const stamp = (n) => `2026-01-01T00:10:${String(n % 60).padStart(2, "0")}.000Z`;
const tool = (name) => ({ id: `toolu_0${name}`, command: `echo command ${name}.`, output: `output ${name}.` });
const turns = Array.from({ length: 8 }, (_, n) => ({
  question: `question ${n}.`, answer: `answer ${n}.`, tools: { 2: [tool("2a"), tool("2b")], 5: [tool("5")] }[n] ?? [],
}));
export const said = turns.flatMap(({ question, answer, tools }) => [question, ...tools.map((one) => one.command), ...tools.map((one) => one.output), answer]);

// Formats all turns with `spell(what, turn, line)`. Returns the lines, and the last line of the first call and result.
function spelled(head, spell) {
  const lines = [...head], place = { first: 0 };
  for (const turn of turns) {
    for (const what of turn.tools.length ? ["question", "call", "result", "answer"] : ["question", "answer"]) {
      lines.push(...[spell(what, turn, lines.length)].flat());
      if (what === "call" || what === "result") place[what] ??= lines.length - 1;
    }
  }
  return { lines: lines.map((line) => JSON.stringify(line)), ...place };
}

export function claude(folder) {
  const uuid = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  return spelled([], (what, { question, answer, tools }, first) => {
    const answered = (block) => ({ id: `msg_${first}`, type: "message", role: "assistant", model: "claude-opus-5-5", content: [block],
                                   stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } });
    const messages = {
      question: () => [{ role: "user", content: question }],
      call: () => tools.map((one) => answered({ type: "tool_use", id: one.id, name: "Bash", input: { command: one.command } })),
      result: () => tools.map((one) => ({ role: "user", content: [{ tool_use_id: one.id, type: "tool_result", content: one.output, is_error: false }] })),
      answer: () => [answered({ type: "text", text: answer })],
    }[what]();
    return messages.map((message, k) => ({
      parentUuid: first + k ? uuid(first + k - 1) : null, isSidechain: false, type: message.role, message, uuid: uuid(first + k),
      timestamp: stamp(first + k), sessionId: id, cwd: folder, version: "2.1.325", userType: "external", gitBranch: "",
    }));
  });
}

export function codex(folder) {
  const head = { type: "session_meta", payload: { id, timestamp: stamp(0), cwd: folder, originator: "codex_exec", cli_version: "0.166.0",
                                                  source: "exec", model_provider: "fake" } };
  const event = (payload) => ({ type: "event_msg", payload });
  const item = (payload) => ({ type: "response_item", payload });
  const made = spelled([head], (what, { question, answer, tools }) => ({
    question: () => [item({ type: "message", role: "user", content: [{ type: "input_text", text: question }] }),
                     event({ type: "user_message", message: question, images: [] })],
    call: () => tools.map((one) => item({ type: "function_call", name: "exec_command", arguments: JSON.stringify({ cmd: one.command }), call_id: one.id })),
    result: () => tools.map((one) => item({ type: "function_call_output", call_id: one.id, output: one.output })),
    answer: () => [event({ type: "agent_message", message: answer }),
                   item({ type: "message", role: "assistant", content: [{ type: "output_text", text: answer }] })],
  })[what]());
  return { ...made, lines: made.lines.map((line, n) => JSON.stringify({ timestamp: stamp(n), ordinal: n, ...JSON.parse(line) })) };
}

export function pi(folder) {
  const name = (n) => String(10000000 + n);
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return spelled([{ type: "session", version: 3, id, timestamp: stamp(0), cwd: folder }], (what, { question, answer, tools }, first) => {
    const answered = (content, stopReason) => ({ role: "assistant", content, api: "anthropic-messages", provider: "fake", model: "m", stopReason,
                                                 usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost } });
    const messages = {
      question: () => [{ role: "user", content: [{ type: "text", text: question }] }],
      call: () => [answered(tools.map((one) => ({ type: "toolCall", id: one.id, name: "bash", arguments: { command: one.command } })), "toolUse")],
      result: () => tools.map((one) => ({ role: "toolResult", toolCallId: one.id, toolName: "bash", content: [{ type: "text", text: one.output }], isError: false })),
      answer: () => [answered([{ type: "text", text: answer }], "stop")],
    }[what]();
    return messages.map((message, k) => ({ type: "message", id: name(first + k), parentId: first + k > 1 ? name(first + k - 1) : null,
                                           timestamp: stamp(first + k), message: { ...message, timestamp: Date.parse(stamp(first + k)) } }));
  });
}

// A message contains its calls with their results, and the next message repeats the results.
export function gemini(folder) {
  const head = { sessionId: id, projectHash: createHash("sha256").update(folder).digest("hex"), startTime: stamp(0), lastUpdated: stamp(60), kind: "main" };
  return spelled([head], (what, { question, answer, tools }, n) => {
    const record = (type, content, more = {}) => ({ id: `m${n}`, timestamp: stamp(n), type, content, ...more });
    const answered = (content, more) => record("gemini", content, { thoughts: [], model: "gemini-3.8-flash", ...more });
    const result = (one) => ({ functionResponse: { id: one.id, name: "run_shell_command", response: { output: one.output } } });
    return {
      question: () => record("user", [{ text: question }]),
      call: () => answered("", { toolCalls: tools.map((one) => ({ id: one.id, name: "run_shell_command", args: { command: one.command },
                                                                  result: [result(one)], status: "success", timestamp: stamp(n) })) }),
      result: () => record("user", tools.map(result)),
      answer: () => answered(answer),
    }[what]();
  });
}
