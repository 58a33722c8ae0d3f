// Checks what the agents' own loaders read of damaged sessions and of rescued copies:
// node interop.mjs HOLDFAST NODE_MODULES. Prints a Markdown table. Fails if a loader
// reads less of a rescued copy than there are whole records.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { has } from "./packages.mjs";

const [holdfast, modules] = process.argv.slice(2);
const packages = createRequire(join(modules, "x.js"));
const id = "0199a000-0000-7000-8000-0000000000a1";
const stamp = (n) => `2026-01-01T00:${String(10 + Math.floor(n / 60)).padStart(2, "0")}:${String(n % 60).padStart(2, "0")}.000Z`;
const manifest = (name) => JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));

const claudeLines = () =>
  Array.from({ length: 60 }, (_, n) => {
    const user = n % 2 === 0;
    const message = user
      ? { role: "user", content: `question ${n}` }
      : { id: `r${n}`, role: "assistant", model: "m", content: [{ type: "text", text: `answer ${n}` }], usage: { output_tokens: 1 } };
    const uuid = (k) => `00000000-0000-4000-8000-${String(k).padStart(12, "0")}`;
    return JSON.stringify({ parentUuid: n ? uuid(n - 1) : null, isSidechain: false, type: user ? "user" : "assistant", message,
                            uuid: uuid(n), timestamp: stamp(n), sessionId: id, cwd: "/p", version: "2.1.325", userType: "external" });
  });

const piLines = () => [
  JSON.stringify({ type: "session", version: 3, id, timestamp: stamp(0), cwd: "/p" }),
  ...Array.from({ length: 60 }, (_, n) => {
    const message = n % 2 === 0
      ? { role: "user", content: `question ${n}`, timestamp: Date.parse(stamp(n)) }
      : { role: "assistant", content: [{ type: "text", text: `answer ${n}` }], api: "x", provider: "x", model: "m", stopReason: "stop",
          timestamp: Date.parse(stamp(n)),
          usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } } };
    const name = (k) => String(10000000 + k);
    return JSON.stringify({ type: "message", id: name(n), parentId: n ? name(n - 1) : null, timestamp: stamp(n), message });
  }),
];

const codexLines = () => [
  JSON.stringify({ timestamp: stamp(0), type: "session_meta",
                   payload: { id, timestamp: stamp(0), cwd: "/tmp", originator: "codex_exec", cli_version: "0.166.0", source: "exec", model_provider: "openai" } }),
  ...Array.from({ length: 15 }, (_, n) => [
    { type: "event_msg", payload: { type: "user_message", message: `question ${n}`, images: [] } },
    { type: "response_item", payload: { type: "message", role: "user", content: [{ type: "input_text", text: `question ${n}` }] } },
    { type: "event_msg", payload: { type: "agent_message", message: `answer ${n}` } },
    { type: "response_item", payload: { type: "message", role: "assistant", content: [{ type: "output_text", text: `answer ${n}` }] } },
  ]).flat().map((record, n) => JSON.stringify({ timestamp: stamp(n + 1), ...record })),
];

// The text of the log with one fault each.
const faults = (lines, victim) => {
  const change = (work) => {
    const copy = [...lines];
    work(copy);
    return copy.join("\n") + "\n";
  };
  const half = (at) => change((all) => (all[at] = all[at].slice(0, all[at].length / 2)));
  return {
    none: change(() => {}),
    "half line in the middle": half(victim),
    "half line near the end": half(lines.length - 3),
    "glued pair": change((all) => all.splice(victim, 2, all[victim] + all[victim + 1])),
    "NUL bytes before a record": change((all) => (all[victim] = "\0".repeat(4096) + all[victim])),
    "half first line": half(0),
  };
};

async function claude(folder) {
  const { getSessionMessages } = await import(pathToFileURL(packages.resolve("@anthropic-ai/claude-agent-sdk")));
  process.env.CLAUDE_CONFIG_DIR = folder;
  return (await getSessionMessages(id, {})).length;
}

