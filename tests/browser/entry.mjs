// Tests the way in: from `holdfast serve` through the file that it gives the browser to the viewer.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { ClaudeSession } from "./sessions.mjs";

export async function entryTests(runner, server, home) {
  new ClaudeSession(home, 70, { at: Date.now() - 60_000 }).prompt("Come in").answer("Thank you.").write();

  await runner.test("the file that the browser is given leads to the viewer", async () => {
    assert.equal(statSync(server.file).mode & 0o777, 0o600);
    const page = await runner.visit(server);
    await page.getByRole("link", { name: /Come in/ }).click();
    await page.getByText("Thank you.").waitFor();
    assert.ok(!page.url().includes("#"), page.url());
    await page.reload();
    await page.getByText("Thank you.").waitFor();
    // In a browser that is signed in, a used code does no harm.
    page.expected.push(/status of 403/);
    await page.goto(`file://${server.file}`);
    await page.getByText(/^1 session$/).waitFor();
    assert.equal(await page.getByRole("alert").isVisible(), false);
  });

  await runner.test("a code that somebody else used, or a wrong one, is reported", async () => {
    const thief = await runner.visit(server); // another browser: the code is used by now
    thief.expected.push(/status of 40[13]/);
    await thief.getByRole("alert").getByText(/code has already been used.*start/).waitFor();
    await thief.getByText("this page is not signed in", { exact: true }).waitFor();
    assert.equal(await thief.getByText(/Authorization/).count(), 0);
    await thief.goto(`${server.origin}/?view=search#code=0123456789abcdef`);
    await thief.getByRole("alert").getByText(/the code is wrong/).waitFor();
  });
}
