// What agents send to their model when they go on with a session of another agent: node handoff.mjs HOLDFAST
// NODE_MODULES [AGENT...]. Each feature of a session goes to each agent, and (with HOLDFAST_CORPUS) the largest
// session of each reader. The agents run against fake_model.mjs, in a home of their own. Prints a Markdown table;
// fails when a text does not reach the model, a call or a result stands alone, or the new session cannot be read.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fakeModel } from "./fake_model.mjs";
import { features, id } from "./feature_session.mjs";

const [holdfast, modules, ...only] = process.argv.slice(2);
const platform = `${process.platform}-${process.arch}`;
const go = "please go on";

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
const bin = (name) => join(modules, ".bin", name);

// How each agent goes on with session `id` (in `file`), and what its home needs before.
const agents = {
  "claude-code": { package: "@anthropic-ai/claude-agent-sdk", root: ".claude",
    run: (url, { id }) => [join(modules, `@anthropic-ai/claude-agent-sdk-${platform}/claude`), ["-p", go, "--resume", id, "--model", "claude-opus-5-5"],
      { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "test-key", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" }] },
  codex: { package: "@openai/codex", root: ".codex",
    prepare: (home, url) => put(join(home, ".codex/config.toml"),
      `model = "m"\nmodel_provider = "fake"\n[model_providers.fake]\nname = "fake"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n`),
    run: (_, { id }) => [bin("codex"), ["exec", "--skip-git-repo-check", "resume", id, go], { FAKE_KEY: "test-key" }] },
  pi: { package: "@mariozechner/pi-coding-agent", root: ".pi/agent",
    prepare: (home, url) => put(join(home, ".pi/agent/models.json"),
      JSON.stringify({ providers: { fake: { baseUrl: url, api: "anthropic-messages", apiKey: "test-key", models: [{ id: "m", input: ["text", "image"] }] } } })),
    run: (_, { file }) => [bin("pi"), ["-p", "--session", file, "--provider", "fake", "--model", "m", go], { PI_OFFLINE: "1" }] },
  qwen: { package: "@qwen-code/qwen-code", root: ".qwen",
    prepare: (home) => put(join(home, ".qwen/settings.json"), JSON.stringify({ security: { auth: { selectedType: "openai" } }, privacy: { usageStatisticsEnabled: false } })),
    run: (url, { id }) => [bin("qwen"), ["--resume", id, "-p", go, "--auth-type", "openai", "-m", "qwen3-vl-plus"],
      { OPENAI_API_KEY: "test-key", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "qwen3-vl-plus" }] },
  gemini: { package: "@google/gemini-cli", root: ".gemini",
    prepare: (home) => put(join(home, ".gemini/settings.json"),
      JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } }, privacy: { usageStatisticsEnabled: false } })),
    run: (url, { id }) => [bin("gemini"), ["--resume", id, "-p", go, "-m", "gemini-2.5-flash", "--skip-trust"],
      { GEMINI_API_KEY: "test-key", GOOGLE_GEMINI_BASE_URL: url }] },
  copilot: { package: "@github/copilot", root: ".copilot", blind: true,
    run: (url, { id }) => [bin("copilot"), ["-p", go, "--resume", id, "--allow-all-tools"],
      { COPILOT_PROVIDER_TYPE: "openai", COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_API_KEY: "test-key", COPILOT_MODEL: "m", COPILOT_OFFLINE: "true" }] },
  opencode: { package: "opencode-ai", root: ".local/share/opencode", output: true,
    prepare: (home, url) => put(join(home, ".config/opencode/opencode.json"), JSON.stringify({ provider: { fake: {
      npm: "@ai-sdk/openai-compatible", name: "fake", options: { baseURL: `${url}/v1`, apiKey: "test-key" }, models: { m: { name: "m", attachment: true, modalities: { input: ["text", "image"], output: ["text"] } } } } } })),
    first: (_, { file }) => [bin("opencode"), ["import", file], {}],
    run: (_, { id }) => [bin("opencode"), ["run", "--session", id, "-m", "fake/m", go], {}] },
};

function execute([program, args, env], home, folder) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: folder, env: { PATH: process.env.PATH, HOME: home, TERM: "dumb", ...env }, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += part));
    const timer = setTimeout(() => child.kill("SIGKILL"), 120000);
    child.on("error", (error) => done(String(error)));
    child.on("close", (code) => {
      clearTimeout(timer);
      if (process.env.INTEROP_SHOW) console.error(text);
      done(code === 0 ? "" : `fails: ${text.trim().split("\n").pop().slice(0, 80)}`);
    });
  });
}

// Every string in a request, wherever it stands; arguments that are JSON in a string are looked into.
function strings(value, found = []) {
  if (typeof value === "string") {
    found.push(value);
    if (value.startsWith("{")) try { strings(JSON.parse(value), found); } catch { /* words */ }
  } else if (value && typeof value === "object") Object.values(value).forEach((one) => strings(one, found));
  return found;
}

// Calls without a result right behind them, results without a call before them, and ids that come twice.
function alone(body) {
  const of = (value) => {
    const found = { calls: [], results: [] };
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
    look(value);
    return found;
  };
  const talk = (body.messages ?? body.input ?? body.contents).map(of);
  const all = talk.flatMap((one) => one.calls);
  const twice = all.length - new Set(all).size;
  // A result must come before anybody else speaks: in the next message, or (chat, Responses) in the next ones.
  const spread = body.input || (body.messages ?? []).some((one) => one.role === "tool");
  return twice + talk.reduce((sum, { calls, results }, n) => {
    const answers = talk.slice(n + 1, spread ? n + 1 + 2 * all.length : n + 2).flatMap((one) => one.results);
    const asked = talk.slice(0, n).flatMap((one) => one.calls);
    return sum + calls.filter((call) => !answers.includes(call)).length + results.filter((result) => !asked.includes(result)).length;
  }, 0);
}

