// Formats numbers, times and names for people.
import { title } from "./clean";
import type { Session, Usage } from "./types";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export function ago(time: string | null, now = Date.now()): string {
  if (!time) return "";
  const passed = now - Date.parse(time);
  if (Number.isNaN(passed)) return "";
  if (passed < minute) return "just now";
  if (passed < hour) return `${Math.floor(passed / minute)} min ago`;
  if (passed < day) return `${Math.floor(passed / hour)} h ago`;
  if (passed < 7 * day) return `${Math.floor(passed / day)} d ago`;
  return shortDay(time, now);
}

export function shortDay(time: string, now = Date.now()): string {
  const date = new Date(time);
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return date.toLocaleDateString("en", { day: "numeric", month: "short", ...(sameYear ? {} : { year: "numeric" }) });
}

export function moment(time: string | null): string {
  if (!time || Number.isNaN(Date.parse(time))) return "";
  return new Date(time).toLocaleString("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
}

export function clock(time: string | null): string {
  if (!time || Number.isNaN(Date.parse(time))) return "";
  return new Date(time).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

export function count(number: number): string {
  return number.toLocaleString("en");
}

/** 1 prompt, 2 prompts. */
export function plural(number: number, one: string, more = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : more}`;
}

export function short(number: number): string {
  if (number < 1000) return String(number);
  if (number < 999_500) return `${(number / 1000).toFixed(number < 9950 ? 1 : 0)}k`;
  if (number < 999_500_000) return `${(number / 1e6).toFixed(number < 9.95e6 ? 1 : 0)}M`;
  return `${(number / 1e9).toFixed(1)}B`;
}

export function money(dollars: number | null | undefined, estimated = false): string {
  if (dollars === null || dollars === undefined) return "";
  const text = dollars > 0 && dollars < 0.01 ? "<$0.01" : `$${dollars.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  return (estimated ? "~" : "") + text;
}

export function bytes(number: number): string {
  if (number < 1000) return `${number} B`;
  if (number < 1e6) return `${(number / 1e3).toFixed(number < 1e4 ? 1 : 0)} kB`;
  return `${(number / 1e6).toFixed(number < 1e7 ? 1 : 0)} MB`;
}

export function allTokens(usage: Usage): number {
  return usage.input + usage.output + usage.cache_read + usage.cache_write;
}

const agents: Record<string, string> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  opencode: "opencode",
  qwen: "Qwen Code",
  pi: "pi",
  copilot: "Copilot",
  continue: "Continue",
  openclaw: "OpenClaw",
  holdfast: "Holdfast",
  linggen: "Linggen",
  lopen: "Lopen",
  maestro: "Maestro",
  "open-agent": "Open Agent",
};

export function agentName(layout: string): string {
  return agents[layout] ?? title(layout, 40);
}

export const knownAgents = Object.keys(agents);

/** The last part of a path names the project. */
export function projectName(path: string | null): string {
  if (!path) return "";
  const parts = path.split("/").filter(Boolean);
  return title(parts.slice(-1).join("/") || path, 60);
}

export function sessionTitle(session: Pick<Session, "title" | "first_prompt" | "id">): string {
  return title(session.title) || title(session.first_prompt) || `Session ${session.id.slice(0, 8)}`;
}

/** LAYOUT/ID names one session. An id alone may also name a copy of it in the store of another agent. */
export function sessionName(session: Pick<Session, "layout" | "id">): string {
  return `${session.layout}/${session.id}`;
}

/** The name of a status and its meaning. */
export interface StatusWords {
  word: string;
  meaning: string;
}

const statuses: Record<string, StatusWords> = {
  running: { word: "Running", meaning: "an agent is working on it" },
  interrupted: { word: "Interrupted", meaning: "it was cut off before it finished" },
  active: { word: "Idle", meaning: "nothing is running; it can be continued" },
  complete: { word: "Complete", meaning: "it has ended" },
  failed: { word: "Failed", meaning: "it ended with an error" },
  stopped: { word: "Stopped", meaning: "it was stopped" },
  archived: { word: "Archived", meaning: "it is only in the archive" },
  damaged: { word: "Damaged", meaning: "some of its data cannot be read" },
  unknown: { word: "Unknown", meaning: "its files do not record a status" },
};

export function statusOf(session: Pick<Session, "status" | "damage" | "archived">): string {
  if (session.status === "running") return "running";
  if (session.damage > 0) return "damaged";
  return session.archived ? "archived" : session.status in statuses ? session.status : "unknown";
}

export function statusWords(status: string): StatusWords {
  return statuses[status] ?? { word: "Unknown", meaning: "its files do not record a status" };
}

/** Quotes text as one word for a POSIX shell, if needed. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}
