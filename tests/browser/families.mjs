// Tests the list as trees, sessions of other machines, and the cost of an answer.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClaudeSession, codexSession } from "./sessions.mjs";

function subAgent(session, name, prompt) {
  const folder = join(session.file.replace(/\.jsonl$/, ""), "subagents");
  mkdirSync(folder, { recursive: true });
  const record = { parentUuid: null, isSidechain: true, agentId: name, type: "user", message: { role: "user", content: prompt }, uuid: `${name}-1`, timestamp: new Date().toISOString(), cwd: session.project, sessionId: session.id, version: "2.1.325" };
  writeFileSync(join(folder, `agent-${name}.jsonl`), JSON.stringify(record) + "\n");
}

/** Sets up another machine that shares one session through a directory. */
function otherMachine(holdfast, home, other) {
  const share = join(other, "share");
  mkdirSync(share);
  const run = (where, ...words) => execFileSync(holdfast, words, { env: { PATH: process.env.PATH, HOME: where, TZ: "UTC" }, cwd: where, encoding: "utf8" });
  const project = join(other, "src/boats");
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, ".git/config"), '[remote "origin"]\n\turl = git@example.org:me/boats.git\n');
  new ClaudeSession(other, 70, { at: Date.now() - 30_000, project }).prompt("Paint the boats").answer("They are blue now.").title("Boats on the laptop").write();
  run(other, "remote", "add", "nas", `dir:${share}`, "--as", "laptop");
  run(other, "remote", "share", "src/boats", "--with", "nas");
  run(other, "sync");
  run(home, "remote", "add", "nas", `dir:${share}`, "--as", "tower");
  run(home, "sync");
}

export async function familyTests(runner, server, home, other) {
  const parent = new ClaudeSession(home, 63, { at: Date.now() - 3_600_000 }).prompt("Plan the harbour").answer("Here is a plan.").write();
  subAgent(parent, "a1b2c3", "Count the berths");
  codexSession(home, 64, { at: Date.now() - 7_200_000, prompt: "Unrelated work", answer: "Done.", project: "/home/dev/lighthouse" });

  await runner.test("sub-agents stand below their session", async () => {
    const page = await runner.visit(server);
    await page.getByText("2 sessions", { exact: true }).waitFor();
    await page.locator(".row", { hasText: "Plan the harbour" }).getByText("1 sub-agent").waitFor();
    await page.getByLabel("Sub-agents").check();
    await page.waitForURL(/subagents=1/);
    await page.getByText("3 sessions", { exact: true }).waitFor();
    const child = page.locator(".row", { hasText: "Count the berths" });
    assert.equal(await child.getAttribute("aria-level"), "2");
    assert.equal(await child.getAttribute("aria-posinset"), "2", "directly below");
    const left = (row) => row.locator(".row-title").evaluate((one) => one.getBoundingClientRect().left);
    assert.ok((await left(child)) > (await left(page.locator(".row", { hasText: "Plan the harbour" }))), "and further to the right");
    assert.deepEqual(await runner.violations(page), []);
    await child.getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: "Count the berths" }).waitFor();
  });

  await runner.test("an answer without a recorded cost shows an estimate", async () => {
    const page = await runner.visit(server, `?s=${parent.name}`);
    const figures = page.locator(".message.answer .figures").first();
    await figures.waitFor();
    assert.match(await figures.textContent(), /350 out · ~\$0\.\d\d/);
    assert.match(await figures.getAttribute("title"), /an estimate from list prices/);
  });

  await runner.test("sessions of another machine are listed, filtered and read", async () => {
    const before = await runner.visit(server);
    await before.getByText(/^\d+ sessions$/).waitFor();
    assert.equal(await before.getByLabel("Machine").isVisible(), false, "nothing to choose");
    otherMachine(server.holdfast, home, other);
    const page = await runner.visit(server);
    await page.getByLabel("Machine").selectOption("laptop");
    await page.waitForURL(/machine=laptop/);
    await page.getByText("1 session", { exact: true }).waitFor();
    await page.getByRole("link", { name: /Boats on the laptop/ }).click();
    await page.getByText("They are blue now.").waitFor();
    await page.locator(".facts", { hasText: "laptop" }).waitFor();
    await page.getByRole("button", { name: "Resume, export, share" }).click();
    for (const command of await page.getByRole("dialog").locator(".command code").allTextContents()) assert.match(command, / --machine laptop( |$)/);
    await page.keyboard.press("Escape");
    await page.reload();
    await page.getByText("They are blue now.").waitFor();
    await page.getByLabel("Machine").selectOption("all");
    await page.getByText("3 sessions", { exact: true }).waitFor();
    await page.goto(`${server.origin}/?view=search&q=blue&machine=all`);
    await page.locator("a.hit", { hasText: "They are" }).click();
    await page.getByRole("heading", { level: 1, name: "Boats on the laptop" }).waitFor();
    assert.deepEqual(await runner.violations(page), []);
  });
}
