// Runs the conformance runner of the Model Context Protocol on /mcp of `holdfast serve`: node mcp_conformance.mjs
// HOLDFAST NODE_MODULES. Runs only the scenarios that a server can pass without special test tools. The runner needs
// Node 22 (on npm as node-linux-ARCH) and sends no Authorization, so a proxy on 127.0.0.1 adds the token and the Host.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { has } from "./packages.mjs";

const [holdfast, modules] = process.argv.slice(2);
const nodePackage = `node-linux-${process.arch}`, runnerPackage = "@modelcontextprotocol/conformance";
if (!has(modules, nodePackage) || !has(modules, runnerPackage)) process.exit(0);
const node = join(modules, nodePackage, "bin/node"), runner = join(modules, runnerPackage);
const about = JSON.parse(readFileSync(join(runner, "package.json"), "utf8"));
const main = join(runner, typeof about.bin === "string" ? about.bin : Object.values(about.bin)[0]);
const scenarios = [["2025-11-25", "server-initialize"], ["2025-11-25", "ping"], ["2025-11-25", "tools-list"], ["2025-11-25", "resources-list"], ["2025-11-25", "dns-rebinding-protection"],
                   ["2026-07-28", "tools-list"], ["2026-07-28", "resources-list"], ["2026-07-28", "sep-2164-resource-not-found"], ["2026-07-28", "dns-rebinding-protection"], ["2026-07-28", "server-stateless"], ["2026-07-28", "caching"], ["2026-07-28", "http-header-validation"]];

// Checks that a server without prompts and test tools cannot pass.
const known = new Set(["sep-2549-prompts-list-caching-hints", "sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400",
                       "sep-2575-http-server-no-independent-requests-on-stream", "sep-2575-server-no-log-without-loglevel"]);

const home = mkdtempSync(join(tmpdir(), "holdfast-conformance-"));
const env = { PATH: process.env.PATH, HOME: home };
execFileSync(holdfast, ["call", "session.create", JSON.stringify({ id: "ses-a", title: "A" })], { env, cwd: home, stdio: "pipe" });
const child = spawn(holdfast, ["serve", "--json"], { env, cwd: home, stdio: ["ignore", "pipe", "inherit"] });
const [line] = await once(createInterface({ input: child.stdout }), "line");
const { url, token } = JSON.parse(line);
const server = new URL(url);
let own = "";
const proxy = createServer((from, to) => {
  // Replace the proxy's Host by the server's. Keep a wrong Host.
  const headers = { ...from.headers, authorization: `Bearer ${token}`, host: from.headers.host === own ? server.host : from.headers.host };
  if (headers.origin === `http://${own}`) headers.origin = server.origin;
  from.pipe(request({ host: server.hostname, port: server.port, path: from.url, method: from.method, headers }, (answer) => {
    to.writeHead(answer.statusCode, answer.headers);
    answer.pipe(to);
  }).on("error", () => to.destroy()));
});
proxy.listen(0, "127.0.0.1");
await once(proxy, "listening");
own = `127.0.0.1:${proxy.address().port}`;

let bad = 0;
console.log(`| @modelcontextprotocol/conformance ${about.version} on \`/mcp\` | |\n|---|---|`);
for (const [version, scenario] of scenarios) {
  const run = spawn(node, [main, "server", "--url", `http://${own}/mcp`, "--scenario", scenario, "--spec-version", version], { cwd: home, env: { PATH: process.env.PATH, HOME: home }, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [run.stdout, run.stderr]) stream.on("data", (part) => (text += part));
  const [code] = await once(run, "close");
  text = text.replace(/\u001b\[[0-9;]*m/g, "");
  const failures = [...text.matchAll(/\[([a-z0-9-]+) *\] FAILURE/g)].map((found) => found[1]);
  const passed = /Passed: (\d+\/\d+)/.exec(text)?.[1];
  const good = passed !== undefined && (code === 0 || failures.length > 0) && failures.every((one) => known.has(one));
  if (!good) bad += 1;
  if (process.env.INTEROP_SHOW || !good) console.error(text);
  console.log(`| ${scenario}, ${version} | ${good ? `passes ${passed}${failures.length ? `; not applicable: ${failures.join(", ")}` : ""}` : "**fails**"} |`);
}
proxy.close();
child.kill("SIGINT");
await once(child, "exit");
rmSync(home, { recursive: true, force: true });
process.exit(bad === 0 ? 0 : 1);
