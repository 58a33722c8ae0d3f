// Tests very long lists and sessions: only the visible part is in the document, and any position can be reached.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClaudeSession } from "./sessions.mjs";

export function manyMessages(home, count) {
  const session = new ClaudeSession(home, 50, { id: "50505050-0000-4000-8000-000000000000", at: Date.now() - 40 * 86_400_000 });
  for (let at = 0; at < count; at++) {
    if (at % 10 === 0) session.prompt(`Question number ${at}`);
    else session.answer(`Line ${at} of a long story.\n\n- with a list\n- of two`);
    if (at % 20_000 === 0) session.write();
  }
  return session.title("A very long session").write();
}

export function manySessions(home, count) {
  const project = join(home, ".claude/projects/-home-dev-many");
  mkdirSync(project, { recursive: true });
  for (let at = 0; at < count; at++) {
    const id = `${String(at).padStart(8, "0")}-7777-4000-8000-000000000000`;
    const time = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString();
    writeFileSync(join(project, `${id}.jsonl`), JSON.stringify({ parentUuid: null, isSidechain: false, type: "user", message: { role: "user", content: `Task ${at}` }, uuid: id, timestamp: time, cwd: "/home/dev/many", sessionId: id, version: "2.1.325" }) + "\n");
  }
}

const inDocument = (page) => page.evaluate(() => document.querySelectorAll("*").length);

export async function manyMessagesTests(runner, server, session, count) {
  await runner.test(`a session of ${count} messages: beginning, end, middle, prompts`, async () => {
    const page = await runner.visit(server, `?s=${session.name}`);
    await page.getByText("Question number 0", { exact: true }).waitFor();
    await page.locator(".scroller").focus();
    await page.keyboard.press("Shift+G");
    await page.getByText(`Line ${count - 1} of a long story.`).waitFor();
    assert.ok((await inDocument(page)) < 25_000, "few nodes");
    await page.goto(`${server.origin}/?s=${session.name}&m=${count / 2}`);
    await page.locator(".message.linked", { hasText: `Question number ${count / 2}` }).waitFor();
    assert.ok(await page.locator(`#m${count / 2}`).evaluate((one) => Math.abs(one.getBoundingClientRect().top - document.querySelector(".scroller").getBoundingClientRect().top) < 60), "at the top");
    await page.keyboard.press("J");
    await page.waitForFunction((next) => document.activeElement.textContent?.includes(`Question number ${next}`), count / 2 + 10);
    // Jump back and forth, as with a scroll bar.
    for (const part of [0.1, 0.9, 0.3, 0.7]) {
      await page.evaluate((at) => { const box = document.querySelector(".scroller"); box.scrollTop = box.scrollHeight * at; }, part);
      await page.waitForFunction(() => { const box = document.querySelector(".scroller").getBoundingClientRect(); return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)?.closest(".message"); });
    }
    assert.ok((await inDocument(page)) < 25_000, "still few nodes");
  });
}

export async function manySessionsTests(runner, server, count) {
  await runner.test(`a list of ${count} sessions: beginning, end, middle`, async () => {
    const page = await runner.visit(server);
    await page.getByText(`${count.toLocaleString("en")} sessions`, { exact: true }).waitFor({ timeout: 120_000 });
    assert.ok((await inDocument(page)) < 2000);
    const first = page.locator("[aria-posinset='1']");
    assert.equal(await first.getAttribute("aria-setsize"), String(count));
    await page.keyboard.press("j");
    await page.keyboard.press("End");
    await page.getByRole("link", { name: /^Idle ?Task 0 ?Claude|Task 0 / }).or(page.locator(".row-title", { hasText: /^Task 0$/ })).first().waitFor({ timeout: 60_000 });
    await page.evaluate(() => { const box = document.querySelector(".virtual"); box.scrollTop = box.scrollHeight / 2; });
    await page.waitForFunction(() => { const box = document.querySelector(".virtual").getBoundingClientRect(); return document.elementFromPoint(box.left + 100, box.top + box.height / 2)?.closest(".row")?.textContent.includes("Task"); }, undefined, { timeout: 60_000 });
    assert.ok((await inDocument(page)) < 2000);
  });
}
