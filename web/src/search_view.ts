// Search as you type over all messages. Shows hits in context, grouped by session.
import { aborted, call } from "./api";
import { title } from "./clean";
import { fill, h } from "./dom";
import { agentName, ago, count, moment, plural, projectName, sessionTitle } from "./format";
import { splitWords } from "./prompts";
import { plainClick, type Route, type Router } from "./router";
import { filterParams } from "./session_source";
import { snippet } from "./snippet";
import { statusDot } from "./status";
import type { Hit, HitPage, Session } from "./types";

const pageSize = 60;
const places: [string, string][] = [["", "Everything"], ["prompts", "Prompts"], ["answers", "Answers"], ["thinking", "Thinking"], ["tools", "Tools"]];
const roles: Record<string, string> = { user: "You", assistant: "Agent", tool: "Tool", system: "System" };
const known = new Map<string, Promise<Session | null>>();

const groupKey = (hit: Hit): string => `${hit.layout}/${hit.session} ${hit.machine ?? ""}`;

export class SearchView {
  readonly element: HTMLElement;
  private readonly input = h("input", { type: "search", id: "search-words", placeholder: "Words, or a \"phrase\"", autocomplete: "off", spellcheck: "false" });
  private readonly place: HTMLSelectElement = h("select", { "aria-label": "Search in", onchange: () => this.router.replace({ searchIn: this.place.value }) }, places.map(([value, word]) => h("option", { value }, word)));
  private readonly figures = h("p", { className: "faint", role: "status" });
  private readonly hits = h("div", { className: "hits" });
  private stop = new AbortController();
  private timer: number | undefined;
  private shown = "";

  constructor(private readonly router: Router) {
    this.input.addEventListener("input", () => {
      window.clearTimeout(this.timer);
      this.timer = window.setTimeout(() => router.replace({ words: this.input.value }), 150);
    });
    this.element = h("section", { className: "search page-view", "aria-labelledby": "search-title" },
      h("h1", { id: "search-title" }, "Search"),
      h("form", { className: "search-form", role: "search", "aria-label": "Search all sessions", onsubmit: (event: Event) => { event.preventDefault(); this.firstHit()?.focus(); } },
        h("label", { for: "search-words", className: "hidden" }, "Search in all sessions"), this.input, this.place),
      this.figures, this.hits);
  }

  show(route: Route): void {
    if (this.input.value !== route.words) this.input.value = route.words;
    this.place.value = route.searchIn;
    document.title = route.words ? `${title(route.words, 60)} · Search · Holdfast` : "Search · Holdfast";
    const key = JSON.stringify([route.words, route.searchIn, filterParams(route)]);
    if (key === this.shown) return;
    this.shown = key;
    void this.run(route, 0);
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  move(by: number): void {
    const all = [...this.hits.querySelectorAll<HTMLElement>("a.hit")];
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus();
  }

  private firstHit(): HTMLElement | null {
    return this.hits.querySelector("a.hit");
  }

  private async run(route: Route, skip: number): Promise<void> {
    this.stop.abort();
    this.stop = new AbortController();
    const { signal } = this.stop;
    const words = splitWords(route.words);
    if (!words.length) {
      fill(this.hits, h("p", { className: "empty-note" }, "Search prompts, answers, thinking, commands and their output. The filters of the session list apply."));
      this.figures.textContent = "";
      return;
    }
    this.figures.textContent = "Searching…";
    try {
      const answer = await call<HitPage>("session.search", { ...filterParams(route), words, in: route.searchIn, limit: pageSize, skip: skip || undefined }, signal);
      if (!skip) this.hits.replaceChildren();
      this.hits.querySelector(".more")?.remove();
      this.figures.textContent = this.told(answer, skip);
      this.add(answer.hits, words);
      if (answer.truncated && answer.hits.length) {
        this.hits.append(h("button", { type: "button", className: "button more", onclick: () => void this.run(route, skip + pageSize) }, "Show more"));
      }
    } catch (error) {
      if (aborted(error)) return;
      this.shown = "";
      this.figures.textContent = (error as Error).message;
    }
  }

  private told(answer: HitPage, skip: number): string {
    if (!answer.hits.length && !skip) return "No matches.";
    if (answer.total === null) return `The newest ${count(skip + answer.hits.length)} matching messages.`;
    return `${plural(answer.total, "message")} in ${plural(answer.sessions ?? 0, "session")}.`;
  }

  private add(hits: Hit[], words: string[]): void {
    for (const hit of hits) {
      const id = `${hit.layout}/${hit.session}`;
      let group = [...this.hits.querySelectorAll<HTMLElement>(".hit-group")].find((one) => one.dataset["session"] === groupKey(hit));
      if (!group) {
        group = this.group(hit, id);
        this.hits.append(group);
      }
      group.querySelector("ul")?.append(h("li", {}, this.hit(hit, id, words)));
    }
  }

  private group(hit: Hit, id: string): HTMLElement {
    const name = h("span", { className: "hit-title", dir: "auto" }, "…");
    const facts = h("span", { className: "faint" }, [agentName(hit.layout), projectName(hit.project), title(hit.machine ?? "", 40)].filter(Boolean).join(" · "));
    const heading = h("h2", {}, name, " ", facts);
    const key = groupKey(hit);
    known.set(key, known.get(key) ?? call<{ session: Session }>("session.get", { id, machine: hit.machine }).then((answer) => answer.session, () => null));
    void known.get(key)?.then((session) => {
      name.textContent = session ? sessionTitle(session) : `Session ${hit.session.slice(0, 8)}`;
      if (session) {
        heading.prepend(statusDot(session, false));
        facts.append(` · ${ago(session.updated_at)}`);
      }
    });
    const group = h("section", { className: "hit-group" }, heading, h("ul"));
    group.dataset["session"] = groupKey(hit);
    return group;
  }

  private hit(hit: Hit, id: string, words: string[]): HTMLElement {
    const find = words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(" ");
    const target = { view: "sessions" as const, session: id, at: hit.machine ?? "", message: hit.ordinal, branch: "", find };
    return h("a", {
      className: "hit", href: this.router.href(target),
      onclick: (event: Event) => {
        if (!plainClick(event as MouseEvent)) return;
        event.preventDefault();
        this.router.go(target);
      },
    }, h("span", { className: "hit-who" }, roles[hit.role] ?? ""), h("span", { className: "hit-text", dir: "auto" }, snippet(hit.snippet, hit.spans)), h("time", { className: "faint", datetime: hit.timestamp, title: moment(hit.timestamp) }, ago(hit.timestamp)));
  }
}
