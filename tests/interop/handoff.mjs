// Checks what agents send to their model when they continue a session of another agent: node handoff.mjs HOLDFAST
// NODE_MODULES [AGENT...]. Hands off to each agent a session for each feature, one each of Holdfast's own store, of the
// archive and of a seed's store, and (with HOLDFAST_CORPUS) the session of each reader with the most tool results. The
// agents run against fake_model.mjs, each in its own home. Prints a Markdown table, and progress on stderr. Fails if a
// text does not reach the model exactly once and in its place, if a call or a result is alone, or if the session cannot
// be read with its new turn.
// INTEROP_ROWS=REGEXP runs only the matching rows, INTEROP_ALL=1 runs every session of the corpus, and INTEROP_SHOW=1
// prints what the agents print and send.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentsOf, asker, execute, faultsOf, longest, put, strings, versionOf } from "./agents.mjs";
import { fakeModel } from "./fake_model.mjs";
import { features, id } from "./feature_session.mjs";
import { has } from "./packages.mjs";

const [holdfast, modules, ...only] = process.argv.slice(2);
const agents = agentsOf(modules);
const ask = asker(holdfast);
const go = "please go on";

// Hands off a source to the agent, lets it continue, and returns the faults.
async function carry(name, agent, work, { source, env = {}, said, images = [], ...more }) {
  const home = mkdtempSync(join(work, `${name}-`)), folder = join(home, "project");
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(home, agent.root), { recursive: true });
  const output = agent.imports ? join(home, "import") : env.HOME ? join(home, agent.root) : "";
  const made = ask(["handoff", ...source, "--to", name, "--project", folder, ...(output ? ["--output", output] : [])], { HOME: home, ...env });
  const session = { id: made.id, file: made.file };
  const model = await fakeModel();
  agent.prepare?.(home, model.url, folder);
  let failure = agent.take ? await execute(agent.take(session.file), home, folder) : "";
  failure ||= await execute(agent.goOn(model.url, go, session), home, folder);
  model.close();
  const last = longest(model, go);
  if (process.env.INTEROP_SHOW) console.error(JSON.stringify(last, null, 1));
  if (failure || !last) return { faults: [failure || "asked nothing"] };
  const faults = faultsOf(last, said, { ...more, images: agent.blind ? [] : images });
  try {
    const { messages } = ask(["show", `${name}/${made.id}`], { HOME: home });
    const shown = strings(messages).join("\n");
    const unread = said.filter((one) => !shown.includes(one));
    if (unread.length) faults.push(`not shown afterwards: ${JSON.stringify(unread[0].slice(0, 60))}`);
    if (!shown.includes(go) || !shown.includes("well.")) faults.push("the new turn is not read");
  } catch (error) {
    faults.push(`cannot be read: ${String(error.stderr ?? error).trim().slice(0, 120)}`);
  }
  if (!process.env.INTEROP_KEEP) rmSync(home, { recursive: true, force: true });
  return { faults, sent: said.length };
}

const readers = { "claude-code": ".claude", codex: ".codex", gemini: ".gemini", opencode: ".local/share/opencode", qwen: ".qwen", pi: ".pi/agent",
                  copilot: ".copilot", continue: ".continue", openclaw: ".openclaw" };

// The sessions of a reader, those with the most tool results first, and the texts of one since it was last compacted.
const storeOf = (layout) => `${layout}:${join(process.env.HOLDFAST_CORPUS, layout, readers[layout])}`;
const listed = (layout) => ask(["ls", "--store", storeOf(layout)]).sessions.sort((a, b) => (b.counts?.tool_results ?? 0) - (a.counts?.tool_results ?? 0)).map((one) => one.id);
function toldIn(layout, id) {
  const source = [id, "--store", storeOf(layout)];
  const { messages } = ask(["show", ...source]);
  const start = messages.findLastIndex((one) => one.origin === "summary");
  const carried = messages.slice(Math.max(start, 0)).filter((one) => !one.side && !one.failed && !["injected", "notice"].includes(one.origin) && one.role !== "system");
  const texts = carried.flatMap((one) => (one.blocks ?? []).flatMap((block) => (["text", "thinking"].includes(block.type) ? [block.text] : block.type === "tool_result" ? [block.output] : [])))
    .filter((one) => typeof one === "string" && one.trim()).map((one) => one.trim());
  return { source, said: texts, whole: strings(messages).join("\n") };
}

