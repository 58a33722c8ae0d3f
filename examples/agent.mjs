// An agent that stores its session in Holdfast, in Node without any package.
//   node agent.mjs PROMPT...      HOLDFAST=/path/to/holdfast, if it is not on the PATH
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

class Holdfast {
  #child = spawn(process.env.HOLDFAST ?? "holdfast", ["rpc"], { stdio: ["pipe", "pipe", "inherit"] });
  #waiting = new Map();
  #next = 1;

  /** onEvent(event) gets the events of the store; onItem(id, item) gets the items of a stream. */
  constructor({ onEvent = () => {}, onItem = () => {} } = {}) {
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      const message = JSON.parse(line);
      if (message.method === "event") return onEvent(message.params);
      if (message.method === "item") return onItem(message.params.id, message.params.item);
      const { resolve, reject } = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      // data.code is one of the codes in docs/api.md: not_found, busy, disk_full, ...
      if (message.error) reject(Object.assign(new Error(message.error.message), message.error.data));
      else resolve(message.result);
    });
    this.#child.on("exit", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("holdfast rpc has ended"));
    });
  }

  call(method, params = {}) {
    const id = this.#next++;
    this.#child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  close() {
    this.#child.stdin.end(); // calls in progress finish first
  }
}

const model = async (prompt) => `You said: ${prompt}`; // yours goes here

let saved = 0;
const holdfast = new Holdfast({ onEvent: (event) => (saved += event.name === "session:persisted" ? 1 : 0) });
await holdfast.call("hello", { client: "example-agent/1" });
await holdfast.call("events.subscribe");

// Creating a session takes its lease: while this program runs, other writers fail with `busy`.
const { id: session } = await holdfast.call("session.create", { project: process.cwd(), title: "An example" });
for (const prompt of process.argv.slice(2)) {
  await holdfast.call("message.append", { session, text: prompt });
  const text = await model(prompt);
  // When this resolves, the message is on the disk and survives kill -9 and a power cut.
  await holdfast.call("message.append", {
    session,
    message: { role: "assistant", text, model: "echo-1", usage: { input: prompt.length, output: text.length } },
  });
}

// Read a page at a time. The cost of a page does not depend on the length of the session.
let cursor;
do {
  const page = await holdfast.call("message.list", { session, limit: 2, ...(cursor ? { cursor } : {}) });
  for (const { role, blocks } of page.messages) console.log(`${role}: ${blocks.map((block) => block.text ?? "").join("")}`);
  cursor = page.next_cursor;
} while (cursor);

await holdfast.call("session.end", { id: session });
console.log(`saved: ${saved > 0}`);
holdfast.close();
