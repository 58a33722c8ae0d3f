// Tests stars, tags and titles, with --write.
import assert from "node:assert/strict";

export async function marksTests(runner, reading, writing, world) {
  await runner.test("a server that only reads offers no marks", async () => {
    const page = await runner.visit(reading, `?s=${world.story.name}`);
    await page.getByText("The table is right now.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Star", exact: true }).count(), 0);
  });

  await runner.test("star, tag and rename a session, and find it by them", async () => {
    const page = await runner.visit(writing, `?s=${world.fork.name}`);
    await page.getByRole("button", { name: "Star", exact: true }).click();
    await page.getByRole("button", { name: "Starred", exact: true }).waitFor();
    await page.getByRole("button", { name: "Tags" }).click();
    await page.getByLabel("Tags, separated by spaces").fill("maps cache");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".facts").getByRole("link", { name: "maps" }).waitFor();
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByLabel("Title").fill("Where tiles are kept");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Where tiles are kept" }).waitFor();
    await page.locator(".facts").getByRole("link", { name: "maps" }).click();
    await page.getByText("1 session tagged maps").waitFor();
    await page.getByRole("link", { name: /Where tiles are kept/ }).waitFor();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await page.getByLabel("Starred").check();
    await page.getByText("1 session", { exact: true }).waitFor();
    await page.getByRole("link", { name: /Where tiles are kept/ }).click();
    await page.locator(".message").first().waitFor();
    await page.keyboard.press("s");
    await page.getByRole("button", { name: "Star", exact: true }).waitFor();
    assert.deepEqual(await runner.violations(page), []);
  });
}
