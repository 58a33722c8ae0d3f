// Tests the status dots of the list: what runs, what was interrupted, what is damaged, what only the archive has.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClaudeSession } from "./sessions.mjs";

/** Lets a process have the session open, as Claude Code notes it. */
function open(home, session, pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  mkdirSync(join(home, ".claude/sessions"), { recursive: true });
  writeFileSync(join(home, `.claude/sessions/${pid}.json`), JSON.stringify({ pid, sessionId: session.id, procStart, status: "busy" }));
}

export async function dotsTests(runner, server, home) {
  const hour = 3_600_000;
  const call = { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "make" } };
  const begun = (number, prompt) => new ClaudeSession(home, number, { at: Date.now() - number * hour }).prompt(prompt).answer([call]).write();
  const archived = new ClaudeSession(home, 4, { at: Date.now() - 4 * hour }).prompt("Kept in the archive").answer("Yes.").write();
  execFileSync(server.holdfast, ["archive", "run"], { env: { PATH: process.env.PATH, HOME: home }, cwd: home, stdio: "pipe" });
  rmSync(archived.file);
  const running = begun(1, "Running at this moment");
  begun(2, "Killed in a tool");
  new ClaudeSession(home, 3, { at: Date.now() - 3 * hour }).prompt("Half a line is lost").answer("Oh.").raw('{"type":"user","mess').answer("Well.").write();
  const agent = spawn("sleep", ["600"], { stdio: "ignore" });
  open(home, running, agent.pid);

  const row = (page, words) => page.locator(".row", { hasText: words });
  const wanted = [["Running at this moment", "running", "Running"], ["Killed in a tool", "interrupted", "Interrupted"], ["Half a line is lost", "damaged", "Damaged"], ["Kept in the archive", "archived", "Archived"]];

  try {
    for (const colorScheme of ["light", "dark"]) {
      await runner.test(`status dots tell sessions apart, ${colorScheme}`, async () => {
        const page = await runner.visit(server, "", { colorScheme });
        await page.getByText("4 sessions", { exact: true }).waitFor();
        const looks = new Set();
        for (const [words, status, name] of wanted) {
          const mark = row(page, words).locator(".status");
          assert.equal(await mark.getAttribute("class"), `status ${status}`, words);
          assert.equal((await mark.textContent()).trim(), name, "for those who hear the list");
          assert.match(await mark.getAttribute("title"), new RegExp(`^${name}: .`));
          const dot = mark.locator(".dot");
          assert.ok(await dot.isVisible(), words);
          looks.add(await dot.evaluate((one) => { const { backgroundColor, border, boxShadow, transform } = getComputedStyle(one); return [backgroundColor, border, boxShadow, transform].join(); }));
        }
        assert.equal(looks.size, wanted.length, "no two look alike");
        assert.deepEqual(await runner.violations(page), []);
      });
    }

    await runner.test("the dot of a session changes when its agent ends", async () => {
      const page = await runner.visit(server);
      await row(page, "Running at this moment").locator(".status.running").waitFor();
      const ended = new Promise((done) => agent.on("exit", done));
      agent.kill("SIGKILL");
      await ended;
      await page.reload();
      await row(page, "Running at this moment").locator(".status.interrupted").waitFor();
    });
  } finally {
    agent.kill("SIGKILL");
  }
}
