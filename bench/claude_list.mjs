// Lists sessions with the Claude Agent SDK, for find_bench: node claude_list.mjs DIR, where
// DIR has the SDK in its node_modules. Reads $HOME/.claude as the SDK does.
import { join, resolve } from "node:path";

const sdk = join(resolve(process.argv[2]), "node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs");
const { listSessions } = await import(sdk);
const sessions = await listSessions();
if (sessions.length === 0) process.exit(1);
console.log(sessions.length);
