// Tests what is shown with --remote. A real server is asked in tests/postgres; here its answers are given.
import assert from "node:assert/strict";

const session = (number, machine) => ({
  id: `cccccccc-0000-4000-8000-00000000000${number}`, layout: "claude-code", store: "", path: "", project: "/srv/thing", title: `Task ${number}`,
  first_prompt: null, status: "archived", created_at: null, updated_at: "2026-01-01T00:00:00Z", counts: null, models: [], usage: null,
  git_branch: null, parent: null, subagents: 0, bytes: 10, damage: 0, machine, here: true,
});

async function answer(page, method, body, meant = (params) => params.remote) {
  const asked = [];
  await page.route(`**/api/${method}`, async (route) => {
    const params = route.request().postDataJSON();
    if (!meant(params)) return route.continue();
    asked.push(params);
    await route.fulfill({ contentType: "application/json", body: JSON.stringify({ schema_version: 1, ...body(params) }) });
  });
  return asked;
}

export async function remoteTests(runner, server) {
  await runner.test("the sessions of a remote are listed, searched and counted at its server", async () => {
    const page = await runner.visit(server);
    const remote = { name: "our team", indexed_at: new Date(Date.now() - 5 * 60_000).toISOString(), behind: 0, left_out: 0, cut: 0 };
    const listed = await answer(page, "session.list", () => ({ sessions: [session(1, "laptop"), session(2, "tower")], total: 2, next_cursor: null, remote, findings: [] }));
    const found = await answer(page, "session.search", () => ({ hits: [{ session: session(1).id, machine: "laptop", layout: "claude-code", store: "", project: null, ordinal: 0, role: "user", timestamp: null, snippet: "a zebra", spans: [[2, 7]] }], sessions: 1, total: 1, truncated: false, next_cursor: null }));
    await answer(page, "session.get", () => ({ session: session(1, "laptop") }), (params) => params.machine === "laptop");
    const figures = { sessions: 2, messages: 4, prompts: 2, answers: 2, tool_calls: 0, usage: { input: 1, output: 1, cache_read: 0, cache_write: 0 }, cost: 2 };
    const counted = await answer(page, "session.stats", ({ by }) => ({ rows: [{ ...figures, key: by === "day" ? "2026-01-01" : "one", title: "Task 1", agent: "claude-code" }], total: figures }));

    await page.goto(`${server.origin}/?remote=our+team`);
    await page.getByText("2 sessions, indexed 5 min ago").waitFor();
    await page.getByText("tower").first().waitFor();
    assert.equal(listed[0].remote, "our team");
    for (const refused of ["starred", "tag", "tree", "store"]) assert.equal(listed[0][refused], undefined, refused);
    assert.equal(await page.getByLabel("Starred").isDisabled(), true);
    assert.equal(await page.getByLabel("Machine").locator("option:checked").textContent(), "All machines, at our team");
    assert.match(await page.getByRole("link", { name: /Task 2/ }).getAttribute("href"), /at=tower/);
    assert.deepEqual(await runner.violations(page), []);

    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Search" }).click();
    await page.getByLabel("Search in all sessions").fill("zebra");
    await page.getByRole("link", { name: /a zebra/ }).waitFor();
    assert.deepEqual([found[0].remote, found[0].words], ["our team", ["zebra"]]);

    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Usage" }).click();
    await page.getByText("Only sessions at our team").waitFor();
    assert.equal(counted[0].remote, "our team");

    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Sessions" }).click();
    await page.getByLabel("Machine").selectOption({ label: "This machine" });
    await page.getByText("Task 2").waitFor({ state: "detached" });
    await page.getByLabel("Machine").selectOption({ label: "All machines, at our team" });
    await page.getByText("Task 2").waitFor();
  });
}
