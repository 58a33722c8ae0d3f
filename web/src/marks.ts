// Stars, tags and titles given by people, if the server may write them.
import { call, offered } from "./api";
import { openDialog } from "./dialog";
import { button, h, icon } from "./dom";
import { sessionName, sessionTitle } from "./format";
import { say } from "./live";
import type { Session } from "./types";

async function change(method: string, params: Record<string, unknown>, done: string, changed: () => void): Promise<void> {
  try {
    await call(method, params);
    say(done);
    changed();
  } catch (error) {
    say((error as Error).message);
  }
}

export async function toggleStar(session: Session, changed: () => void): Promise<void> {
  if (!(await offered()).has("session.star")) return say("Start holdfast serve with --write to star sessions");
  await change("session.star", { id: sessionName(session), ...(session.starred ? { remove: true } : {}) }, session.starred ? "Star removed" : "Starred", changed);
}

/** Returns buttons for what this server can write; none if it only reads. */
export async function markButtons(current: () => Session, changed: () => void): Promise<HTMLElement[]> {
  const methods = await offered();
  const session = current();
  const id = sessionName(session);
  const made: HTMLElement[] = [];
  if (methods.has("session.star")) made.push(button([icon("star"), session.starred ? "Starred" : "Star"], () => void toggleStar(current(), changed), { "aria-pressed": session.starred ? "true" : "false" }));
  if (methods.has("session.rename")) made.push(button("Rename", () => ask("Rename this session", "Title", sessionTitle(current()), (text) => void change("session.rename", { id, title: text }, "Renamed", changed))));
  if (methods.has("session.tag")) made.push(button("Tags", () => askTags(current(), changed)));
  return made;
}

function ask(title: string, label: string, value: string, done: (text: string) => void): void {
  const input = h("input", { type: "text", value, maxlength: 200 });
  const form = h("form", { className: "ask", onsubmit: (event: Event) => { event.preventDefault(); dialog.close(); done(input.value.trim()); } }, h("label", {}, label, input), h("button", { type: "submit", className: "button primary" }, "Save"));
  const dialog = openDialog(title, form);
  input.focus();
  input.select();
}

function askTags(session: Session, changed: () => void): void {
  const id = sessionName(session);
  ask("Tags for this session", "Tags, separated by spaces", (session.tags ?? []).join(" "), (text) => {
    const wanted = text.split(/[\s,]+/).filter(Boolean);
    const before = session.tags ?? [];
    const added = wanted.filter((tag) => !before.includes(tag));
    const gone = before.filter((tag) => !wanted.includes(tag));
    void (async () => {
      if (gone.length) await change("session.tag", { id, tags: gone, remove: true }, "Tags removed", () => undefined);
      if (added.length) await change("session.tag", { id, tags: added }, "Tags added", () => undefined);
      changed();
    })();
  });
}
