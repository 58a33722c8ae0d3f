// Counts sessions as a simple script does, with JSON.parse for every line:
// node read_like.mjs LIST..., files of file names. Prints sessions, prompts, answers, output tokens.
import { readFileSync } from "node:fs";

let sessions = 0, prompts = 0, answers = 0, output = 0;
for (const list of process.argv.slice(2)) {
  for (const file of readFileSync(list, "utf8").split("\n")) {
    if (!file) continue;
    sessions += 1;
    const seen = new Map();
    for (const line of readFileSync(file, "utf8").split("\n")) {
      if (!line) continue;
      const record = JSON.parse(line);
      if (record.type === "user" && typeof record.message.content === "string") prompts += 1;
      if (record.type === "assistant") seen.set(record.message.id, record.message.usage.output_tokens);
      if (record.type === "response_item" && record.payload.role === "assistant") answers += 1;
      if (record.type === "token_usage_record") output += record.payload.usage.output_tokens;
    }
    answers += seen.size;
    for (const tokens of seen.values()) output += tokens;
  }
}
console.log(sessions, prompts, answers, output);
