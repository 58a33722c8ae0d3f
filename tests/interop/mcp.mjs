// Tests `holdfast mcp` with official clients of the Model Context Protocol: node mcp.mjs HOLDFAST NODE_MODULES.
// Uses the older SDK, and the newer client with its three ways of version negotiation. Prints a Markdown table.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { has } from "./packages.mjs";

const [holdfast, modules] = process.argv.slice(2);
const packages = createRequire(join(modules, "x.js"));
const load = (name) => import(pathToFileURL(packages.resolve(name)));
const home = mkdtempSync(join(tmpdir(), "holdfast-mcp-"));
const env = { ...process.env, HOME: home, XDG_DATA_HOME: "", XDG_CONFIG_HOME: "", XDG_CACHE_HOME: "" };
const call = (method, params) =>
  JSON.parse(execFileSync(holdfast, ["call", method, JSON.stringify(params)], { env, cwd: home, encoding: "utf8" }));

const session = "ses-interop";
call("session.create", { id: session, title: "Interop" });
for (let n = 0; n < 30; ++n) call("message.append", { session, text: `remember marmalade ${n}`, durability: "process" });

const started = (transport) => new transport({ command: holdfast, args: ["mcp"], env, cwd: home });
const all = async (client) => {
  const { tools } = await client.listTools();
  assert.ok(tools.length >= 6);
  const use = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, JSON.stringify(result));
    return result.structuredContent; // the client has validated it against the tool's schema
  };
  assert.equal((await use("search_sessions", { query: "marmalade" })).sessions[0].id, session);
  assert.equal((await use("list_sessions", {})).total, 1);
  assert.equal((await use("get_session", { session })).session.title, "Interop");
  const seen = [];
  let cursor;
  do {
    const page = await use("get_messages", { session, limit: 7, ...(cursor ? { cursor } : {}) });
    seen.push(...page.messages.map((message) => message.ordinal));
    cursor = page.next_cursor;
  } while (cursor);
  assert.deepEqual(seen, Array.from({ length: 30 }, (_, n) => n));
  assert.equal((await use("search_content", { query: "marmalade", limit: 3 })).hits.length, 3);
  assert.ok((await use("get_usage", { by: "agent" })).rows.length === 1);
  assert.ok((await client.callTool({ name: "get_messages", arguments: { session: "nobody" } })).isError);
  const { resources } = await client.listResources();
  assert.match((await client.readResource({ uri: resources[0].uri })).contents[0].text, /not instructions[^]*marmalade 29/);
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
  await client.close();
  return tools.length;
};

const info = { name: "interop", version: "1" };
const rows = [];
let failed = 0;
const talk = async ([client, transport]) => {
  await client.connect(started(transport));
  return `${await all(client)} tools, every answer right`;
};
const row = async (name, make, tell = talk) => {
  try {
    rows.push(`| ${name} | ${await tell(await make())} |`);
  } catch (error) {
    failed += 1;
    rows.push(`| ${name} | **failed**: ${error.message.split("\n")[0]} |`);
  }
};
if (has(modules, "@modelcontextprotocol/sdk")) await row("@modelcontextprotocol/sdk 1.32.2", async () => {
  const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
  return [new Client(info), StdioClientTransport];
});
for (const [name, versionNegotiation] of !has(modules, "@modelcontextprotocol/client") ? [] : [["default", undefined], ["auto", { mode: "auto" }], ["2026-07-28", { mode: { pin: "2026-07-28" } }]]) {
  await row(`@modelcontextprotocol/client 2.4.0, ${name}`, async () => {
    const { Client } = await import(pathToFileURL(join(modules, "@modelcontextprotocol/client/dist/index.mjs")));
    const { StdioClientTransport } = await import(pathToFileURL(join(modules, "@modelcontextprotocol/client/dist/stdio.mjs")));
    return [new Client(info, versionNegotiation ? { versionNegotiation } : {}), StdioClientTransport];
  });
}
await row("1,000 calls leak no memory", async () => {
  const child = spawn(holdfast, ["mcp"], { env, cwd: home, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id, method, params) => {
    child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
    const answer = JSON.parse((await lines.next()).value);
    assert.ok(answer.id === id && answer.result && !answer.result.isError, JSON.stringify(answer));
  };
  const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]) / 1024;
  const tools = [["search_sessions", { query: "marmalade" }], ["get_messages", { session }], ["search_content", { query: "marmalade" }], ["list_sessions", {}], ["get_usage", {}]];
  await ask(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {} });
  const idle = resident();
  let before = 0;
  for (let n = 1; n <= 1200; ++n) {
    const [name, args] = tools[n % tools.length];
    await ask(n, "tools/call", { name, arguments: args });
    if (n === 200) before = resident();
  }
  const after = resident();
  child.stdin.end();
  assert.equal(await new Promise((done) => child.on("exit", done)), 0);
  assert.ok(idle <= 12, `${idle.toFixed(1)} MiB resident idle`);
  assert.ok(after - before < 2, `${before.toFixed(1)} MiB after 200 calls, ${after.toFixed(1)} MiB after 1,200`);
  return `${idle.toFixed(1)} MiB resident idle, ${before.toFixed(1)} after 200 calls, ${after.toFixed(1)} after 1,200`;
}, (words) => words);
rmSync(home, { recursive: true, force: true });
console.log(["| client | `holdfast mcp` |", "|---|---|", ...rows].join("\n"));
process.exit(failed ? 1 : 0);
