// Runs a server, a browser and tests that do what a person does. A test fails if one of its pages reports an error,
// violates its policy or sends a request to another server.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { once } from "node:events";

export class Server {
  constructor(holdfast, home, flags = []) {
    Object.assign(this, { holdfast, home, flags });
  }

  /** With `enter`, signs in at once, and every visit has the cookie. */
  async start(enter = true) {
    const port = this.port ? ["--port", String(this.port)] : [];
    const env = { PATH: process.env.PATH, HOME: this.home, TZ: "UTC", LC_ALL: "C.UTF-8" };
    this.child = spawn(this.holdfast, ["serve", "--no-open", ...port, ...this.flags], { env, cwd: this.home, stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await Promise.race([once(createInterface({ input: this.child.stdout }), "line"), once(this.child, "exit").then(() => Promise.reject(new Error("holdfast serve ended")))]);
    this.entry = line.trim();
    this.origin = new URL(this.entry).origin;
    this.port = Number(new URL(this.entry).port);
    if (enter) await this.enter();
    return this;
  }

  /** Starts it as a person does. In place of a browser, a script keeps the file that is to be opened. */
  async open() {
    const [bin, opened] = [`${this.home}/bin`, `${this.home}/opened`];
    mkdirSync(bin);
    writeFileSync(`${bin}/xdg-open`, '#!/bin/sh\nprintf %s "$1" > "$HOME/opening" && mv "$HOME/opening" "$HOME/opened"\n', { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env.PATH}`, HOME: this.home, TZ: "UTC", LC_ALL: "C.UTF-8" };
    this.child = spawn(this.holdfast, ["serve", ...this.flags], { env, cwd: this.home, stdio: "ignore" });
    while (!existsSync(opened) && this.child.exitCode === null) await new Promise((done) => setTimeout(done, 50));
    this.file = readFileSync(opened, "utf8");
    this.entry = /url=([^"]+)"/.exec(readFileSync(this.file, "utf8"))[1];
    this.origin = new URL(this.entry).origin;
    return this;
  }

  async enter() {
    const code = new URL(this.entry).hash.slice("#code=".length);
    const answer = await fetch(`${this.origin}/login`, { method: "POST", headers: { "Content-Type": "application/json", "X-Holdfast": "1" }, body: JSON.stringify({ code }) });
    if (answer.status !== 204) throw new Error(`login: ${answer.status}`);
    this.useCookie(answer.headers.get("set-cookie").split(";")[0]);
  }

  useCookie(pair) {
    const at = pair.indexOf("=");
    this.cookie = { name: pair.slice(0, at), value: pair.slice(at + 1), url: this.origin };
  }

  async stop() {
    if (!this.child || this.child.exitCode !== null) return;
    const ended = once(this.child, "exit");
    this.child.kill("SIGINT");
    await ended;
  }
}

/** Opens a port that nothing may connect to and counts connections. */
export async function trap() {
  const knocks = [];
  const listener = createServer((peer) => {
    knocks.push("knock");
    peer.destroy();
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return { origin: `http://127.0.0.1:${listener.address().port}`, knocks, close: () => listener.close() };
}

export class Runner {
  constructor(modules) {
    const require = createRequire(`${modules}/`);
    this.chromium = require("playwright-core").chromium;
    this.axe = require("axe-core").source;
    this.passed = 0;
    this.failed = 0;
  }

  async open() {
    this.browser = await this.chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--no-first-run"] });
  }

  async close() {
    await this.browser?.close();
  }

  /** Opens the page `query` in a new browser context, signed in. A server that was opened is entered through its file. */
  async visit(server, query = "", options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: "reduce", locale: "en", timezoneId: "UTC", ...options });
    const page = await context.newPage();
    page.troubles = [];
    page.expected = [];
    page.setDefaultTimeout(60_000); // the machine may be busy
    page.on("pageerror", (error) => page.troubles.push(`error: ${error.message}`));
    page.on("console", (message) => message.type() === "error" && page.troubles.push(`console: ${message.text()}`));
    page.on("dialog", (dialog) => { page.troubles.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
    const start = server.file ? `file://${server.file}` : server.cookie ? `${server.origin}/${query}` : server.entry;
    page.on("request", (request) => { if (![server.origin, "data:", "blob:", start].some((known) => request.url().startsWith(known))) page.troubles.push(`asked ${request.url()}`); });
    this.pages.push(page);
    if (server.cookie) await context.addCookies([server.cookie]);
    await page.goto(start);
    return page;
  }

  async test(name, body) {
    this.pages = [];
    let trouble = null;
    try {
      await body();
      const found = this.pages.flatMap((page) => page.troubles.filter((one) => !page.expected.some((known) => known.test(one))));
      if (found.length) trouble = new Error(found.join("\n"));
    } catch (error) {
      trouble = error;
    }
    if (trouble) {
      this.failed++;
      console.log(`FAIL  ${name}\n      ${String(trouble.stack ?? trouble).split("\n").slice(0, 8).join("\n      ")}`);
      for (const page of this.pages) await page.screenshot({ path: `${this.out}/failed-${this.failed}.png` }).catch(() => undefined);
    } else {
      this.passed++;
      console.log(`pass  ${name}`);
    }
    for (const page of this.pages) await page.context().close().catch(() => undefined);
  }

  /** Returns the violations that axe finds on the page in its current state. */
  async violations(page) {
    if (!(await page.evaluate(() => "axe" in window))) {
      // The policy of the page allows only its own script, so axe is injected through the debugger.
      await page.evaluate(this.axe);
    }
    const found = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
    return found.violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map((node) => node.target.join(" ") + " " + (node.any[0]?.message ?? "")).join(" | ")}`);
  }
}
