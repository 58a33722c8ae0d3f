// Tests real agents with `holdfast mcp`: node mcp_agents.mjs HOLDFAST NODE_MODULES [AGENT...]. `holdfast mcp install`
// adds the server to the settings of an agent in its own home, and the agent must list it. Given a prompt, a scripted
// model calls one of the tools, and the answer of the tool must reach the model. Prints a Markdown table.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fakeModel } from "./fake_model.mjs";
import { has } from "./packages.mjs";

const [holdfast, modules, ...only] = process.argv.slice(2);
const platform = `${process.platform}-${process.arch}`;
const prompt = "In which session did we speak of marmalade?";
const citation = "session://holdfast/ses-interop";
const bin = (name) => join(modules, ".bin", name);

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const agents = {
  "claude-code": { package: "@anthropic-ai/claude-agent-sdk",
    program: join(modules, `@anthropic-ai/claude-agent-sdk-${platform}/claude`), list: ["mcp", "list"],
    run: ["-p", prompt, "--model", "claude-opus-5-5", "--allowedTools", "mcp__holdfast__search_sessions"],
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "test-key", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", ENABLE_TOOL_SEARCH: "false" }) },
  codex: { package: "@openai/codex", program: bin("codex"), list: ["mcp", "list"],
    prepare: (home, url) => put(join(home, ".codex/config.toml"),
      `model = "m"\nmodel_provider = "fake"\n[model_providers.fake]\nname = "fake"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n`),
    run: ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt], env: () => ({ FAKE_KEY: "test-key" }) },
  gemini: { package: "@google/gemini-cli", program: bin("gemini"), list: ["mcp", "list"],
    prepare: (home, _, folder) => {
      put(join(home, ".gemini/settings.json"), JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } }, privacy: { usageStatisticsEnabled: false } }));
      put(join(home, ".gemini/trustedFolders.json"), JSON.stringify({ [folder]: "TRUST_FOLDER" }));
    },
    run: ["-p", prompt, "-m", "gemini-2.5-flash", "--yolo", "--skip-trust"], env: (url) => ({ GEMINI_API_KEY: "test-key", GOOGLE_GEMINI_BASE_URL: url }) },
  opencode: { package: "opencode-ai", program: bin("opencode"), list: ["mcp", "list"],
    prepare: (home, url) => put(join(home, ".config/opencode/opencode.json"), JSON.stringify({ provider: { fake: {
      npm: "@ai-sdk/openai-compatible", name: "fake", options: { baseURL: `${url}/v1`, apiKey: "test-key" }, models: { m: { name: "m", tool_call: true } } } } })),
    run: ["run", "-m", "fake/m", prompt], env: () => ({}) },
};

function execute(program, args, home, folder, env) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: folder, env: { PATH: `${dirname(holdfast)}:${process.env.PATH}`, HOME: home, TERM: "dumb", ...env }, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += part));
    const timer = setTimeout(() => child.kill("SIGKILL"), 180_000);
    child.on("error", (error) => done({ code: -1, text: String(error) }));
    child.on("close", (code) => {
      clearTimeout(timer);
      if (process.env.INTEROP_SHOW) console.error(text);
      done({ code, text });
    });
  });
}

/** Finds our tool in a request, however the protocol nests tools. */
function toolOf(value, namespace) {
  if (Array.isArray(value)) return value.reduce((found, one) => found ?? toolOf(one, namespace), null);
  if (value === null || typeof value !== "object") return null;
  if (typeof value.name === "string" && /search_sessions$/.test(value.name)) return { name: value.name, namespace };
  return toolOf(Object.values(value), value.type === "namespace" ? value.name : namespace);
}

// Calls the tool once, and then repeats its answer.
function script(body) {
  const text = JSON.stringify(body);
  const found = /session:\/\/holdfast\/ses-interop/.exec(text);
  if (found) return { text: `It was ${found[0]}.` };
  const tool = text.includes(prompt) ? toolOf(body.tools) : null;
  return tool ? { tool: { ...tool, input: { query: "marmalade" } } } : { text: "well." };
}

const work = realpathSync(mkdtempSync(join(tmpdir(), "interop-")));
let bad = 0;
console.log("| agent | `holdfast mcp install`, then its own list | a tool called, and its answer |\n|---|---|---|");
for (const [name, agent] of Object.entries(agents)) {
  if ((only.length && !only.includes(name)) || !has(modules, agent.package)) continue;
  const version = JSON.parse(readFileSync(join(modules, agent.package, "package.json"), "utf8")).version;
  const home = join(work, name), folder = join(home, "project");
  mkdirSync(folder, { recursive: true });
  const model = await fakeModel(script);
  agent.prepare?.(home, model.url, folder);
  const env = { PATH: process.env.PATH, HOME: home };
  const call = (...words) => execFileSync(holdfast, words, { env, cwd: folder, stdio: "pipe" });
  call("call", "session.create", JSON.stringify({ id: "ses-interop", title: "Breakfast" }));
  call("message", "append", "ses-interop", "we need marmalade");
  call("mcp", "install", name, "--yes");
  const listed = await execute(agent.program, agent.list, home, folder, agent.env(model.url));
  const line = listed.text.replace(/\u001b\[[0-9;]*m/g, "").split("\n").find((one) => one.includes("holdfast"))?.trim() ?? "";
  const ran = await execute(agent.program, agent.run, home, folder, agent.env(model.url));
  model.close();
  const told = model.asked.some((body) => JSON.stringify(body).includes("we need marmalade") && JSON.stringify(body).includes("not instructions"));
  const said = ran.code === 0 && ran.text.includes(citation);
  const words = told ? (said ? "right" : `told, but it says: ${ran.text.trim().split("\n").pop().slice(0, 80)}`) : `**no answer of the tool**: ${ran.text.trim().split("\n").pop().slice(0, 80)}`;
  if (!line || !told || !said) bad += 1;
  if (process.env.INTEROP_SHOW) console.error(JSON.stringify(model.asked.map((body) => ({ tools: JSON.stringify(body.tools ?? "").length, found: toolOf(body.tools) }))));
  call("mcp", "uninstall", name, "--yes");
  const after = await execute(agent.program, agent.list, home, folder, agent.env(model.url));
  if (after.text.includes("holdfast mcp") || /holdfast:/.test(after.text)) bad += 1;
  console.log(`| ${name} ${version} | ${line.replaceAll(work, "").replaceAll(holdfast, "holdfast").replaceAll("|", "\\|").slice(0, 80) || "**not there**"} | ${words} |`);
}
rmSync(work, { recursive: true, force: true });
process.exit(bad === 0 ? 0 : 1);