// The sources by row. Each is created in `work` when its row runs.
function sourcesOf(work) {
  const made = {};
  for (const [feature, { lines, files = {}, rescue, ...more }] of Object.entries(features("/srv/source"))) {
    made[feature] = () => {
      const root = join(work, feature.replaceAll(/\W/g, "-")), project = "projects/-srv-source";
      const at = (place) => join(root, place, project, `${id}.jsonl`);
      put(at(rescue ? "damaged" : ""), lines.join("\n") + "\n");
      for (const [path, text] of Object.entries(files)) put(join(root, project, path), text.join("\n") + "\n");
      if (rescue) mkdirSync(join(root, project), { recursive: true });
      if (rescue && !existsSync(at(""))) execFileSync(holdfast, ["rescue", at("damaged"), "--output", at("")], { stdio: "pipe" });
      return { source: [id, "--store", `claude-code:${root}`], ...more };
    };
  }
  const turns = made["several tools at once"]();
  const fresh = (name) => {
    const home = join(work, name);
    const begun = !existsSync(home);
    mkdirSync(home, { recursive: true });
    return { home, begun };
  };
  made["of Holdfast's own store"] = () => {
    const { home, begun } = fresh("native");
    if (begun) ask(["handoff", ...turns.source, "--to", "holdfast", "--project", home], { HOME: home });
    return { ...turns, source: ["@last", "--store", `holdfast:${join(home, ".local/share/holdfast")}`] };
  };
  made["of the archive"] = () => {
    const { home, begun } = fresh("archive");
    const file = join(home, `.claude/projects/-srv-source/${id}.jsonl`);
    if (begun) {
      put(file, features("/srv/source")["several tools at once"].lines.join("\n") + "\n");
      ask(["archive", "run"], { HOME: home });
      rmSync(join(home, ".claude"), { recursive: true });
    }
    return { ...turns, source: [id], env: { HOME: home } };
  };
  made["of a store of the Open Agent SDK"] = () => {
    const { home, begun } = fresh("open-agent");
    const store = `open-agent:${join(home, ".open-agent")}`;
    if (begun) {
      mkdirSync(join(home, ".open-agent"));
      const { messages } = ask(["show", ...turns.source]);
      ask(["session", "create", "--project", home, "--store", store], { HOME: home });
      for (const { role, blocks } of messages) ask(["message", "append", "@last", "--message", JSON.stringify({ role, blocks }), "--store", store], { HOME: home });
    }
    return { ...turns, source: ["@last", "--store", store] };
  };
  for (const layout of process.env.HOLDFAST_CORPUS ? Object.keys(readers) : []) {
    const ids = listed(layout);
    made[`of ${layout}`] = () => toldIn(layout, ids[0]);
    for (const id of process.env.INTEROP_ALL ? ids : []) made[`of ${layout}, ${id}`] = () => toldIn(layout, id);
  }
  return made;
}

const work = realpathSync(mkdtempSync(join(tmpdir(), "interop-")));
const rows = Object.entries(sourcesOf(join(work, "sources"))).filter(([row]) => new RegExp(process.env.INTEROP_ROWS ?? "").test(row));
const table = rows.map(([row]) => [row]), head = [""];
let bad = 0;
for (const [name, agent] of Object.entries(agents)) {
  if ((only.length && !only.includes(name)) || !has(modules, agent.package)) continue;
  head.push(`${name} ${versionOf(modules, agent)}`);
  for (const [n, [row, source]] of rows.entries()) {
    const { faults, sent } = await carry(name, agent, work, source());
    bad += faults.length ? 1 : 0;
    table[n].push(faults.length ? `**${faults.join("; ")}**` : sent);
    console.error(`${head.at(-1)}, ${row}: ${table[n].at(-1)}`);
  }
}
for (const cells of [head, head.map(() => "---"), ...table]) console.log(`| ${cells.join(" | ")} |`);
if (!process.env.INTEROP_KEEP) rmSync(work, { recursive: true, force: true });
process.exit(bad === 0 ? 0 : 1);
