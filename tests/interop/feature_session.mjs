// One session of Claude Code for each thing that a session can hold, with the texts that must reach the next model.
import { claude, id as turnsId, said } from "./tool_sessions.mjs";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
export const id = turnsId;

// Records of a chain out of messages; `more` are members of a record.
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

// name -> { lines, said }: `said` are texts that must reach the model, `gone` texts that must not, `images` what must where
// the agent takes images.
export function features(folder) {
  const made = (messages, texts, gone = [], images = []) => ({ lines: chain(folder, messages), said: texts, gone, images });
  const turns = Array.from({ length: 300 }, (_, n) => [user(`prompt number ${n}.`), answer(text(`reply number ${n}.`))]).flat();
  const damaged = claude(folder).lines;
  damaged[4] = damaged[4].slice(0, damaged[4].length / 2);
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
    "a compacted session": made([user("long ago"), answer(text("ancient reply")),
                                 user("This session is being continued: it was about dots.", { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
                                 user("after it"), answer(text("fresh reply"))], ["it was about dots", "after it", "fresh reply"], ["ancient reply"]),
    "300 turns": made(turns, ["prompt number 0.", "reply number 150.", "prompt number 299.", "reply number 299."]),
    "Unicode": made([user("naïve 代码 🎯 \u2028 العربية"), answer(text("réponse ✨"))], ["naïve 代码 🎯", "العربية", "réponse ✨"]),
    "an empty answer": made([user("say nothing"), answer(text("")), user("say something"), answer(text("something"))],
                            ["say nothing", "say something", "something"]),
    "a damaged file": { lines: damaged, said: said.filter((one) => damaged.filter((_, n) => n !== 4).join("\n").includes(one)) },
  };
}
