// Checks what agents send to their model when they continue a session that lost a tool call or its
// result, and a rescued copy of it: node resume.mjs HOLDFAST NODE_MODULES. The agents run against
// fake_model.mjs, each in its own home. Prints a Markdown table. Fails if a whole record of a rescued
// copy does not reach the model, or if a call or a result is alone.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fakeModel } from "./fake_model.mjs";
import * as sessions from "./tool_sessions.mjs";
import { has } from "./packages.mjs";

const [holdfast, modules] = process.argv.slice(2);
const { id, said } = sessions;
const platform = `${process.platform}-${process.arch}`;
const go = "go on";

// How to run each agent in `home`, with the project `folder` and the model at `url`.
const agents = [
  { call: "claude --resume", package: "@anthropic-ai/claude-agent-sdk", lines: sessions.claude,
    path: (folder) => `.claude/projects/${folder.replace(/[^a-zA-Z0-9]/g, "-")}/${id}.jsonl`,
    run: (home, url) => [join(modules, `@anthropic-ai/claude-agent-sdk-${platform}/claude`), ["-p", go, "--resume", id, "--model", "claude-opus-5-5"],
                         { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "test-key", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" }] },
  { call: "codex exec resume", package: "@openai/codex", lines: sessions.codex,
    path: () => `.codex/sessions/2026/01/01/rollout-2026-01-01T00-10-00-${id}.jsonl`,
    prepare: (home, url) => put(join(home, ".codex/config.toml"),
      `model = "m"\nmodel_provider = "fake"\n[model_providers.fake]\nname = "fake"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n`),
    run: () => [join(modules, ".bin/codex"), ["exec", "--skip-git-repo-check", "resume", id, go], { FAKE_KEY: "test-key" }] },
  { call: "pi --session", package: "@mariozechner/pi-coding-agent", lines: sessions.pi,
    path: () => `.pi/agent/sessions/--p--/2026-01-01T00-10-00-000Z_${id}.jsonl`,
    prepare: (home, url) => put(join(home, ".pi/agent/models.json"),
      JSON.stringify({ providers: { fake: { baseUrl: url, api: "anthropic-messages", apiKey: "test-key", models: [{ id: "m" }] } } })),
    run: (home, url, file) => [join(modules, ".bin/pi"), ["-p", "--session", file, "--provider", "fake", "--model", "m", go], { PI_OFFLINE: "1" }] },
  { call: "gemini --resume", package: "@google/gemini-cli", lines: sessions.gemini,
    path: (folder) => `.gemini/tmp/${folder.split("/").pop()}/chats/session-2026-01-01T00-10-${id.slice(0, 8)}.jsonl`,
    prepare: (home, _, folder) => {
      const slug = folder.split("/").pop();
      put(join(home, ".gemini/projects.json"), JSON.stringify({ projects: { [folder]: slug } }));
      put(join(home, `.gemini/tmp/${slug}/.project_root`), folder);
      put(join(home, ".gemini/settings.json"), JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } }, privacy: { usageStatisticsEnabled: false } }));
    },
    run: (home, url) => [join(modules, ".bin/gemini"), ["--resume", id, "-p", go, "-m", "gemini-2.5-flash", "--skip-trust"],
                         { GEMINI_API_KEY: "test-key", GOOGLE_GEMINI_BASE_URL: url }] },
];

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

// Counts calls without a result and results without a call in a request of any protocol. The result must be in
// the next message (in Responses, in any later one), and after its call.
function alone(body) {
  const of = (value) => {
    const found = { calls: [], results: [] };
    const look = (one) => {
      if (Array.isArray(one)) return one.forEach(look);
      if (one === null || typeof one !== "object") return;
      if (one.type === "tool_use") found.calls.push(one.id);
      else if (one.type === "tool_result") found.results.push(one.tool_use_id);
      else if (one.type === "function_call") found.calls.push(one.call_id);
      else if (one.type === "function_call_output") found.results.push(one.call_id);
      else if (one.functionCall) found.calls.push(one.functionCall.id);
      else if (one.functionResponse) found.results.push(one.functionResponse.id);
      else Object.values(one).forEach(look);
    };
    look(value);
    return found;
  };
  const talk = (body.messages ?? body.input ?? body.contents).map(of);
  return talk.reduce((sum, { calls, results }, n) => {
    const answers = (body.input ? talk.slice(n + 1) : talk.slice(n + 1, n + 2)).flatMap((one) => one.results);
    const asked = talk.slice(0, n).flatMap((one) => one.calls);
    return sum + calls.filter((call) => !answers.includes(call)).length + results.filter((result) => !asked.includes(result)).length;
  }, 0);
}

