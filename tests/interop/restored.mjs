// Real agents continue sessions that were deleted and restored from the archive: node restored.mjs HOLDFAST
// NODE_MODULES [AGENT...]. In its own home, the agent has a session of three turns, the first with a tool, and one that
// was handed off and is ten months old. Both are archived, all files of the agent are deleted, and `holdfast restore`
// brings the sessions back. Then the agent starts another session, so that it cleans up, and continues both. Prints a
// Markdown table. Fails if a file comes back different or is cleaned up, or if a text does not reach the model.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentsOf, asker, execute, faultsOf, longest, put, strings, versionOf } from "./agents.mjs";
import { fakeModel } from "./fake_model.mjs";
import { features, id as sourceId } from "./feature_session.mjs";
import { has } from "./packages.mjs";

const [holdfast, modules, ...only] = process.argv.slice(2);
const ask = asker(holdfast);
const agents = agentsOf(modules);
const long = new Date(Date.UTC(2026, 0, 1));

function filesBelow(root, found = {}) {
  for (const entry of existsSync(root) ? readdirSync(root, { withFileTypes: true }) : []) {
    const path = join(root, entry.name);
    if (entry.isDirectory()) filesBelow(path, found);
    else if (entry.isFile()) found[path] = readFileSync(path);
  }
  return found;
}