const ask = (args, env) => JSON.parse(execFileSync(holdfast, [...args, "--json"], { stdio: "pipe", env: { PATH: process.env.PATH, ...env }, maxBuffer: 1 << 28 }));

// Hands session `source` ([...ID and --store]) to the agent, lets it go on, and says how that went.
async function carry(name, agent, work, source, said, gone = []) {
  const home = mkdtempSync(join(work, `${name}-`)), folder = join(home, "project");
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(home, agent.root), { recursive: true });
  const made = ask(["handoff", ...source, "--to", name, "--project", folder, ...(agent.output ? ["--output", join(home, "import")] : [])], { HOME: home });
  const session = { id: made.id, file: made.file };
  const model = await fakeModel();
  agent.prepare?.(home, model.url, folder);
  let failure = agent.first ? await execute(agent.first(model.url, session), home, folder) : "";
  failure ||= await execute(agent.run(model.url, session), home, folder);
  model.close();
  // Qwen asks a second model to keep memories, of the end of the session: the longest is the conversation.
  const last = model.asked.filter((body) => JSON.stringify(body).includes(go)).sort((a, b) => JSON.stringify(a).length - JSON.stringify(b).length).at(-1);
  if (process.env.INTEROP_SHOW) console.error(JSON.stringify(last, null, 1));
  if (failure || !last) return { ok: false, text: failure || "asked nothing" };
  const sent = strings(last).join("\n");
  const missing = said.filter((one) => !sent.includes(one)), extra = gone.filter((one) => sent.includes(one)), halves = alone(last);
  const places = said.map((one) => sent.indexOf(one));
  let after = 0;
  if (name !== "gemini") try {  // Gemini's client may have deleted it
    const shown = ask(["show", `${name}/${made.id}`], { HOME: home });
    after = shown.messages.filter((one) => (one.blocks ?? []).some((block) => block.text === "well." || block.text?.includes(go))).length;
  } catch (error) { return { ok: false, text: `cannot be read: ${error.message.split("\n")[0].slice(0, 80)}` }; }
  else after = 2;
  const ok = missing.length === 0 && extra.length === 0 && halves === 0 && after >= 2;
  const notes = [missing.length && `missing: ${missing.slice(0, 3).join(" / ").slice(0, 80)}`, extra.length && `should not be there: ${extra[0]}`,
                 halves && `${halves} alone`, after < 2 && "the new turn is not read"].filter(Boolean);
  rmSync(home, { recursive: true, force: true });
  return { ok, text: `${said.length - missing.length} of ${said.length}${notes.length ? `, ${notes.join(", ")}` : ""}`, places };
}

const readers = { "claude-code": ".claude", codex: ".codex", gemini: ".gemini", opencode: ".local/share/opencode", qwen: ".qwen", pi: ".pi/agent",
                  copilot: ".copilot", continue: ".continue", openclaw: ".openclaw" };

// The session of a reader with most calls, and what was said in it.
function largest(layout) {
  const store = `${layout}:${join(process.env.HOLDFAST_CORPUS, layout, readers[layout])}`;
  const list = ask(["ls", "--store", store], {}).sessions.sort((a, b) => (b.counts?.tool_results ?? 0) - (a.counts?.tool_results ?? 0));
  const { messages } = ask(["show", list[0].id, "--store", store], {});
  const start = messages.findLastIndex((one) => one.origin === "summary");
  const said = messages.slice(Math.max(start, 0)).filter((one) => !one.side && !one.failed && !["injected", "notice"].includes(one.origin) && one.role !== "system")
    .flatMap((one) => (one.blocks ?? []).flatMap((block) => (["text", "thinking"].includes(block.type) ? [block.text] : block.type === "tool_result" ? [block.output] : [])))
    .filter((one) => typeof one === "string" && one.trim()).map((one) => one.trim().split("\n")[0].slice(0, 200));
  return { source: [list[0].id, "--store", store], said };
}

const work = realpathSync(mkdtempSync(join(tmpdir(), "interop-")));
let bad = 0;
for (const [name, agent] of Object.entries(agents)) {
  if ((only.length && !only.includes(name)) || !existsSync(join(modules, agent.package))) continue;
  const version = JSON.parse(readFileSync(join(modules, agent.package, "package.json"), "utf8")).version;
  const source = join(work, "source");
  for (const [feature, { lines, said, gone, images = [] }] of Object.entries(features("/srv/source"))) {
    const store = `claude-code:${join(source, feature.replaceAll(" ", "-"))}`;
    put(join(store.slice(12), `projects/-srv-source/${id}.jsonl`), lines.join("\n") + "\n");
    const seen = await carry(name, agent, work, [id, "--store", store], agent.blind ? said : [...said, ...images], gone);
    bad += seen.ok ? 0 : 1;
    console.log(`| ${name} ${version} | ${feature} | ${seen.ok ? "" : "**"}${seen.text}${seen.ok ? "" : "**"} |`);
  }
  for (const layout of process.env.HOLDFAST_CORPUS ? Object.keys(readers) : []) {
    const { source, said } = largest(layout);
    const seen = await carry(name, agent, work, source, said);
    bad += seen.ok ? 0 : 1;
    console.log(`| ${name} ${version} | a session of ${layout} | ${seen.ok ? "" : "**"}${seen.text}${seen.ok ? "" : "**"} |`);
  }
}
rmSync(work, { recursive: true, force: true });
process.exit(bad === 0 ? 0 : 1);
