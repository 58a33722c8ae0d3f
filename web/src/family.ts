// The tree of forks and sub-agents that a session belongs to.
import { call } from "./api";
import { h, type Child } from "./dom";
import { ago, agentName, plural, sessionName, sessionTitle } from "./format";
import { plainClick, type Router } from "./router";
import { statusDot } from "./status";
import type { Session, SessionPage } from "./types";

const most = 1000;
const deepest = 20;

/** Returns the tree that contains the session, or null if it has no parent and no children. */
export async function familyOf(session: Session, machine: string, router: Router, signal: AbortSignal): Promise<HTMLElement | null> {
  const { sessions } = await call<SessionPage>("session.list", { all: true, machine, layout: session.layout, project: session.project, limit: most }, signal);
  const known = new Map(sessions.map((one) => [one.id, one]));
  known.set(session.id, session);
  let root = session;
  for (let steps = 0; steps < deepest && root.parent; steps++) {
    const parent = known.get(root.parent.id);
    if (!parent || parent === root) break;
    root = parent;
  }
  const children = new Map<string, Session[]>();
  for (const one of known.values()) if (one.parent && one.parent.id !== one.id) children.set(one.parent.id, [...(children.get(one.parent.id) ?? []), one]);
  const size = [...known.values()].filter((one) => one !== root && (one.parent?.id === root.id || children.has(one.id))).length;
  if (root === session && !children.has(session.id)) return null;
  const seen = new Set<string>();
  const branch = (one: Session, depth: number): HTMLElement | null => {
    if (seen.has(one.id) || depth > deepest) return null;
    seen.add(one.id);
    const below = (children.get(one.id) ?? []).sort((a, b) => (a.created_at ?? "").localeCompare(b.created_at ?? ""));
    return h("li", {}, entry(one, machine, one.id === session.id, router), below.length > 0 && h("ul", {}, below.map((child) => branch(child, depth + 1))));
  };
  return h("details", { className: "family", open: size <= 6 }, h("summary", {}, "Related sessions"), h("ul", { className: "tree" }, branch(root, 0)));
}

function entry(session: Session, machine: string, open: boolean, router: Router): HTMLElement {
  const id = sessionName(session);
  const kind = session.parent ? (session.parent.kind === "subagent" ? "sub-agent" : session.parent.kind) : "";
  const words: Child[] = [statusDot(session, false), kind && h("span", { className: "label" }, kind), h("span", { dir: "auto", className: "tree-title" }, sessionTitle(session))];
  const facts = h("span", { className: "faint" }, [agentName(session.layout), session.counts ? plural(session.counts.user, "prompt") : "", ago(session.updated_at)].filter(Boolean).join(" · "));
  if (open) return h("span", { className: "tree-row", "aria-current": "true" }, words, facts);
  return h("a", {
    className: "tree-row", href: router.href({ session: id, at: machine, message: null, branch: "", find: "" }),
    onclick: (event: Event) => {
      if (!plainClick(event as MouseEvent)) return;
      event.preventDefault();
      router.go({ session: id, at: machine, message: null, branch: "", find: "" });
    },
  }, words, facts);
}