// Whether the bytes are the same. An old session of Gemini CLI may also have a new lastUpdated.
function isSame(before, after) {
  const more = before ? after.subarray(before.length).toString() : "?";
  return before !== undefined && after.subarray(0, before.length).equals(before) && (more === "" || /^\{"\$set":\{"lastUpdated":"[^"]+"\}\}\n$/.test(more));
}

// What the model answers to the last prompt: one command, and then text.
const told = ["first question here", "echo output of it", "output of it", "first words back", "second question here", "second words back"];
const scriptOf = (agent) => (body) => {
  const text = JSON.stringify(body.messages ?? body.input ?? body.contents);
  if (text.includes("third question")) return { text: "third words back" };
  if (text.includes(told[4])) return { text: told[5] };
  if (!text.includes(told[0])) return { text: "well.", after: 15_000 };  // Claude Code cleans up after it has run for five seconds
  const called = /"tool_use"|"function_call"|"tool_calls"|"functionCall"/.test(text);
  return called || !body.tools?.length ? { text: told[3] } : { tool: agent.shell(told[1]) };
};

// Makes a session look ten months old, including today's times that the client wrote.
function makeOld(file) {
  const today = new Date().toISOString().slice(0, 10), then = long.toISOString().slice(0, 10);
  const text = readFileSync(file, "utf8").replaceAll(`${today}T`, `${then}T`).replaceAll(/\b1[78]\d{11}\b/g, String(long.getTime()));
  writeFileSync(file, text);
  utimesSync(file, long, long);
}

// Returns the columns of an agent's row. Throws what went wrong.
async function run(name, agent, work) {
  const home = mkdtempSync(join(work, `${name}-`)), folder = join(home, "project"), root = join(home, agent.root), env = { HOME: home };
  mkdirSync(folder);
  mkdirSync(root, { recursive: true });
  const model = await fakeModel(scriptOf(agent));
  const go = async (what, command) => {
    const failure = await execute(command, home, folder);
    if (failure) throw new Error(`${what}: ${failure}`);
  };
  const begin = (words) => go("begins", agent.begin(model.url, words));
  const fileOf = (id) => join(root, ask(["session", "get", `${name}/${id}`], env).session.path);
  const goOn = async (words, id) => {
    model.asked.length = 0;
    await go("goes on", agent.goOn(model.url, words, { id, file: fileOf(id) }));
    return longest(model, words);
  };
  const isThere = (id) => ask(["session", "get", `${name}/${id}`], env).session.status !== "archived";
  const restore = async (id, ...options) => {
    const answer = ask(["restore", id, ...options], env);
    if (agent.take) await go("takes in", agent.take(answer.next.slice("opencode import ".length)));
    return answer;
  };
  const forget = () => {
    rmSync(root, { recursive: true });
    mkdirSync(root, { recursive: true });
    agent.prepare?.(home, model.url, folder);
  };
  try {
    agent.prepare?.(home, model.url, folder);
    await begin(told[0]);
    const own = ask(["ls"], env).sessions[0].id;
    await goOn(told[4], own);
    const { lines, said } = features("/srv/source")["several tools at once"];
    put(join(home, `source/projects/-srv-source/${sourceId}.jsonl`), lines.join("\n") + "\n");
    const handed = ask(["handoff", sourceId, "--store", `claude-code:${join(home, "source")}`, "--to", name, "--project", folder, ...(agent.take ? ["--output", join(home, "import")] : [])], env);
    makeOld(handed.file);
    if (agent.take) await go("takes in", agent.take(handed.file));
    const old = handed.id;

    // The faults for a session that was never deleted, because some agents do not send that correctly either.
    const kept = join(home, "kept");
    cpSync(root, kept, { recursive: true, preserveTimestamps: true });
    const whole = strings(ask(["show", `${name}/${own}`], env).messages).join("\n");
    const usual = faultsOf(await goOn("third question", own), told, { whole });
    rmSync(root, { recursive: true });
    cpSync(kept, root, { recursive: true, preserveTimestamps: true });

    ask(["archive", "run"], env);
    const before = filesBelow(root);
    forget();
    for (const id of [own, old]) if (isThere(id)) throw new Error(`${id} is there after it was deleted`);

    // Does the agent clean up the session if it is restored with its old times?
    await restore(old, "--exact-times");
    await begin("another matter");
    const cleaned = !isThere(old);
    forget();

    const faults = [];
    for (const id of [own, old]) {
      const answer = await restore(id);
      if (!agent.take)
        for (const file of answer.files) if (!isSame(before[join(root, file)], readFileSync(join(root, file)))) faults.push(`${file} is different`);
    }
    await begin("yet another matter");
    for (const [id, kind] of [[own, "its own"], [old, "the old one"]]) if (!isThere(id)) faults.push(`${kind} was cleaned away`);
    if (faults.length) return { cleaned, faults };
    const sent = {};
    for (const [id, kind, texts] of [[own, "its own", told], [old, "the old one", said]]) {
      const last = await goOn("third question", id);
      const wrong = last ? faultsOf(last, texts, kind === "its own" ? { whole } : {}) : ["asked nothing"];
      const worse = kind === "its own" ? wrong.filter((one) => !usual.some((other) => other.replace(/\d+/, "") === one.replace(/\d+/, ""))) : wrong;
      faults.push(...worse.map((one) => `${kind}: ${one}`));
      const shown = strings(ask(["show", `${name}/${id}`], env).messages).join("\n");
      for (const one of [...texts, "third words back"]) if (!shown.includes(one)) faults.push(`${kind}: not shown afterwards: ${one}`);
      sent[kind] = wrong.length ? `${texts.length}, as without the archive: ${wrong.join("; ")}` : texts.length;
    }
    return { cleaned, faults, sent };
  } finally {
    model.close();
  }
}

const work = realpathSync(mkdtempSync(join(tmpdir(), "interop-")));
let bad = 0;
console.log("| agent | restored with its old times | restored: a session of its own | an old one |\n|---|---|---|---|");
for (const [name, agent] of Object.entries(agents)) {
  if ((only.length && !only.includes(name)) || !has(modules, agent.package)) continue;
  const seen = await run(name, agent, work).catch((error) => ({ faults: [String(error.stderr?.toString().trim() || error.message)] }));
  bad += seen.faults.length ? 1 : 0;
  const words = seen.faults.length ? [`**${seen.faults.join("; ")}**`, ""] : [seen.sent["its own"], seen.sent["the old one"]];
  console.log(`| ${name} ${versionOf(modules, agent)} | ${seen.cleaned === undefined ? "" : seen.cleaned ? "deleted at the next start" : "stays"} | ${words.join(" | ")} |`);
}
if (!process.env.INTEROP_KEEP) rmSync(work, { recursive: true, force: true });
process.exit(bad === 0 ? 0 : 1);
