// Shows commands for using a session elsewhere, for people to copy. Runs nothing.
import { call } from "./api";
import { copyButton } from "./copy";
import { openDialog } from "./dialog";
import { button, fill, h, type Child } from "./dom";
import { agentName, sessionName, sessionTitle, shellWord } from "./format";
import { say } from "./live";
import type { Session } from "./types";

const nextAgents = ["claude-code", "codex", "gemini", "qwen", "copilot", "pi", "opencode", "holdfast"];
const formats: [string, string, string][] = [["md", "Markdown", "md"], ["html", "HTML", "html"], ["json", "JSON", "json"], ["jsonl", "JSON Lines", "jsonl"], ["atif", "ATIF trajectory", "json"]];

function command(words: string[], target = ""): HTMLElement {
  const text = words.map(shellWord).join(" ") + (target ? ` > ${shellWord(target)}` : "");
  return h("div", { className: "command" }, h("code", { tabindex: 0 }, text), copyButton(() => text, "Copy command"));
}

function section(title: string, words: string, ...children: Child[]): HTMLElement {
  return h("section", { className: "use" }, h("h3", {}, title), h("p", { className: "faint" }, words), children);
}

/** A short file name that reveals nothing of the session but its id. */
function fileName(session: Session, ending: string): string {
  return `session-${session.id.replace(/[^A-Za-z0-9-]/g, "").slice(0, 12)}.${ending}`;
}

async function download(session: Session, machine: string, format: string, ending: string): Promise<void> {
  try {
    const { text } = await call<{ text: string }>("session.export", { id: sessionName(session), machine, format });
    const address = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
    const link = h("a", { href: address, download: fileName(session, ending) });
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
    say("Exported");
  } catch (error) {
    say((error as Error).message);
  }
}

/** `machine`: the other machine that the session belongs to; empty for this machine. */
export function openCommands(session: Session, machine: string, focus?: "export"): void {
  const id = sessionName(session);
  const from = machine ? ["--machine", machine] : [];
  const handoff = h("div");
  const to = h("select", { "aria-label": "Next agent" }, nextAgents.filter((agent) => agent !== session.layout).map((agent) => h("option", { value: agent }, agentName(agent))));
  const showHandoff = (): void => fill(handoff, command(["holdfast", "resume", id, "--in", to.value, ...from]), command(["holdfast", "handoff", id, "--to", to.value, "--dry-run", ...from]));
  to.addEventListener("change", showHandoff);
  showHandoff();
  const exported = h("div");
  const format = h("select", { "aria-label": "Format" }, formats.map(([value, word]) => h("option", { value }, word)));
  const ending = (): string => formats.find(([value]) => value === format.value)?.[2] ?? "txt";
  const showExport = (): void => fill(exported, command(["holdfast", "export", id, "--format", format.value, ...from], fileName(session, ending())));
  format.addEventListener("change", showExport);
  showExport();
  openDialog("Use this session",
    h("p", { className: "dialog-about", dir: "auto" }, sessionTitle(session)),
    !machine && section("Resume", `Continue in ${agentName(session.layout)}, in the project directory.`, command(["holdfast", "resume", id])),
    section("Hand off", "Continue in another agent, in a new session with the text, tool calls and results. The second command only shows what would be carried over.", h("label", { className: "field" }, "Next agent ", to), handoff),
    section("Export", "The whole session as one document.", h("div", { className: "field" }, h("label", {}, "Format ", format), button("Download", () => void download(session, machine, format.value, ending()))), exported),
    section("Share", "One HTML file with secrets masked and tools folded.", command(["holdfast", "share", id, ...from, "-o", fileName(session, "html")])),
    !machine && section("Follow in a terminal", "Prints new messages as they arrive.", command(["holdfast", "tail", "-f", id])));
  if (focus === "export") format.focus();
}
