// Makes sessions in the formats of Claude Code and Codex, for the tests and the screenshots.
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const uuid = (number, kind = "4000") => `${String(number).padStart(8, "0")}-0000-${kind}-8000-000000000000`;

/** A session of Claude Code that grows line by line. */
export class ClaudeSession {
  constructor(home, number, { project = "/home/dev/tidewater", branch = "main", model = "claude-opus-5-5", at = Date.now() - 3_600_000, id = uuid(number) } = {}) {
    Object.assign(this, { id, project, branch, model, at, parent: null, count: 0, number });
    this.file = join(home, ".claude/projects", project.replace(/[^A-Za-z0-9]/g, "-"), `${id}.jsonl`);
    this.name = `claude-code/${id}`;
    this.held = [];
  }

  line(type, message, more = {}) {
    const name = uuid(this.number, String(4000 + (this.count % 999))).replace(/0{12}$/, String(this.count++).padStart(12, "0"));
    this.at += 7000;
    this.held.push(JSON.stringify({ parentUuid: this.parent, isSidechain: false, type, message, uuid: name, timestamp: new Date(this.at).toISOString(), cwd: this.project, sessionId: this.id, version: "2.1.325", gitBranch: this.branch, ...more }));
    this.parent = name;
    return this;
  }
  raw(text) { this.held.push(text); return this; }
  prompt(content) { return this.line("user", { role: "user", content }); }
  answer(content, usage = { input_tokens: 1200, output_tokens: 350, cache_read_input_tokens: 24_000, cache_creation_input_tokens: 900 }) {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    return this.line("assistant", { id: `msg_${this.number}_${this.count}`, type: "message", role: "assistant", model: this.model, content: blocks, stop_reason: "end_turn", usage });
  }
  tool(name, input, output, failed = false) {
    const id = `toolu_${this.number}_${this.count}`;
    this.answer([{ type: "tool_use", id, name, input }]);
    return this.line("user", { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: output, ...(failed ? { is_error: true } : {}) }] });
  }
  think(thinking) { return this.answer([{ type: "thinking", thinking, signature: "" }]); }
  title(customTitle) { return this.raw(JSON.stringify({ type: "custom-title", customTitle, sessionId: this.id })); }

  /** Writes everything so far to the file. */
  write() {
    mkdirSync(dirname(this.file), { recursive: true });
    if (!this.written) writeFileSync(this.file, "");
    this.written = true;
    for (let at = 0; at < this.held.length; at += 1000) appendFileSync(this.file, this.held.slice(at, at + 1000).join("\n") + "\n");
    this.held = [];
    return this;
  }
}

export function codexSession(home, number, { project = "/home/dev/lighthouse", at = Date.now() - 7_200_000, prompt, answer, command = "cargo test", output = "ok" }) {
  const id = `019a${String(number).padStart(4, "0")}-0000-7000-8000-000000000000`;
  const time = (step) => new Date(at + step * 9000).toISOString();
  const line = (step, type, payload) => JSON.stringify({ timestamp: time(step), type, payload });
  const tokens = { input_tokens: 9000, cached_input_tokens: 6000, output_tokens: 420, reasoning_output_tokens: 0, total_tokens: 9420 };
  const day = time(0).slice(0, 10).split("-");
  const file = join(home, ".codex/sessions", ...day, `rollout-${time(0).slice(0, 19).replace(/:/g, "-")}-${id}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, [
    line(0, "session_meta", { id, timestamp: time(0), cwd: project, originator: "codex_cli_rs", cli_version: "0.166.0", git: { branch: "main" } }),
    line(0, "turn_context", { cwd: project, model: "gpt-5.5" }),
    line(1, "response_item", { type: "message", role: "user", content: [{ type: "input_text", text: prompt }] }),
    line(2, "response_item", { type: "function_call", name: "exec_command", arguments: JSON.stringify({ cmd: command }), call_id: `call_${number}` }),
    line(3, "response_item", { type: "function_call_output", call_id: `call_${number}`, output }),
    line(4, "response_item", { type: "message", role: "assistant", content: [{ type: "output_text", text: answer }] }),
    line(4, "event_msg", { type: "token_count", info: { total_token_usage: tokens, last_token_usage: tokens, model_context_window: 258400 } }),
  ].join("\n") + "\n");
  return { id, name: `codex/${id}`, file };
}
