// Tests sessions that grow while they are shown, and servers that stop and restart.
import assert from "node:assert/strict";
import { ClaudeSession } from "./sessions.mjs";

export async function liveTests(runner, server, home) {
  const test = runner.test.bind(runner);

  await test("a live session grows while it is read", async () => {
    const session = new ClaudeSession(home, 20, { at: Date.now() - 60_000 }).prompt("Watch the tide").answer("It rises.").write();
    const page = await runner.visit(server, `?s=${session.name}`);
    await page.getByText("It rises.").waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    session.prompt("And now?").write();
    await page.getByText("And now?").waitFor();
    for (let turn = 0; turn < 60; turn++) session.answer(`Measured ${turn}.`);
    session.write();
    await page.getByText("Measured 59.").waitFor();
    assert.ok(await page.evaluate(() => { const box = document.querySelector(".scroller"); return box.scrollHeight - box.scrollTop - box.clientHeight < 120; }), "it stays at the end");
    await page.evaluate(() => { document.querySelector(".scroller").scrollTop = 0; });
    session.answer("Much later.").write();
    await page.getByRole("button", { name: "New messages" }).click();
    await page.getByText("Much later.").waitFor();
  });

  await test("the head of a live session counts what is added", async () => {
    const session = new ClaudeSession(home, 23, { at: Date.now() - 60_000 }).prompt("Count the boats").answer("Three.").write();
    const page = await runner.visit(server, `?s=${session.name}`);
    const facts = page.locator(".facts");
    await facts.getByText("1 prompt, 0 tool calls").waitFor();
    await facts.getByText("26k tokens").waitFor();
    const cost = facts.locator(".cost");
    assert.match(await cost.textContent(), /^~\$0\.\d\d$/);
    assert.match(await cost.getAttribute("title"), /^An estimate from list prices$/);
    const before = await cost.textContent();
    for (let turn = 0; turn < 9; turn++) session.prompt(`And now? ${turn}`).answer("Four.");
    session.write();
    await facts.getByText("10 prompts, 0 tool calls").waitFor();
    await facts.getByText("265k tokens").waitFor();
    await page.waitForFunction((was) => document.querySelector(".facts .cost")?.textContent !== was, before);
  });

  await test("a new session appears in the list by itself", async () => {
    const page = await runner.visit(server);
    await page.getByText(/^\d+ sessions$/).waitFor();
    new ClaudeSession(home, 21, { at: Date.now() }).prompt("A brand new session").write();
    await page.getByRole("link", { name: /A brand new session/ }).waitFor();
  });

  await test("ten tabs follow at once", async () => {
    const session = new ClaudeSession(home, 22, { at: Date.now() - 60_000 }).prompt("Ten watch this").answer("Begin.").write();
    const first = await runner.visit(server, `?s=${session.name}`);
    const tabs = [first];
    for (let tab = 1; tab < 10; tab++) {
      const page = await first.context().newPage();
      await page.goto(`${server.origin}/?s=${session.name}`);
      tabs.push(page);
    }
    for (const page of tabs) await page.getByText("Begin.").waitFor();
    session.answer("Everybody sees this.").write();
    for (const page of tabs) {
      await page.bringToFront();
      await page.getByText("Everybody sees this.").waitFor();
    }
  });

  await test("a server that goes is noticed, and so is its return", async () => {
    const page = await runner.visit(server);
    page.expected.push(/Failed to load resource/, /net::ERR/);
    await page.getByText(/^\d+ sessions$/).waitFor();
    await server.stop();
    await page.getByRole("alert").getByText("The server is not responding").waitFor();
    await server.start(false);
    // The new server has no cookies: the page says so, and the new address signs it in.
    await page.getByRole("alert").getByText("no longer signed in").waitFor();
    await page.goto(server.entry);
    await page.reload();
    const [cookie] = await page.context().cookies();
    server.useCookie(`${cookie.name}=${cookie.value}`);
    await page.getByText(/^\d+ sessions$/).waitFor();
    assert.equal(await page.getByRole("alert").isVisible(), false);
  });
}
