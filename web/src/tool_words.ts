// Describes a tool call in one line, independent of the agent's names for tools.
import { oneLine } from "./long_text";
import { diffLines, patchLines, type DiffLine } from "./diff";

type Input = Record<string, unknown>;

export function asObject(input: unknown): Input {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? (input as Input) : {};
}

function text(input: Input, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = input[name];
    if (typeof value === "string" && value) return value;
    if (Array.isArray(value) && value.every((part) => typeof part === "string") && value.length) return value.join(" ");
  }
  return undefined;
}

export function pathOf(input: unknown): string | undefined {
  return text(asObject(input), "file_path", "filePath", "path", "notebook_path", "target_file", "file", "absolute_path", "dir_path");
}

function todos(input: Input): string | undefined {
  const list = input["todos"] ?? input["plan"] ?? input["items"];
  if (!Array.isArray(list)) return undefined;
  const done = list.filter((one) => asObject(one)["status"] === "completed").length;
  const now = list.map(asObject).find((one) => one["status"] === "in_progress");
  return `${done} of ${list.length} done${now ? `: ${text(now, "activeForm", "content", "step", "title", "description") ?? ""}` : ""}`;
}

export function toolLine(input: unknown): string {
  if (typeof input === "string") {
    const file = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(input.slice(0, 20_000));
    return oneLine(file?.[1] ?? input);
  }
  const given = asObject(input);
  const patch = text(given, "patch", "patchText");
  const said =
    todos(given) ?? text(given, "command", "cmd", "script") ?? pathOf(given) ?? text(given, "description", "pattern", "query", "url", "prompt", "message", "skill", "title", "name", "objective") ??
    (patch ? toolLine(patch) : undefined);
  if (said !== undefined) {
    const pattern = pathOf(given) && text(given, "pattern", "query");
    return oneLine(pattern ? `${pattern} in ${said}` : said);
  }
  const rest = JSON.stringify(input) ?? "";
  return rest === "{}" || rest === "null" ? "" : oneLine(rest);
}

/** Returns the lines that an edit changes, or null if the call is not an edit. */
export function editOf(name: string, input: unknown): DiffLine[] | null {
  if (typeof input === "string") return /^\*\*\* Begin Patch/.test(input) ? patchLines(input) : null;
  const given = asObject(input);
  const patch = text(given, "patch", "patchText", "diff") ?? (/patch/i.test(name) ? text(given, "input") : undefined);
  if (patch && /^(\*\*\* |@@|diff |--- )/m.test(patch)) return patchLines(patch);
  if (Array.isArray(given["edits"])) {
    const parts = given["edits"].map((edit) => one(asObject(edit)));
    if (parts.every((part): part is DiffLine[] => part !== null)) {
      return parts.flatMap((part, at) => (at ? [{ kind: "gap" as const, text: `edit ${at + 1}` }, ...part] : part));
    }
  }
  const change = one(given);
  if (change) return change;
  const written = /write|create/i.test(name) && pathOf(given) ? given["content"] ?? given["file_text"] ?? given["contents"] : undefined;
  return typeof written === "string" ? diffLines("", written) : null;
}

function one(given: Input): DiffLine[] | null {
  const before = given["old_string"] ?? given["oldString"] ?? given["old_str"] ?? given["oldText"];
  const after = given["new_string"] ?? given["newString"] ?? given["new_str"] ?? given["newText"];
  if (typeof after !== "string" || (before !== undefined && typeof before !== "string")) return null;
  return diffLines(before ?? "", after);
}

/** The output of a tool as text. */
export function outputText(output: unknown): string {
  if (output === null || output === undefined) return "";
  if (typeof output === "string") return output;
  if (Array.isArray(output)) return output.map((part) => (typeof asObject(part)["text"] === "string" ? String(asObject(part)["text"]) : outputText(part))).join("\n");
  const given = asObject(output);
  const said = text(given, "text", "output", "stdout", "content");
  return said !== undefined && Object.keys(given).length <= 2 ? said : JSON.stringify(output, null, 2);
}