async function pi(_, file) {
  const { SessionManager } = await import(pathToFileURL(join(modules, "@mariozechner/pi-coding-agent/dist/core/session-manager.js")));
  const copy = `${file}.open`;  // pi may rewrite the file that it opens
  writeFileSync(copy, readFileSync(file));
  return SessionManager.open(copy).buildSessionContext().messages.length;
}

// Counts turns and items with thread/read of the app server.
function codex(folder) {
  const binary = join(modules, ".bin", "codex");
  return new Promise((resolve, reject) => {
    const server = spawn(binary, ["app-server"], { env: { ...process.env, CODEX_HOME: folder }, stdio: ["pipe", "pipe", "ignore"] });
    server.on("error", reject);
    const timer = setTimeout(() => (server.kill(), reject(new Error("no answer"))), 30000);
    const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
    createInterface({ input: server.stdout }).on("line", (line) => {
      const answer = JSON.parse(line);
      if (answer.id === 1) {
        send({ method: "initialized" });
        send({ id: 2, method: "thread/read", params: { threadId: id, includeTurns: true } });
      }
      if (answer.id === 2) {
        clearTimeout(timer);
        server.kill();
        if (answer.error) return resolve(0);
        const turns = answer.result.thread.turns ?? [];
        resolve(turns.reduce((sum, turn) => sum + turn.items.length, 0));
      }
    });
    send({ id: 1, method: "initialize", params: { clientInfo: { name: "interop", version: "1" } } });
  });
}

const agents = [
  { name: "@anthropic-ai/claude-agent-sdk", call: "getSessionMessages", read: claude, lines: claudeLines(), victim: 30,
    path: `projects/-p/${id}.jsonl`, whole: { none: 60, "half line in the middle": 59, "half line near the end": 59, "glued pair": 60, "NUL bytes before a record": 60, "half first line": 59 } },
  { name: "@openai/codex", call: "thread/read", read: codex, lines: codexLines(), victim: 30,
    path: `sessions/2026/01/01/rollout-2026-01-01T00-00-00-${id}.jsonl`, whole: { none: 30, "glued pair": 30, "NUL bytes before a record": 30, "half first line": 30 } },
  { name: "@mariozechner/pi-coding-agent", call: "SessionManager", read: pi, lines: piLines(), victim: 30,
    path: `sessions/--p--/2026-01-01T00-00-00-000Z_${id}.jsonl`, whole: { none: 60, "half line in the middle": 59, "half line near the end": 59, "glued pair": 60, "NUL bytes before a record": 60, "half first line": 60 } },
];

const work = mkdtempSync(join(tmpdir(), "interop-"));
const attempt = async (read, folder, file) => {
  try {
    return await read(folder, file);
  } catch (error) {
    return `error: ${String(error.message).split("\n")[0].slice(0, 60)}`;
  }
};
let bad = 0;
console.log("| loader | fault | whole messages | read before | read from the rescued copy |\n|---|---|---|---|---|");
for (const agent of agents) {
  if (!has(modules, agent.name)) continue;
  let round = 0;
  for (const [fault, text] of Object.entries(faults(agent.lines, agent.victim))) {
    const store = (kind) => {
      const folder = join(work, `${agent.name.replace("/", "_")}-${++round}-${kind}`);
      mkdirSync(dirname(join(folder, agent.path)), { recursive: true });
      return folder;
    };
    const damaged = store("damaged"), clean = store("rescued");
    writeFileSync(join(damaged, agent.path), text);
    execFileSync(holdfast, ["rescue", join(damaged, agent.path), "--output", join(clean, agent.path)], { stdio: "pipe" });
    const before = await attempt(agent.read, damaged, join(damaged, agent.path));
    const after = await attempt(agent.read, clean, join(clean, agent.path));
    const whole = agent.whole[fault];
    if (whole !== undefined && after !== whole) bad += 1;
    console.log(`| ${agent.name.split("/")[1]} ${manifest(agent.name).version} ${agent.call} | ${fault} | ${whole ?? ""} | ${whole === undefined || before === whole ? before : `**${before}**`} | ${after} |`);
  }
}
rmSync(work, { recursive: true });
process.exit(bad === 0 ? 0 : 1);
