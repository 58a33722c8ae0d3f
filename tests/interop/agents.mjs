// Runs the real agents, each in its own home and against fake_model.mjs, and checks what they send to the model.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const platform = `${process.platform}-${process.arch}`;

export function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const manifest = (modules, agent) => JSON.parse(readFileSync(join(modules, agent.package, "package.json"), "utf8"));
export const versionOf = (modules, agent) => manifest(modules, agent).claudeCodeVersion ?? manifest(modules, agent).version;

// The agents by name: `prepare` sets up the home, `begin` starts a session with a prompt, and `goOn` continues session
// `id` (in `file`). `shell` is a call of the agent's command tool. If `blind`, the agent sends no images to the model.
export function agentsOf(modules) {
  const bin = (name) => join(modules, ".bin", name);
  const claude = (words) => (url) => [join(modules, `@anthropic-ai/claude-agent-sdk-${platform}/claude`), [...words, "--model", "claude-opus-5-5", "--allowedTools", "Bash"],
    { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "test-key", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" }];
  const codex = (words) => () => [bin("codex"), ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", ...words], { FAKE_KEY: "test-key" }];
  const pi = (words) => () => [bin("pi"), ["-p", "--provider", "fake", "--model", "m", ...words], { PI_OFFLINE: "1" }];
  const qwen = (words) => (url) => [bin("qwen"), [...words, "--yolo", "--auth-type", "openai", "-m", "qwen3-vl-plus"],
    { OPENAI_API_KEY: "test-key", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "qwen3-vl-plus" }];
  const gemini = (words) => (url) => [bin("gemini"), [...words, "--yolo", "-m", "gemini-2.5-flash", "--skip-trust"], { GEMINI_API_KEY: "test-key", GOOGLE_GEMINI_BASE_URL: url }];
  const copilot = (words) => (url) => [bin("copilot"), [...words, "--allow-all-tools"],
    { COPILOT_PROVIDER_TYPE: "openai", COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_API_KEY: "test-key", COPILOT_MODEL: "m", COPILOT_OFFLINE: "true" }];
  const opencode = (words) => () => [bin("opencode"), words, {}];
  return {
    "claude-code": { package: "@anthropic-ai/claude-agent-sdk", root: ".claude", shell: (command) => ({ name: "Bash", input: { command } }),
      begin: (url, prompt) => claude(["-p", prompt])(url), goOn: (url, prompt, { id }) => claude(["-p", prompt, "--resume", id])(url) },
    codex: { package: "@openai/codex", root: ".codex", shell: (command) => ({ name: "exec_command", input: { cmd: command } }),
      prepare: (home, url) => put(join(home, ".codex/config.toml"),
        `model = "m"\nmodel_provider = "fake"\n[model_providers.fake]\nname = "fake"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n`),
      begin: (_, prompt) => codex([prompt])(), goOn: (_, prompt, { id }) => codex(["resume", id, prompt])() },
    pi: { package: "@mariozechner/pi-coding-agent", root: ".pi/agent", shell: (command) => ({ name: "bash", input: { command } }),
      prepare: (home, url) => put(join(home, ".pi/agent/models.json"),
        JSON.stringify({ providers: { fake: { baseUrl: url, api: "anthropic-messages", apiKey: "test-key", models: [{ id: "m", input: ["text", "image"] }] } } })),
      begin: (_, prompt) => pi([prompt])(), goOn: (_, prompt, { file }) => pi(["--session", file, prompt])() },
    qwen: { package: "@qwen-code/qwen-code", root: ".qwen", shell: (command) => ({ name: "run_shell_command", input: { command, is_background: false } }),
      prepare: (home) => put(join(home, ".qwen/settings.json"), JSON.stringify({ security: { auth: { selectedType: "openai" } }, privacy: { usageStatisticsEnabled: false } })),
      begin: (url, prompt) => qwen(["-p", prompt])(url), goOn: (url, prompt, { id }) => qwen(["--resume", id, "-p", prompt])(url) },
    gemini: { package: "@google/gemini-cli", root: ".gemini", shell: (command) => ({ name: "run_shell_command", input: { command } }),
      prepare: (home) => put(join(home, ".gemini/settings.json"),
        JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } }, privacy: { usageStatisticsEnabled: false } })),
      begin: (url, prompt) => gemini(["-p", prompt])(url), goOn: (url, prompt, { id }) => gemini(["--resume", id, "-p", prompt])(url) },
    copilot: { package: "@github/copilot", root: ".copilot", blind: true, shell: (command) => ({ name: "bash", input: { command, description: "a command" } }),
      begin: (url, prompt) => copilot(["-p", prompt])(url), goOn: (url, prompt, { id }) => copilot(["-p", prompt, "--resume", id])(url) },
    opencode: { package: "opencode-ai", root: ".local/share/opencode", imports: true, shell: (command) => ({ name: "bash", input: { command, description: "a command" } }),
      prepare: (home, url) => put(join(home, ".config/opencode/opencode.json"), JSON.stringify({ provider: { fake: {
        npm: "@ai-sdk/openai-compatible", name: "fake", options: { baseURL: `${url}/v1`, apiKey: "test-key" }, models: { m: { name: "m", tool_call: true, attachment: true, modalities: { input: ["text", "image"], output: ["text"] } } } } } })),
      take: (file) => opencode(["import", file])(),
      begin: (_, prompt) => opencode(["run", "-m", "fake/m", prompt])(), goOn: (_, prompt, { id }) => opencode(["run", "--session", id, "-m", "fake/m", prompt])() },
  };
}

