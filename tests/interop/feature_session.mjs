// One session of Claude Code for each feature of a session, with the texts that must reach the next model.
import { claude, id as turnsId, said } from "./tool_sessions.mjs";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
export const id = turnsId;

// Makes a chain of records from messages. `more` has additional members of a record.
function chain(folder, messages) {
  const uuid = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  return messages.map(({ more = {}, ...message }, n) => JSON.stringify({
    parentUuid: n ? uuid(n - 1) : null, isSidechain: false, type: message.role, message, uuid: uuid(n),
    timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString(), sessionId: id, cwd: folder, version: "2.1.325", userType: "external", gitBranch: "", ...more,
  }));
}
const user = (content, more) => ({ role: "user", content, more });
let answers = 0;
const answer = (...content) => ({ role: "assistant", id: `msg_${answers++}`, type: "message", model: "claude-opus-5-5", stop_reason: null, stop_sequence: null,
                                  usage: { input_tokens: 1, output_tokens: 1 }, content });
const text = (said) => ({ type: "text", text: said });
const call = (n, command) => ({ type: "tool_use", id: `toolu_${n}`, name: "Bash", input: { command } });
const result = (n, content, is_error = false) => user([{ type: "tool_result", tool_use_id: `toolu_${n}`, content, is_error }]);

// The transcript of a sub-agent, which is in its own file.
const helper = "a0123456789abcdef";
const subAgent = (folder) => chain(folder, [user("look into it"), answer(text("a secret of the helper")), user("and then"), answer(text("what it found"))])
  .map((line) => JSON.stringify({ ...JSON.parse(line), isSidechain: true, agentId: helper }));

// name -> { lines, said, ... }: `said` are texts that must reach the model, `gone` texts that must not, `images` those
// that must if the agent supports images. `files` are more files of the session. With `rescue`, hands off a rescued copy.
export function features(folder) {
  const made = (messages, texts, gone = [], images = []) => ({ lines: chain(folder, messages), said: texts, gone, images });
  const uuid = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const turns = Array.from({ length: 300 }, (_, n) => [user(`prompt number ${n}.`), answer(text(`reply number ${n}.`))]).flat();
  // A session in which one line is cut in half: a prompt, or the first call.
  const damaged = (place) => {
    const { lines, ...places } = claude(folder);
    const lost = places[place] ?? 4;
    lines[lost] = lines[lost].slice(0, lines[lost].length / 2);
    return { lines, said: said.filter((one) => lines.some((line, n) => n !== lost && line.includes(one))) };
  };
  return {
    "text": made([user("just words"), answer(text("plain reply"))], ["just words", "plain reply"]),
    "several tools at once": { lines: claude(folder).lines, said },
    "a failed tool": made([user("try it"), answer(call("f", "false me")), result("f", "it broke", true), answer(text("a pity"))],
                          ["try it", "false me", "it broke", "a pity"]),
    "killed in a tool": made([user("run it"), answer(text("running"), call("k", "sleep me"))], ["run it", "running", "sleep me", "There is no output of this tool call"]),
    "thinking": made([user("think"), answer({ type: "thinking", thinking: "a deep thought", signature: "c2ln" }, text("thought about it"))],
                     ["a deep thought", "thought about it"]),
    "an image": made([user([text("look here"), { type: "image", source: { type: "base64", media_type: "image/png", data: png } }]), answer(text("a dot"))],
                     ["look here", "a dot"], [], [png]),
    "an image of a tool": made([user("a picture please"), answer(call("i", "shoot it")), result("i", [text("here it is"), { type: "image", source: { type: "base64", media_type: "image/png", data: png } }]),
                                     answer(text("nice dot"))], ["a picture please", "shoot it", "here it is", "nice dot"], [], [png]),
    "a compacted session": made([user("long ago"), answer(text("ancient reply")),
                                 user("This session is being continued: it was about dots.", { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
                                 user("after it"), answer(text("fresh reply"))], ["it was about dots", "after it", "fresh reply"], ["ancient reply"]),
    "a sub-agent": { ...made([user("delegate"), answer({ type: "tool_use", id: "toolu_s", name: "Task", input: { description: "a look", prompt: "look into it", subagent_type: "general-purpose" } }),
                              user([{ type: "tool_result", tool_use_id: "toolu_s", content: "what it found", is_error: false }], { toolUseResult: { status: "completed", agentId: helper } }),
                              answer(text("the helper is done"))], ["delegate", "look into it", "what it found", "the helper is done"], ["a secret of the helper"]),
                     files: { [`${id}/subagents/agent-${helper}.jsonl`]: subAgent(folder) } },
    // The second prompt was undone and replaced by another.
    "a forked session": made([user("the trunk"), answer(text("grown")), user("the left way"), answer(text("went left")),
                              user("the right way", { parentUuid: uuid(1) }), answer(text("went right"))],
                             ["the trunk", "grown", "the right way", "went right"], ["the left way", "went left"]),
    "300 turns": made(turns, turns.map(({ content }) => (typeof content === "string" ? content : content[0].text))),
    "Unicode": made([user("naïve 代码 🎯 \u2028 العربية"), answer(text("réponse ✨"))], ["naïve 代码 🎯", "العربية", "réponse ✨"]),
    "an empty answer": made([user("say nothing"), answer(text("")), user("say anything"), answer(text("now it spoke"))],
                            ["say nothing", "say anything", "now it spoke"]),
    "a damaged file": damaged("prompt"),
    "a damaged file, rescued": { ...damaged("call"), rescue: true },
  };
}
