// Makes a realistic home: two agents, a few projects, some months.
import { ClaudeSession, codexSession } from "./sessions.mjs";

const day = 86_400_000;
const tasks = [
  ["Fix the flaky login test", "The test raced with the session cookie. It now waits for the response."],
  ["Add pagination to the orders page", "Orders are now fetched 50 at a time, with a cursor."],
  ["Why is the build slow?", "Two thirds of the time go to one header. I split it."],
  ["Write a migration for the new tide table", "The migration is reversible and keeps the old column for a release."],
  ["Review the error handling in the importer", "Three places swallowed errors; each now names the file and the cause."],
  ["Make the chart readable in dark mode", "Colours come from variables now, with enough contrast in both themes."],
  ["Rename Harbour to Port everywhere", "41 files changed; the tests pass."],
  ["Explain the retry logic", "It backs off exponentially and gives up after five attempts."],
];

/** The session that most tests read. */
function story(home) {
  return new ClaudeSession(home, 1, { at: Date.now() - 20 * 60_000, branch: "fix/tide-rounding" })
    .prompt("The tide table shows 2.30 m where the gauge says 2.26 m. Find out why and fix it.")
    .think("The values come from the gauge with two decimals. Rounding to one decimal somewhere would explain it.")
    .answer("I will look at how heights are formatted.")
    .tool("Grep", { pattern: "toFixed", path: "src" }, "src/format.ts:14:  return `${height.toFixed(1)}0 m`;\nsrc/chart.ts:80:  label.toFixed(2)")
    .tool("Read", { file_path: "/home/dev/tidewater/src/format.ts" }, "export function metres(height: number): string {\n  return `${height.toFixed(1)}0 m`;\n}\n")
    .answer("`metres` rounds to one decimal and then adds a zero.")
    .tool("Edit", { file_path: "/home/dev/tidewater/src/format.ts", old_string: "export function metres(height: number): string {\n  return `${height.toFixed(1)}0 m`;\n}", new_string: "export function metres(height: number): string {\n  return `${height.toFixed(2)} m`;\n}" }, "The file was updated.")
    .tool("Bash", { command: "npm test", description: "Run the tests" }, "\u001b[32mPASS\u001b[0m src/format.test.ts\n\nTests: 42 passed, 42 total\nTime:  1.9 s")
    .answer("The table is right now.\n\n| gauge | before | now |\n|---|---|---|\n| 2.26 | 2.30 m | **2.26 m** |\n| 0.94 | 0.90 m | **0.94 m** |\n\nWhat happened:\n\n1. `metres` used `toFixed(1)`, which rounds to decimetres.\n2. A literal `0` was added, so nobody noticed.\n\n```ts\nreturn `${height.toFixed(2)} m`;\n```\n")
    .prompt("Good. Is there a test that would have caught it?")
    .tool("Write", { file_path: "/home/dev/tidewater/src/format.test.ts", content: "import { metres } from \"./format\";\n\ntest(\"heights keep their centimetres\", () => {\n  expect(metres(2.26)).toBe(\"2.26 m\");\n});\n" }, "File created.")
    .tool("Bash", { command: "npm test -- --coverage", description: "Run with coverage" }, "npm error missing script: coverage", true)
    .answer("There is one now: *heights keep their centimetres*. Coverage is not set up in this project, so I left it.")
    .title("Tide heights lose their centimetres")
    .write();
}

export function makeWorld(home) {
  let seed = 11;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const projects = ["/home/dev/tidewater", "/home/dev/lighthouse", "/home/dev/harbour-api"];
  for (let number = 100; number < 190; number++) {
    const at = Date.now() - day - Math.floor(random(240) * random(100) / 100) * day - random(36_000_000);
    const [prompt, answer] = tasks[random(tasks.length)];
    if (number % 3 === 0) {
      codexSession(home, number, { at, prompt, answer, project: projects[random(3)] });
      continue;
    }
    const session = new ClaudeSession(home, number, { at, project: projects[random(3)], model: number % 5 ? "claude-opus-5-5" : "claude-sonnet-5" });
    for (let turn = 0; turn <= random(4); turn++) session.prompt(turn ? `And then? (${turn})` : prompt).tool("Bash", { command: "git status" }, "nothing to commit").answer(answer);
    session.write();
  }
  const fork = new ClaudeSession(home, 3, { at: Date.now() - 2 * day }).prompt("Compare two ways to cache tiles").answer("A disk cache survives restarts; a memory cache is simpler.");
  const root = fork.parent;
  fork.prompt("Take the disk cache").answer("Done: tiles are kept for a week.");
  fork.parent = root;
  fork.prompt("Take the memory cache instead").answer("Done: the last 512 tiles are kept.").write();
  const damaged = new ClaudeSession(home, 4, { at: Date.now() - 3 * day }).prompt("Sum up the log").answer("It is quiet.").raw('{"type":"user","message":{"role":"us').raw("\u0000\u0000\u0000").answer("And it stays quiet.").write();
  const picture = "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR42mNgaPiPB41KD1ppABO3x1ehdx7wAAAAAElFTkSuQmCC";
  const pictured = new ClaudeSession(home, 5, { at: Date.now() - 4 * day })
    .prompt([{ type: "text", text: "What colour is this?" }, { type: "image", source: { type: "base64", media_type: "image/png", data: picture } }])
    .answer("A dark teal.").write();
  return { story: story(home), fork, damaged, pictured };
}
