// Tests what people do: find, filter, open, read, go back, reload and link, also with the keyboard alone.
import assert from "node:assert/strict";
import { Server } from "./harness.mjs";
import { ClaudeSession, codexSession } from "./sessions.mjs";

export async function personTests(runner, server, world) {
  const test = runner.test.bind(runner);
  const open = (name, more = "") => runner.visit(server, `?s=${name}${more}`);

  await test("the address is exchanged for a cookie and forgets its code", async () => {
    const fresh = await new Server(server.holdfast, server.home).start(false);
    try {
      const page = await runner.visit(fresh);
      await page.getByText(/^\d+ sessions$/).waitFor();
      assert.equal(page.url(), `${fresh.origin}/`);
      const late = await runner.visit(fresh);
      late.expected.push(/Failed to load resource/);
      await late.getByRole("alert").getByText("has already been used").waitFor();
    } finally {
      await fresh.stop();
    }
  });

  await test("find a session in the list, open it, and go back", async () => {
    const page = await runner.visit(server);
    await page.getByRole("link", { name: /Tide heights lose/ }).click();
    await page.getByRole("heading", { level: 1, name: "Tide heights lose their centimetres" }).waitFor();
    assert.match(page.url(), /\?s=claude-code\/00000001-/);
    await page.getByText("The table is right now.").waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Sessions of your coding agents" }).waitFor();
    await page.goForward();
    await page.reload();
    await page.getByText("The table is right now.").waitFor();
  });

  await test("filters are in the address and survive a reload", async () => {
    const page = await runner.visit(server);
    const all = await page.getByText(/^\d+ sessions$/).textContent();
    await page.getByLabel("Agent", { exact: true }).selectOption("codex");
    await page.waitForFunction((before) => document.querySelector(".list-note").textContent !== before && /\d/.test(document.querySelector(".list-note").textContent), all);
    const fewer = await page.locator(".list-note").textContent();
    assert.match(page.url(), /agent=codex/);
    assert.ok((await page.locator(".row-words").allTextContents()).every((words) => words.includes("Codex")));
    await page.reload();
    await page.getByText(fewer, { exact: true }).waitFor();
    await page.getByLabel("Project").fill("/home/dev/harbour-api");
    await page.keyboard.press("Enter");
    await page.waitForURL(/project=/);
    await page.getByRole("link", { name: "Clear filters" }).click();
    await page.getByText(all, { exact: true }).waitFor();
    await page.goBack();
    await page.waitForURL(/agent=codex/);
    assert.equal(await page.getByLabel("Agent", { exact: true }).inputValue(), "codex");
  });

  await test("a session shows prompts, answers, thinking, tools, diffs, tokens and cost", async () => {
    const page = await open(world.story.name);
    await page.getByText("The table is right now.").waitFor();
    const text = await page.locator(".transcript").innerText();
    for (const words of ["2.30 m where the gauge says", "Thinking", "Grep", "toFixed in src", "npm test", "failed", "350 out"]) assert.ok(text.includes(words), words);
    assert.deepEqual(await page.locator(".diff-line.removed .diff-text").first().allTextContents(), ["  return `${height.toFixed(1)}0 m`;"]);
    assert.deepEqual(await page.locator(".diff-line.added .diff-text").first().allTextContents(), ["  return `${height.toFixed(2)} m`;"]);
    assert.equal(await page.locator(".prose table td strong").first().textContent(), "2.26 m");
    await page.locator("summary", { hasText: "Run the tests" }).or(page.locator("summary", { hasText: "npm test" })).first().click();
    await page.getByText("Tests: 42 passed, 42 total").waitFor();
    assert.ok(!(await page.locator(".transcript").innerText()).includes("[32m"));
    await page.locator(".facts", { hasText: "tokens" }).waitFor();
    await page.locator(".facts", { hasText: "$" }).waitFor();
  });

  // In these sessions each record of an agent is an answer of its own.
  await test("each answer shows its tokens and cost, in every layout and on a phone", async () => {
    const shown = (page) => page.locator(".message.answer:visible").evaluateAll((all) => all.map((one) => [one.id, one.querySelector(".figures")?.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) ?? false]));
    for (const layout of ["focused", "normal", "full"]) {
      for (const options of [{}, { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true }]) {
        const page = await runner.visit(server, `?s=${world.story.name}&layout=${layout}`, options);
        await page.getByText("The table is right now.").waitFor();
        const answers = await shown(page);
        assert.ok(answers.length >= 4 && answers.every(([, figures]) => figures), JSON.stringify([layout, answers]));
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      }
    }
  });

  await test("layouts: prompts and answers only, with tools, everything", async () => {
    const page = await open(world.story.name);
    await page.getByText("The table is right now.").waitFor();
    await page.getByLabel("Layout").selectOption("focused");
    await page.waitForURL(/layout=focused/);
    await page.waitForFunction(() => [...document.querySelectorAll(".tool")].every((tool) => tool.offsetHeight === 0));
    await page.getByText("The table is right now.").waitFor();
    await page.reload();
    await page.getByText("The table is right now.").waitFor();
    assert.equal(await page.getByLabel("Layout").inputValue(), "focused");
  });

  await test("a link leads to one message", async () => {
    const page = await open(world.story.name);
    await page.getByText("The table is right now.").waitFor();
    const message = page.locator(".message", { hasText: "Is there a test that would have caught it?" });
    await message.hover();
    const link = await message.getByRole("link", { name: /Link to message/ }).getAttribute("href");
    await message.getByRole("link", { name: /Link to message/ }).click();
    await page.waitForURL((url) => url.search === link);
    const other = await runner.visit(server, link);
    await other.locator(".message.linked", { hasText: "Is there a test that would have caught it?" }).waitFor();
  });

  await test("search as you type finds words in context and jumps to them", async () => {
    const page = await runner.visit(server);
    await page.getByText(/^\d+ sessions$/).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("rounds to decimetres");
    await page.locator("mark", { hasText: "decimetres" }).first().waitFor();
    await page.waitForURL(/q=rounds/);
    await page.locator("a.hit").first().click();
    await page.locator(".message.linked, .message.found").first().waitFor();
    await page.goBack();
    await page.locator("a.hit").first().waitFor();
    assert.equal(await page.locator("#search-words").inputValue(), "rounds to decimetres");
  });

  await test("find in session walks through the hits", async () => {
    const page = await open(world.story.name);
    await page.getByText("The table is right now.").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("toFixed");
    await page.getByText(/^1 of \d+$/).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(/^2 of \d+$/).waitFor();
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.querySelector(".find").hidden);
  });

  await test("prompts are listed and lead to their place", async () => {
    const page = await open(world.story.name);
    await page.getByRole("button", { name: "Prompts" }).click();
    await page.getByRole("dialog").getByText(/Is there a test/).click();
    await page.locator(".message.linked", { hasText: "Is there a test" }).waitFor();
  });

  await test("commands are shown to be copied", async () => {
    const page = await open(world.story.name);
    await page.getByRole("button", { name: "Resume, export, share" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`holdfast resume ${world.story.name}`, { exact: true }).waitFor();
    await dialog.getByLabel("Next agent").selectOption("codex");
    await dialog.getByText(`holdfast resume ${world.story.name} --in codex`).waitFor();
    await dialog.getByLabel("Format").selectOption("json");
    const download = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Download" }).click();
    assert.match((await download).suggestedFilename(), /^session-[\w-]+\.json$/);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  await test("copy buttons copy, and say so", async () => {
    const page = await runner.visit(server, `?s=${world.story.name}`, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByText("The table is right now.").waitFor();
    const copied = async (button) => {
      await page.evaluate(() => navigator.clipboard.writeText("nothing yet"));
      await button.click();
      await page.locator(".toast", { hasText: /^Copied$/ }).waitFor();
      await page.locator("button.done").waitFor();
      const text = await page.evaluate(() => navigator.clipboard.readText());
      await page.locator("button.done").waitFor({ state: "detached" });
      return text;
    };
    assert.equal(await copied(page.getByRole("button", { name: "Copy id" })), world.story.id);
    assert.equal(await copied(page.getByRole("button", { name: "Copy code" })), "return `${height.toFixed(2)} m`;");
    await page.getByRole("button", { name: "Resume, export, share" }).click();
    const command = page.getByRole("dialog").locator(".command").first();
    assert.equal(await copied(command.getByRole("button", { name: "Copy command" })), await command.locator("code").textContent());
  });

  // What moves without being asked to makes some people ill.
  await test("nothing moves for who wants less motion", async () => {
    const moving = async (reducedMotion) => {
      const page = await runner.visit(server, `?s=${world.story.name}`, { reducedMotion });
      await page.getByText("The table is right now.").waitFor();
      return page.evaluate(() => [...document.querySelectorAll("*")].filter((one) => {
        const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(one);
        return parseFloat(transitionDuration) > 0 || animationName !== "none" || scrollBehavior === "smooth";
      }).length);
    };
    assert.equal(await moving("reduce"), 0);
    assert.ok(await moving("no-preference") > 0, "otherwise this test looks at nothing");
  });

  // An import or a hand-off may give two agents a session with the same id.
  await test("of two sessions with one id, the one that is shown is used", async () => {
    const twin = codexSession(server.home, 200, { at: Date.now() - 3_600_000, prompt: "I am the twin", answer: "Of somebody." });
    const session = new ClaudeSession(server.home, 200, { id: twin.id }).prompt("Who is the elder?").answer("It is me.").write();
    const page = await open(session.name);
    await page.getByText("It is me.").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("elder");
    await page.getByText("1 of 1", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Prompts" }).click();
    await page.getByRole("dialog").getByText("Who is the elder?").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Resume, export, share" }).click();
    const commands = await page.getByRole("dialog").locator(".command code").allTextContents();
    assert.ok(commands.length >= 6 && commands.every((one) => one.includes(session.name)), commands.join("\n"));
  });

  await test("branches can be listed, shown and compared", async () => {
    const page = await open(world.fork.name);
    await page.getByRole("button", { name: "Branches" }).click();
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("region", { name: "Left" }).getByText("tiles are kept for a week").waitFor();
    await page.getByRole("region", { name: "Right" }).getByText("the last 512 tiles").waitFor();
    await page.getByRole("button", { name: "Show branch 1" }).click();
    await page.locator(".transcript").getByText("tiles are kept for a week").waitFor();
    await page.getByRole("button", { name: "Active branch" }).click();
    await page.locator(".transcript").getByText("the last 512 tiles").waitFor();
  });

  await test("damage is a badge with its places", async () => {
    const page = await open(world.damaged.name);
    await page.getByRole("button", { name: /damaged place/ }).click();
    await page.getByRole("dialog").getByText("At byte").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("And it stays quiet.").waitFor();
  });

  await test("pictures are shown from this server", async () => {
    const page = await open(world.pictured.name);
    const picture = page.getByRole("img", { name: "Picture in the session" });
    await picture.waitFor();
    await page.waitForFunction(() => document.querySelector("img.picture")?.naturalWidth === 10);
  });

  await test("usage tells cost and tokens by day, model, project, agent and session", async () => {
    const page = await runner.visit(server, "?view=usage");
    for (const name of ["Cost by day", "Activity", "By model", "By project", "By agent", "Most expensive sessions"]) await page.getByRole("heading", { name }).waitFor();
    await page.getByRole("img", { name: /Cost by day, \d+ days; the highest is/ }).waitFor();
    await page.getByText("As a table").click();
    await page.getByRole("region", { name: "Usage by day" }).getByRole("row").nth(1).waitFor();
    await page.getByLabel("Period").selectOption("30d");
    await page.waitForURL(/since=30d/);
    await page.getByRole("img", { name: /Cost by day, 30 days/ }).waitFor();
    await page.getByRole("region", { name: "Most expensive sessions" }).getByRole("link").first().click();
    await page.locator(".message").first().waitFor();
  });

  await test("with keys only: list, open, move, layout, help", async () => {
    const page = await runner.visit(server);
    await page.getByText(/^\d+ sessions$/).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Home");
    assert.match(await page.evaluate(() => document.activeElement.textContent), /Tide heights lose/);
    await page.keyboard.press("Enter");
    await page.getByText("The table is right now.").waitFor();
    await page.keyboard.press("J");
    await page.waitForFunction(() => document.activeElement.textContent?.includes("Is there a test"));
    await page.keyboard.press("K");
    await page.waitForFunction(() => document.activeElement.textContent?.includes("Find out why"));
    await page.keyboard.press("j");
    await page.waitForFunction(() => document.activeElement.classList.contains("answer"));
    await page.keyboard.press("l");
    await page.waitForURL(/layout=full/);
    await page.keyboard.press("Shift+G");
    await page.waitForFunction(() => document.activeElement.textContent?.includes("Coverage is not set up"));
    await page.keyboard.press("g");
    await page.keyboard.press("g");
    await page.waitForFunction(() => document.querySelector(".scroller").scrollTop === 0);
    await page.keyboard.press("]");
    await page.waitForFunction(() => !document.querySelector("h1")?.textContent.includes("Tide heights") && document.querySelector(".message"));
    await page.keyboard.press("[");
    await page.getByRole("heading", { level: 1, name: /Tide heights/ }).waitFor();
    await page.keyboard.press("?");
    await page.getByLabel("Single-letter keys").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    assert.equal(await page.locator("dialog").count(), 0);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("jjj??");
    assert.equal(await page.locator("#search-words").inputValue(), "jjj??");
  });

  await test("on a phone the list and the session are pages of their own", async () => {
    const page = await runner.visit(server, "", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await page.getByRole("link", { name: /Tide heights lose/ }).tap();
    await page.getByText("The table is right now.").waitFor();
    assert.equal(await page.locator(".sidebar").isVisible(), false);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.getByRole("link", { name: "Back to the list" }).tap();
    await page.getByRole("link", { name: /Tide heights lose/ }).waitFor();
    for (const view of ["search", "usage"]) {
      await page.goto(`${server.origin}/?view=${view}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), view);
    }
  });
}
