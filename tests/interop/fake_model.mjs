// A fake model on 127.0.0.1 that answers "well." to everything, or what a script says, and records the requests.
// Protocols: Anthropic (Claude Code, pi), OpenAI Responses (Codex) and chat (Qwen, Copilot, opencode), Gemini.
import { createServer } from "node:http";

// The default answer. An answer is text or a tool call.
const usual = { text: "well." };

let answers = 0;  // agents join answers that have the same id
const nextId = (kind) => `${kind}_${++answers}`;

const events = (list) => list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

function anthropic(body, say) {
  const message = { id: nextId("msg"), type: "message", role: "assistant", model: body.model ?? "m", content: [], stop_reason: null,
                    stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } };
  const stop_reason = say.tool ? "tool_use" : "end_turn";
  const block = say.tool ? { type: "tool_use", id: nextId("toolu"), name: say.tool.name, input: {} } : { type: "text", text: "" };
  const delta = say.tool ? { type: "input_json_delta", partial_json: JSON.stringify(say.tool.input) } : { type: "text_delta", text: say.text };
  if (!body.stream) return { json: { ...message, content: [say.tool ? { ...block, input: say.tool.input } : { type: "text", text: say.text }], stop_reason } };
  return { sse: events([
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ]) };
}

function responses(_, say) {
  const item = say.tool
    ? { type: "function_call", id: nextId("fc"), call_id: nextId("call"), status: "completed", name: say.tool.name, arguments: JSON.stringify(say.tool.input), ...(say.tool.namespace ? { namespace: say.tool.namespace } : {}) }
    : { type: "message", id: nextId("msg"), role: "assistant", status: "completed", content: [{ type: "output_text", text: say.text, annotations: [] }] };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
  const id = nextId("resp");
  return { sse: events([
    { type: "response.created", response: { id } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id, output: [item], usage } },
  ]) };
}

function chat(body, say) {
  const head = { id: nextId("chatcmpl"), created: 1, model: body.model ?? "m" };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const said = say.tool
    ? { role: "assistant", content: null, tool_calls: [{ index: 0, id: nextId("call"), type: "function", function: { name: say.tool.name, arguments: JSON.stringify(say.tool.input) } }] }
    : { role: "assistant", content: say.text };
  const finish = say.tool ? "tool_calls" : "stop";
  if (!body.stream)
    return { json: { ...head, object: "chat.completion", choices: [{ index: 0, message: said, finish_reason: finish }], usage } };
  const piece = (delta, finish_reason = null) => ({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] });
  const pieces = [piece(said), piece({}, finish), { ...head, object: "chat.completion.chunk", choices: [], usage }];
  return { sse: pieces.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("") + "data: [DONE]\n\n" };
}

function gemini(_, say, url) {
  const part = say.tool ? { functionCall: { id: nextId("call"), name: say.tool.name, args: say.tool.input } } : { text: say.text };
  const answer = { candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
                   usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } };
  return url.includes("alt=sse") ? { sse: `data: ${JSON.stringify(answer)}\n\n` } : { json: answer };
}

const doors = [[/\/messages(\?|$)/, anthropic], [/\/responses(\?|$)/, responses], [/\/chat\/completions(\?|$)/, chat], [/:(streamG|g)enerateContent/, gemini]];

// Starts the model. `asked` has the bodies of the requests, oldest first. close() stops it. `script` maps the body of a
// request to an answer: { text } or { tool: { name, input } }, with `after` to delay it by that many milliseconds.
export async function fakeModel(script = () => usual) {
  const asked = [];
  const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const door = request.method === "POST" && doors.find(([path]) => path.test(request.url));
      if (!door) return response.writeHead(404, { "content-type": "application/json" }).end("{}");
      const body = JSON.parse(Buffer.concat(parts).toString() || "{}");
      asked.push(body);
      const say = script(body);
      const { sse, json } = door[1](body, say, request.url);
      const answer = () => response.writeHead(200, { "content-type": sse ? "text/event-stream" : "application/json" }).end(sse ?? JSON.stringify(json));
      setTimeout(answer, say.after ?? 0);
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}`, asked, close: () => server.close() };
}
