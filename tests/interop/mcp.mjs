// Official clients of the Model Context Protocol against `holdfast mcp`: node mcp.mjs HOLDFAST NODE_MODULES.
// The older SDK, and the newer client in its three ways of agreeing on a version. Prints a Markdown table.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

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
    return result.structuredContent; // the client has checked it against the tool's schema
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
const row = async (name, make) => {
  try {
    const [client, transport] = await make();
    await client.connect(started(transport));
    rows.push(`| ${name} | ${await all(client)} tools, every answer right |`);
  } catch (error) {
    failed += 1;
    rows.push(`| ${name} | **failed**: ${error.message.split("\n")[0]} |`);
  }
};
await row("@modelcontextprotocol/sdk 1.32.2", async () => {
  const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
  return [new Client(info), StdioClientTransport];
});
for (const [name, versionNegotiation] of [["default", undefined], ["auto", { mode: "auto" }], ["2026-07-28", { mode: { pin: "2026-07-28" } }]]) {
  await row(`@modelcontextprotocol/client 2.4.0, ${name}`, async () => {
    const { Client } = await import(pathToFileURL(join(modules, "@modelcontextprotocol/client/dist/index.mjs")));
    const { StdioClientTransport } = await import(pathToFileURL(join(modules, "@modelcontextprotocol/client/dist/stdio.mjs")));
    return [new Client(info, versionNegotiation ? { versionNegotiation } : {}), StdioClientTransport];
  });
}
rmSync(home, { recursive: true, force: true });
console.log(["| client | `holdfast mcp` |", "|---|---|", ...rows].join("\n"));
process.exit(failed ? 1 : 0);
