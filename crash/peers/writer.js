// What agents written in Node do with a session, in three ways:
//   rewrite  fs.promises.writeFile of the whole session for each message
//   append   fs.promises.appendFile of one line a message
//   rename   the whole session to a temporary file, then rename, without fsync
// node writer.js WAY DIRECTORY: goes on where the store ends, prints the number of each
// message once the call has returned, until it is killed.
'use strict';
const fs = require('fs');

const [, , way, directory] = process.argv;
const session = `${directory}/session.json`;
const log = `${directory}/session.jsonl`;
const text = 'abcdefghij'.repeat(100);
const kFirst = 200; // messages of a session that begins

// One small write: whole or absent.
const say = (numbers) => fs.writeSync(1, numbers);

async function write(messages) {
  const bytes = JSON.stringify({ id: 'ses_1', messages });
  if (way === 'rewrite') {
    await fs.promises.writeFile(session, bytes);
  } else {
    await fs.promises.writeFile(`${session}.tmp`, bytes);
    await fs.promises.rename(`${session}.tmp`, session);
  }
}

async function wholeSession() {
  let messages = [];
  try {
    messages = JSON.parse(fs.readFileSync(session, 'utf8')).messages;
  } catch {
    for (let n = 0; n < kFirst; ++n) messages.push({ n, text });
    await write(messages);
    for (const { n } of messages) say(`${n}\n`);
  }
  for (let n = messages.length === 0 ? 0 : messages[messages.length - 1].n + 1; ; ++n) {
    messages.push({ n, text });
    await write(messages);
    say(`${n}\n`);
  }
}

async function appended() {
  let next = 0;
  try {
    for (const line of fs.readFileSync(log, 'utf8').split('\n')) {
      try {
        next = Math.max(next, JSON.parse(line).n + 1);
      } catch {
        // as these programs do: skip what does not parse
      }
    }
  } catch {
    // a new session
  }
  for (let n = next; ; ++n) {
    await fs.promises.appendFile(log, `${JSON.stringify({ n, text })}\n`);
    say(`${n}\n`);
  }
}

fs.mkdirSync(directory, { recursive: true });
(way === 'append' ? appended() : wholeSession()).catch((error) => {
  console.error(String(error));
  process.exit(1);
});
