// Tests `holdfast mcp` with the command line of the MCP inspector: node mcp_inspector.mjs HOLDFAST NODE_MODULES. In both
// eras of the protocol, it lists the tools (--strict checks their schemas) and calls one. The inspector needs Node 22
// (on npm as node-linux-ARCH). Prints a Markdown table.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { has } from "./packages.mjs";

const [holdfast, modules] = process.argv.slice(2);
const nodePackage = `node-linux-${process.arch}`, name = "@modelcontextprotocol/inspector";
if (!has(modules, nodePackage) || !has(modules, name)) process.exit(0);
const about = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
const program = join(modules, name, about.bin["mcp-inspector"]);

const home = mkdtempSync(join(tmpdir(), "holdfast-inspector-"));
const env = { PATH: process.env.PATH, HOME: home, MCP_INSPECTOR_SECRET_STORE: "memory" };
const call = (...words) => execFileSync(holdfast, words, { env, cwd: home, stdio: "pipe" });
call("call", "session.create", JSON.stringify({ id: "ses-inspected", title: "Breakfast" }));
call("message", "append", "ses-inspected", "we need marmalade");
const config = join(home, "inspector.json");
const eras = ["legacy", "modern"];
writeFileSync(config, JSON.stringify({ mcpServers: Object.fromEntries(eras.map((era) => [era, { command: holdfast, args: ["mcp"], protocolEra: era }])) }));

function inspect(era, ...words) {
  const ran = spawnSync(join(modules, nodePackage, "bin/node"), [program, "--cli", "--config", config, "--server", era, "--format", "json", ...words],
                        { env, cwd: home, encoding: "utf8", timeout: 120_000, maxBuffer: 1 << 26 });
  if (process.env.INTEROP_SHOW) console.error(ran.stdout, ran.stderr);
  assert.equal(ran.status, 0, `exit ${ran.status}: ${ran.stderr.trim().split("\n").pop()}`);
  const answer = JSON.parse(ran.stdout);
  return answer.result ?? answer;
}

let bad = 0;
console.log(`| ${name} ${about.version} --cli | \`tools/list --strict\` | \`tools/call search_sessions\` |\n|---|---|---|`);
for (const era of eras) {
  try {
    const { tools } = inspect(era, "--method", "tools/list", "--strict");
    assert.equal(tools.length, 7);
    assert.ok(tools.every((tool) => tool.outputSchema && tool.annotations.readOnlyHint));
    const { structuredContent } = inspect(era, "--method", "tools/call", "--tool-name", "search_sessions", "--tool-args-json", '{"query":"marmalade"}');
    const [session] = structuredContent.sessions;
    assert.equal(session.citation, "session://holdfast/ses-inspected");
    assert.equal(session.excerpts[0].text, "we need marmalade");
    assert.match(structuredContent.notice, /not instructions/);
    console.log(`| ${era} | ${tools.length} tools, no error in a schema | right |`);
  } catch (error) {
    bad += 1;
    console.log(`| ${era} | **failed**: ${error.message.split("\n")[0]} | |`);
  }
}
rmSync(home, { recursive: true, force: true });
process.exit(bad === 0 ? 0 : 1);
