// Tests the viewer in a real browser: run.mjs HOLDFAST NODE_MODULES OUT [PART...]
// Drives `holdfast serve` with playwright-core and Debian's Chromium. Leaves screenshots in OUT.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessTests } from "./access.mjs";
import { dotsTests } from "./dots.mjs";
import { entryTests } from "./entry.mjs";
import { Runner, Server } from "./harness.mjs";
import { familyTests } from "./families.mjs";
import { hostileTests } from "./hostile.mjs";
import { manyMessages, manyMessagesTests, manySessions, manySessionsTests } from "./large.mjs";
import { liveTests } from "./live.mjs";
import { marksTests } from "./marks.mjs";
import { patienceTests } from "./patience.mjs";
import { personTests } from "./person.mjs";
import { takePictures } from "./pictures.mjs";
import { remoteTests } from "./remote.mjs";
import { secretsTests } from "./secrets.mjs";
import { makeWorld } from "./world.mjs";

const [holdfast, modules, out, ...parts] = process.argv.slice(2);
const wanted = (part) => parts.length === 0 || parts.includes(part);
const homes = [];
const servers = [];
const newHome = () => {
  const home = mkdtempSync(join(tmpdir(), "holdfast-browser-"));
  homes.push(home);
  return home;
};
const serve = async (home, flags = []) => {
  const server = await new Server(holdfast, home, flags).start();
  servers.push(server);
  return server;
};

mkdirSync(out, { recursive: true });
const runner = new Runner(modules);
runner.out = out;
try {
  await runner.open();
  const home = newHome();
  const world = makeWorld(home);
  const server = await serve(home);
  if (wanted("pictures")) await takePictures(runner, server, world, out);
  if (wanted("entry")) {
    const other = newHome();
    const opened = await new Server(holdfast, other).open();
    servers.push(opened);
    await entryTests(runner, opened, other);
  }
  if (wanted("person")) await personTests(runner, server, world);
  if (wanted("access")) await accessTests(runner, server, world);
  if (wanted("marks")) await marksTests(runner, server, await serve(home, ["--write"]), world);
  if (wanted("patience")) await patienceTests(runner, server);
  if (wanted("remote")) await remoteTests(runner, server);
  if (wanted("live")) await liveTests(runner, server, home);
  if (wanted("secrets")) {
    const other = newHome();
    await secretsTests(runner, await serve(other), other);
  }
  if (wanted("dots")) {
    const other = newHome();
    await dotsTests(runner, await serve(other), other);
  }
  if (wanted("families")) {
    const other = newHome();
    await familyTests(runner, await serve(other), other, newHome());
  }
  if (wanted("hostile")) {
    const other = newHome();
    await hostileTests(runner, await serve(other), other);
  }
  if (wanted("messages")) {
    const other = newHome();
    const session = manyMessages(other, 100_000);
    await manyMessagesTests(runner, await serve(other), session, 100_000);
  }
  if (wanted("sessions")) {
    const other = newHome();
    const count = Number(process.env.HOLDFAST_BROWSER_SESSIONS ?? 20_000); // writing 100,000 takes minutes
    manySessions(other, count);
    await manySessionsTests(runner, await serve(other), count);
  }
} finally {
  await runner.close();
  for (const server of servers) await server.stop();
  for (const home of homes) rmSync(home, { recursive: true, force: true });
}
console.log(`${runner.passed} passed, ${runner.failed} failed`);
process.exitCode = runner.failed || !runner.passed ? 1 : 0;