function execute([program, args, env], home, folder) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: folder, env: { PATH: process.env.PATH, HOME: home, TERM: "dumb", ...env }, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += part));
    const timer = setTimeout(() => child.kill("SIGKILL"), 60000);
    child.on("error", (error) => done(String(error)));
    child.on("close", (code) => (clearTimeout(timer), done(code === 0 ? "" : `fails: ${text.trim().split("\n").pop().slice(0, 60)}`)));
    if (process.env.INTEROP_SHOW) child.on("close", () => console.error(text));
  });
}

// Counts the texts of `said` that reach the model, and the calls and results that are alone.
async function resume(agent, home, folder, file) {
  const model = await fakeModel();
  agent.prepare?.(home, model.url, folder);
  const failure = await execute(agent.run(home, model.url, file), home, folder);
  model.close();
  const requests = model.asked.filter((body) => JSON.stringify(body).includes(go));
  const last = requests.at(-1);
  if (failure || !last) return { told: 0, halves: 0, text: failure || "asked nothing" };
  const told = said.filter((text) => JSON.stringify(last).includes(text)).length, halves = alone(last);
  return { told, halves, text: `${told}${halves ? `, ${halves} alone` : ""}` };
}

const faults = { none: [], "half first line": ["first"], "the result of a tool lost": ["result"], "the call of a tool lost": ["call"] };
const work = realpathSync(mkdtempSync(join(tmpdir(), "interop-")));
let bad = 0;
console.log("| loader | fault | whole texts | sent to the model before | sent from the rescued copy |\n|---|---|---|---|---|");
for (const agent of agents) {
  if (!has(modules, agent.package)) continue;
  const version = JSON.parse(readFileSync(join(modules, agent.package, "package.json"), "utf8")).version;
  for (const [fault, lost] of Object.entries(faults)) {
    const store = (kind) => {
      const home = join(work, `${agent.call} ${fault} ${kind}`.replaceAll(" ", "-")), folder = join(home, "project");
      mkdirSync(folder, { recursive: true });
      mkdirSync(dirname(join(home, agent.path(folder))), { recursive: true });
      return { home, folder, file: join(home, agent.path(folder)) };
    };
    const damaged = store("damaged"), copy = store("rescued");
    const write = ({ folder, file }) => {
      const { lines, ...place } = agent.lines(folder);
      for (const what of lost) lines[place[what]] = lines[place[what]].slice(0, lines[place[what]].length / 2);
      writeFileSync(file, lines.join("\n") + "\n");
      const sound = lines.filter((_, n) => !lost.some((what) => place[what] === n)).join("\n");
      return said.filter((text) => sound.includes(text)).length;
    };
    const whole = write(damaged);
    const source = join(copy.home, "damaged", basename(copy.file));
    mkdirSync(dirname(source));
    write({ ...copy, file: source });
    execFileSync(holdfast, ["rescue", source, "--output", copy.file], { stdio: "pipe" });
    const before = await resume(agent, damaged.home, damaged.folder, damaged.file);
    const after = await resume(agent, copy.home, copy.folder, copy.file);
    if (after.told !== whole || after.halves !== 0) bad += 1;
    console.log(`| ${agent.package.split("/")[1]} ${version} \`${agent.call}\` | ${fault} | ${whole} | ${before.told === whole && !before.halves ? before.text : `**${before.text}**`} | ${after.text} |`);
  }
}
if (!process.env.INTEROP_SHOW) rmSync(work, { recursive: true });
process.exit(bad === 0 ? 0 : 1);
