// Takes the screenshots for the README and the guide.
export async function takePictures(runner, server, world, out) {
  await runner.test("pictures for the README and the guide", async () => {
    const shot = async (name, query, ready, options = {}) => {
      const page = await runner.visit(server, query, { viewport: { width: 1040, height: 640 }, ...options });
      await ready(page);
      for (const button of await page.getByRole("button", { name: "Dismiss" }).all()) await button.click();
      await page.waitForTimeout(300); // wait for the last answers
      await page.screenshot({ path: `${out}/${name}.png` });
    };
    const story = async (page) => page.getByText("The table is right now.").waitFor();
    await shot("viewer-session", `?s=${world.story.name}`, story);
    await shot("viewer-dark", `?s=${world.story.name}&m=10`, story, { colorScheme: "dark" });
    await shot("viewer-usage", "?view=usage", async (page) => page.getByRole("heading", { name: "By model" }).waitFor());
    await shot("viewer-search", "?view=search&q=tide", async (page) => page.locator("a.hit").first().waitFor());
    await shot("viewer-phone", `?s=${world.story.name}`, story, { viewport: { width: 390, height: 760 } });
  });
}
