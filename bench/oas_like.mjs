// Does what the Open Agent SDK's FileStorage does, as facts/seed-systems.md section 2
// describes it, for store_bench: a save truncates and rewrites the file, and reads,
// changes and writes the index; an append does not sync; a load parses every line.
//   node oas_like.mjs DIR create N | append N | load FILE
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { join } from "node:path";

const [directory, job, argument] = process.argv.slice(2);
const index = join(directory, "sessions-index.json");

const header = (id, now) => ({
  type: "session_header", id, model: "some-model-1", provider: "none", createdAt: now, updatedAt: now,
  options: { model: "some-model-1", provider: "none" },
});
const message = (id, n, text) => ({
  type: "user", uuid: randomUUID(), session_id: id, message: { role: "user", content: `${n} ${text}` },
  parent_tool_use_id: null, timestamp: new Date().toISOString(),
});

async function updateIndex(id, messages, now) {
  let known = { projectPath: "", sessions: [] };
  try { known = JSON.parse(await readFile(index, "utf8")); } catch { /* start empty, as the SDK does */ }
  const entry = { id, firstPrompt: "", messageCount: messages.length, created: now, modified: now };
  const at = known.sessions.findIndex((session) => session.id === id);
  if (at < 0) known.sessions.push(entry); else known.sessions[at] = entry;
  await writeFile(index, JSON.stringify(known, null, 2) + "\n");
}

async function save(id, messages) {
  const now = Date.now();
  await mkdir(directory, { recursive: true });
  const lines = [header(id, now), ...messages].map((line) => JSON.stringify(line));
  await writeFile(join(directory, `${id}.jsonl`), lines.join("\n") + "\n");
  await updateIndex(id, messages, now);
}

const text = "x".repeat(700);
const id = randomUUID();
let begin = performance.now();
if (job === "create") {
  for (let n = 0; n < Number(argument); ++n) await save(randomUUID(), []);
} else if (job === "append") {
  await save(id, []);
  begin = performance.now();
  for (let n = 0; n < Number(argument); ++n) {
    await appendFile(join(directory, `${id}.jsonl`), JSON.stringify(message(id, n, text)) + "\n");
  }
} else if (job === "load") {
  const lines = (await readFile(argument, "utf8")).split("\n").filter((line) => line.trim());
  const messages = lines.slice(1).map((line) => JSON.parse(line));
  if (messages.length === 0) process.exit(1);
}
console.log((performance.now() - begin) * 1000);  // microseconds
