// Tests that clients which are slow on purpose lose their connection, while others are served.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";

const limit = 120_000; // far more than the server gives

/** Resolves when the server has closed the connection. Rejects if it does not. */
async function closed(socket) {
  socket.resume();
  const timer = setTimeout(() => socket.destroy(new Error("still open")), limit);
  try {
    await once(socket, "close");
  } finally {
    clearTimeout(timer);
  }
}

export async function patienceTests(runner, server) {
  const { hostname, port, host } = new URL(server.origin);
  const open = async () => {
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return socket;
  };

  await runner.test("clients that never finish their request are disconnected", async () => {
    const silent = await open();
    const half = await open();
    half.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n`);
    const drip = await open();
    drip.on("error", (error) => assert.match(error.code ?? error.message, /EPIPE|ECONNRESET/));
    drip.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `);
    const drops = setInterval(() => drip.writable && drip.write("a"), 500);
    const body = await open();
    body.write(`POST /login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nX-Holdfast: 1\r\nContent-Length: 100\r\n\r\n{`);
    const kept = await open();
    kept.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    let served = 0;
    const others = setInterval(async () => ((await fetch(server.origin)).ok ? served++ : 0), 1000);
    try {
      await Promise.all([silent, half, drip, body, kept].map(closed));
    } finally {
      clearInterval(drops);
      clearInterval(others);
    }
    assert.ok(served > 0, "others were served meanwhile");
  });
}
