// The status of a session, as a dot and as a word.
import { h } from "./dom";
import { statusOf, statusWords } from "./format";
import type { Session } from "./types";

export function statusDot(session: Pick<Session, "status" | "damage" | "archived">, withWord: boolean): HTMLElement {
  const status = statusOf(session);
  const { word, meaning } = statusWords(status);
  return h("span", { className: `status ${status}`, title: `${word}: ${meaning}` }, h("span", { className: "dot", "aria-hidden": "true" }), h("span", { className: withWord ? "" : "hidden" }, word));
}