// Runs a command. Returns "" on success, or its last line of output on failure.
export function execute([program, args, env], home, folder) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: folder, env: { PATH: process.env.PATH, HOME: home, TERM: "dumb", ...env }, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += part));
    const timer = setTimeout(() => child.kill("SIGKILL"), 240_000);
    child.on("error", (error) => done(String(error)));
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (process.env.INTEROP_SHOW) console.error(text);
      done(code === 0 ? "" : `fails${signal ? ` (${signal})` : ""}: ${text.trim().split("\n").pop().slice(0, 120)}`);
    });
  });
}

// Runs holdfast and parses its JSON answer.
export const asker = (holdfast) => (args, env = {}) =>
  JSON.parse(execFileSync(holdfast, [...args, "--json"], { stdio: "pipe", env: { PATH: process.env.PATH, ...env }, maxBuffer: 1 << 28 }));

// Collects all strings in a value, also those in `arguments` that are JSON in a string.
export function strings(value, found = [], key = "") {
  if (typeof value === "string") {
    let inside;
    if (key === "arguments") try { inside = JSON.parse(value); } catch { /* plain text */ }
    inside && typeof inside === "object" ? strings(inside, found) : found.push(value);
  } else if (value && typeof value === "object") Object.entries(value).forEach(([name, one]) => strings(one, found, name));
  return found;
}

const talkOf = (body) => body.messages ?? body.input ?? body.contents;

// The calls and results in one message of any protocol, and whether the message says anything else.
function pairsOf(message) {
  const found = { calls: [], results: [], says: false };
  const look = (one) => {
    if (Array.isArray(one)) return one.forEach(look);
    if (one === null || typeof one !== "object") return;
    if (one.type === "tool_use") found.calls.push(one.id);
    else if (one.type === "tool_result") found.results.push(one.tool_use_id);
    else if (one.type === "function_call" || one.type === "custom_tool_call") found.calls.push(one.call_id);
    else if (one.type === "function_call_output" || one.type === "custom_tool_call_output") found.results.push(one.call_id);
    else if (one.role === "tool" && one.tool_call_id) found.results.push(one.tool_call_id);
    else if (one.functionCall) found.calls.push(one.functionCall.id);
    else if (one.functionResponse) found.results.push(one.functionResponse.id);
    else {
      for (const tool of one.tool_calls ?? []) found.calls.push(tool.id);
      Object.values(one).forEach(look);
    }
  };
  look(message);
  found.says = found.calls.length === 0 && found.results.length === 0 && message.type !== "reasoning";
  return found;
}

// Counts calls without a result right after them, results without a call before them, and repeated ids. A result must
// come before other text: in the next message or, if each result is a message (chat, Responses), in the next ones.
export function alone(body) {
  const talk = talkOf(body).map(pairsOf);
  const apart = body.input !== undefined || talkOf(body).some((one) => one.role === "tool");
  const twice = (list) => list.length - new Set(list).size;
  return twice(talk.flatMap((one) => one.calls)) + twice(talk.flatMap((one) => one.results)) + talk.reduce((sum, { calls, results }, n) => {
    let end = n + 1;
    while (end < talk.length && (apart ? !talk[end].says && (body.input !== undefined || talk[end].results.length > 0) : end === n + 1)) ++end;
    const answers = talk.slice(n + 1, end).flatMap((one) => one.results);
    const asked = talk.slice(0, n).flatMap((one) => one.calls);
    return sum + calls.filter((call) => !answers.includes(call)).length + results.filter((result) => !asked.includes(result)).length;
  }, 0);
}

// The longest request that contains `prompt`. Agents also send requests for titles and memories.
export const longest = (model, prompt) =>
  model.asked.filter((body) => JSON.stringify(body).includes(prompt)).sort((a, b) => JSON.stringify(a).length - JSON.stringify(b).length).at(-1);

const times = (text, part) => text.split(part).length - 1;

// Returns what is wrong with a request; [] if nothing. It must contain the texts `said` in order, none more often than
// `whole` does, and `images`, but nothing of `gone`.
export function faultsOf(body, said, { gone = [], whole = said.join("\n"), images = [] } = {}) {
  const sent = strings(talkOf(body)).join("\n");
  const missing = [...said, ...images].filter((one) => !sent.includes(one)), extra = gone.filter((one) => sent.includes(one)), halves = alone(body);
  const again = said.filter((one) => one.length > 8 && times(sent, one) > times(whole, one));
  const brief = (list) => list.slice(0, 3).map((one) => JSON.stringify(one.slice(0, 60))).join(" / ");
  let place = 0;
  const late = [];
  for (const one of missing.length ? [] : said) {
    const next = sent.indexOf(one, place);
    next < 0 ? late.push(one) : (place = next + one.length);
  }
  return [missing.length && `missing: ${brief(missing)}`, extra.length && `should not be there: ${brief(extra)}`, halves && `${halves} alone`,
          again.length && `more than once: ${brief(again)}`, late.length && `out of order: ${brief(late)}`].filter(Boolean);
}
