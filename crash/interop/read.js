// Reads a JSONL file as a Node program would, and prints one JSON line:
// {"records": lines that parse, "bad": lines that do not, "offsets": where the bad ones start}.
'use strict';
const fs = require('fs');
const readline = require('readline');

const file = process.argv[2];
let records = 0;
let bad = 0;

function isObject(line) {
  try {
    const value = JSON.parse(line);
    return value !== null && typeof value === 'object' && !Array.isArray(value);
  } catch {
    return false;
  }
}

// Offsets need bytes: a fragment may end inside a character, which text no longer shows.
function badOffsets() {
  const offsets = [];
  const bytes = fs.readFileSync(file);
  for (let at = 0; at < bytes.length;) {
    let end = bytes.indexOf(0x0a, at);
    if (end < 0) end = bytes.length;
    const line = bytes.toString('utf8', at, end);
    if (line.trim() !== '' && !isObject(line)) offsets.push(at);
    at = end + 1;
  }
  return offsets;
}

const lines = readline.createInterface({ input: fs.createReadStream(file), crlfDelay: Infinity });
lines.on('line', (line) => {
  if (line.trim() === '') return;
  if (isObject(line)) records += 1;
  else bad += 1;
});
lines.on('close', () => {
  console.log(JSON.stringify({ records, bad, offsets: badOffsets() }));
});
