// Tests transcripts that attack the reader: no script runs, no request is sent, and the page keeps working.
import assert from "node:assert/strict";
import { ClaudeSession } from "./sessions.mjs";
import { trap } from "./harness.mjs";

export async function hostileTests(runner, server, home) {
  const { origin: elsewhere, knocks, close } = await trap();
  const hostile = `<script>document.title='OWNED'</script><img src=${elsewhere}/i onerror="document.title='OWNED'"><svg onload="document.title='OWNED'"><iframe src=${elsewhere}/f></iframe>` +
    `<link rel=stylesheet href=${elsewhere}/s><meta http-equiv=refresh content='0;url=${elsewhere}/go'></pre></details></article><base href=//evil/>\u202egnp.exe\u2066\u001b[31m\u001b]0;OWNED\u0007`;
  const markdown = `# ${hostile}\n\n[click](javascript:document.title='OWNED') [data](data:text/html,<script>1</script>) ![pixel](${elsewhere}/pixel.png) <${elsewhere}/auto>\n\n\`\`\`html\n${hostile}\n\`\`\`\n\n| a | b |\n|---|---|\n| ${hostile.replaceAll("|", "")} | 2 |`;
  const id = "99999999-0000-4000-8000-000000000000";
  const session = new ClaudeSession(home, 99, { id, project: `/home/dev/${hostile.replaceAll("/", "_")}`.slice(0, 180), branch: hostile, model: `m${hostile}` })
    .prompt(`first ${hostile}`).think(hostile).answer(markdown)
    .tool(`Bash${hostile}`, { command: hostile, [hostile]: hostile }, hostile)
    .tool("Edit", { file_path: hostile, old_string: hostile, new_string: `${hostile}!` }, hostile)
    .prompt([{ type: "text", text: "svg" }, { type: "image", source: { type: "base64", media_type: "image/svg+xml", data: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='OWNED'"><image href="${elsewhere}/svg"/></svg>`).toString("base64") } }])
    .title(`title ${hostile}`).write();
  const clean = async (page) => {
    assert.doesNotMatch(await page.title(), /^OWNED/);
    const foreign = await page.evaluate(() => [...document.body.querySelectorAll("script, iframe, object, embed, base, form[action], link, style, meta")].filter((one) => !(one instanceof HTMLScriptElement && one.src === `${location.origin}/app.js`)).map((one) => one.outerHTML.slice(0, 100)));
    assert.deepEqual(foreign, []);
    const links = await page.evaluate(() => [...document.querySelectorAll("a[href]")].map((one) => one.getAttribute("href")).filter((href) => !/^(\/|\?|#|https?:\/\/|mailto:)/.test(href)));
    assert.deepEqual(links, []);
    const bad = await page.evaluate(() => [...document.querySelectorAll("main a[href^=http]")].filter((one) => one.rel !== "noopener noreferrer").length);
    assert.equal(bad, 0);
    assert.doesNotMatch(await page.evaluate(() => document.body.innerText + [...document.querySelectorAll("[title]")].map((one) => one.title).join("")), /[\u202a-\u202e\u2066-\u2069\u001b\u0007]/);
    assert.equal(knocks.length, 0);
  };

  await runner.test("hostile text is text everywhere: list, session, search, usage", async () => {
    const page = await runner.visit(server, `?s=${session.name}&layout=full`);
    await page.getByText("OWNED").first().waitFor();
    await page.evaluate(() => { for (const fold of document.querySelectorAll(".transcript details")) fold.open = true; });
    await page.waitForFunction(() => document.querySelectorAll(".fold-body").length >= document.querySelectorAll(".transcript details").length);
    await clean(page);
    await page.getByRole("button", { name: "Prompts" }).click();
    await page.getByRole("dialog").waitFor();
    await clean(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Resume, export, share" }).click();
    await clean(page);
    await page.keyboard.press("Escape");
    await page.goto(`${server.origin}/?view=search&q=gnp.exe`);
    await page.locator("a.hit").first().waitFor();
    await clean(page);
    await page.goto(`${server.origin}/?view=usage`);
    await page.getByRole("heading", { name: "By model" }).waitFor();
    await clean(page);
  });

  await runner.test("addresses are hostile too", async () => {
    const page = await runner.visit(server, `?s=${encodeURIComponent(`claude-code/${hostile}`)}&q=${encodeURIComponent(hostile)}&agent=${encodeURIComponent(hostile)}&m=999999999`);
    page.expected.push(/Failed to load resource/);
    await page.getByRole("heading", { name: "This session cannot be shown" }).waitFor();
    await clean(page);
  });

  await runner.test("a line of 10 MB is cut, and the page answers", async () => {
    const long = new ClaudeSession(home, 98, { id: "98989898-0000-4000-8000-000000000000" }).prompt("print it").tool("Bash", { command: "cat big" }, "x".repeat(10_000_000)).answer("y".repeat(10_000_000)).write();
    const page = await runner.visit(server, `?s=${long.name}`);
    await page.getByRole("button", { name: /^Show 200 kB more of/ }).first().waitFor();
    assert.ok(await page.evaluate(() => document.querySelector(".transcript").textContent.length < 50_000));
    await page.getByRole("button", { name: /^Show 200 kB more of/ }).first().click();
    await page.waitForFunction(() => document.querySelector(".transcript").textContent.length > 200_000);
  });
  close();
}
