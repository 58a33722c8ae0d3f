// Tests accessibility: axe finds no violation on any page in either theme, and keyboard focus behaves.
import assert from "node:assert/strict";

export async function accessTests(runner, server, world) {
  const pages = {
    list: ["", async (page) => page.getByText(/^\d+ sessions$/).waitFor()],
    session: [`?s=${world.story.name}`, async (page) => page.getByText("The table is right now.").waitFor()],
    "everything of a session": [`?s=${world.story.name}&layout=full`, async (page) => {
      await page.getByText("The table is right now.").waitFor();
      await page.evaluate(() => { for (const fold of document.querySelectorAll(".transcript details")) fold.open = true; });
      await page.waitForFunction(() => document.querySelectorAll(".fold-body").length >= document.querySelectorAll(".transcript details").length);
    }],
    "a damaged session": [`?s=${world.damaged.name}`, async (page) => { await page.getByRole("button", { name: /damaged place/ }).click(); await page.getByRole("dialog").waitFor(); }],
    branches: [`?s=${world.fork.name}`, async (page) => { await page.getByRole("button", { name: "Branches" }).click(); await page.getByRole("button", { name: "Compare" }).click(); await page.getByRole("region", { name: "Left" }).waitFor(); }],
    "find in session": [`?s=${world.story.name}&find=toFixed`, async (page) => page.getByText(/messages$/).first().waitFor()],
    commands: [`?s=${world.story.name}`, async (page) => { await page.getByRole("button", { name: "Resume, export, share" }).click(); await page.getByRole("dialog").waitFor(); }],
    prompts: [`?s=${world.story.name}`, async (page) => { await page.getByRole("button", { name: "Prompts" }).click(); await page.getByRole("dialog").waitFor(); }],
    search: ["?view=search&q=tide", async (page) => page.locator("a.hit").first().waitFor()],
    usage: ["?view=usage", async (page) => { await page.getByText("As a table").click(); }],
    help: ["", async (page) => { await page.getByRole("button", { name: /^Help/ }).click(); await page.getByRole("dialog").waitFor(); }],
  };
  for (const colorScheme of ["light", "dark"]) {
    for (const [name, [query, prepare]] of Object.entries(pages)) {
      await runner.test(`axe: ${name}, ${colorScheme}`, async () => {
        const page = await runner.visit(server, query, { colorScheme });
        await prepare(page);
        assert.deepEqual(await runner.violations(page), []);
      });
    }
  }
  await runner.test("axe: list and session on a phone", async () => {
    const page = await runner.visit(server, "", { viewport: { width: 360, height: 740 } });
    await page.getByText(/^\d+ sessions$/).waitFor();
    assert.deepEqual(await runner.violations(page), []);
    await page.goto(`${server.origin}/?s=${world.story.name}`);
    await page.getByText("The table is right now.").waitFor();
    assert.deepEqual(await runner.violations(page), []);
  });
  await runner.test("the first Tab skips to the content, and the list is one stop", async () => {
    const page = await runner.visit(server);
    await page.getByText(/^\d+ sessions$/).waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "content");
    assert.equal(await page.locator(".virtual a[tabindex='0']").count(), 1);
  });
  await runner.test("a dialog keeps the focus and gives it back", async () => {
    const page = await runner.visit(server, `?s=${world.story.name}`);
    const opener = page.getByRole("button", { name: "Resume, export, share" });
    await opener.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    for (let step = 0; step < 30; step++) {
      await page.keyboard.press("Tab");
      assert.ok(await page.evaluate(() => document.activeElement === document.body || document.activeElement.closest("dialog") !== null));
    }
    await page.keyboard.press("Escape");
    assert.equal(await opener.evaluate((one) => one === document.activeElement), true);
  });
}
