// Tests that passwords, keys and tokens are masked until somebody asks to see them, for that session only.
import assert from "node:assert/strict";
import { ClaudeSession } from "./sessions.mjs";

const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const mask = "[redacted: GitHub token]";

export async function secretsTests(runner, server, home) {
  const secret = new ClaudeSession(home, 60, { at: Date.now() - 60_000 })
    .prompt(`Push with ${token} please`)
    .tool("Bash", { command: `git push https://me:${token}@example.org/x` }, "Everything up-to-date")
    .answer("Pushed.").title("Push it").write();
  const plain = new ClaudeSession(home, 61, { at: Date.now() - 120_000 }).prompt("Nothing to hide").answer("Indeed.").write();
  const everything = (page) => page.evaluate(() => document.documentElement.outerHTML);

  await runner.test("secrets are masked until they are asked for", async () => {
    const page = await runner.visit(server, `?s=${secret.name}&layout=full`);
    await page.getByText("Pushed.").waitFor();
    await page.locator(".prompt-text", { hasText: mask }).waitFor();
    assert.ok(!(await everything(page)).includes("ghp_"), "not in the page at all");
    const show = page.getByRole("button", { name: "Show secrets" });
    assert.equal(await show.getAttribute("aria-pressed"), "false");
    await show.click();
    await page.locator(".prompt-text", { hasText: token }).waitFor();
    await page.getByRole("button", { name: "Hide secrets" }).click();
    await page.locator(".prompt-text", { hasText: mask }).waitFor();
    await page.getByRole("button", { name: "Show secrets" }).click();
    await page.locator(".prompt-text", { hasText: token }).waitFor();
    assert.deepEqual(await runner.violations(page), []);
    // After opening another session and coming back, the choice is forgotten.
    await page.getByRole("link", { name: /Nothing to hide/ }).click();
    await page.getByText("Indeed.").waitFor();
    assert.equal(await page.getByRole("button", { name: /secrets/ }).count(), 0);
    await page.goBack();
    await page.locator(".prompt-text", { hasText: mask }).waitFor();
    secret.prompt(`And again ${token}`).write();
    await page.getByText(`And again ${mask}`).waitFor();
    await page.reload();
    await page.getByText(`And again ${mask}`).waitFor();
    assert.ok(!(await everything(page)).includes("ghp_"));
  });

  await runner.test("a search does not show what it hides", async () => {
    const page = await runner.visit(server, "?view=search&q=push");
    await page.locator("a.hit", { hasText: mask }).first().waitFor();
    assert.ok(!(await everything(page)).includes("ghp_0"));
    assert.ok(plain);
  });
}
