// One session: its facts, its actions and its transcript.
import { aborted, call } from "./api";
import { openBranches } from "./branches";
import { cleanLine } from "./clean";
import { openCommands } from "./commands";
import { onConnection } from "./connection";
import { copyButton } from "./copy";
import { openDialog } from "./dialog";
import { button, fill, h, icon, type Child } from "./dom";
import { familyOf } from "./family";
import { FindBar } from "./find_bar";
import { Follower } from "./follow";
import { agentName, allTokens, bytes, count, moment, money, plural, sessionTitle, short } from "./format";
import { say } from "./live";
import { markButtons, toggleStar } from "./marks";
import { promptsOf } from "./prompts";
import { layouts, plainClick, type Layout, type Route, type Router } from "./router";
import { secretsShown, showSecrets, watchSecrets } from "./secrets";
import { snippet } from "./snippet";
import { statusDot } from "./status";
import { Transcript } from "./transcript";
import type { Finding, Hit, MessagePage, Session, SessionPage } from "./types";

const layoutWords: Record<Layout, string> = { focused: "Prompts and answers", normal: "With tools", full: "Everything" };

export interface SessionHost {
  /** The title or the marks of the session changed. */
  changed(): void;
  /** Opens the session again. */
  reopen(): void;
}

export class SessionView {
  readonly element: HTMLElement;
  session: Session | null = null;
  private readonly head = h("header", { className: "session-head" });
  private readonly heading = h("h1", { tabindex: -1, dir: "auto" });
  private readonly facts = h("div");
  private readonly marks = h("span", { className: "marks" });
  private readonly secrets = h("span");
  private readonly badges = h("div", { className: "badges" });
  private readonly related = h("div");
  private readonly scroller = h("div", { className: "scroller", tabindex: 0, role: "region", "aria-label": "Transcript" });
  private readonly fresh = button([icon("down"), "New messages"], () => this.transcript.toEnd(), { className: "button primary fresh", hidden: true });
  private readonly live = h("span", { className: "live", hidden: true }, h("span", { className: "dot", "aria-hidden": "true" }), "Live");
  private readonly told = h("p", { className: "hidden", role: "status" });
  private readonly layout: HTMLSelectElement = h("select", { "aria-label": "Layout", onchange: () => this.router.replace({ layout: this.layout.value as Layout }) }, layouts.map((value) => h("option", { value }, layoutWords[value])));
  private readonly transcript: Transcript;
  private readonly finder: FindBar;
  private readonly follower: Follower;
  private readonly stop = new AbortController();
  private readonly unlisten: () => void;
  private prompts: Hit[] | null = null;
  private promptsKnown = 0;
  private recount: number | undefined;
  private grown = false; // since the facts were read
  private pause = 1000; // milliseconds before they are read again

  constructor(private readonly id: string, private readonly machine: string, private readonly router: Router, private readonly host: SessionHost) {
    const route = router.route;
    watchSecrets(() => this.offerSecrets());
    this.transcript = new Transcript(this.scroller, {
      session: id, machine, branch: route.branch,
      href: (ordinal) => router.href({ message: ordinal, find: "" }),
      damaged: (findings) => this.showDamage(findings),
      failed: (message) => this.note(message),
    });
    this.finder = new FindBar(id, machine, {
      show: (ordinal) => this.transcript.show(ordinal, false),
      typed: (words) => router.replace({ find: words }),
      current: () => this.transcript.current,
      element: this.scroller,
    });
    this.follower = new Follower(id, {
      place: (message) => this.transcript.placeToPut(message),
      message: (message, place) => this.added(() => this.transcript.put(message, place)),
      session: (session) => this.took(session),
      restarted: () => {
        void this.transcript.reload();
        this.factsChanged();
      },
      known: () => this.transcript.total,
      live: (on) => { this.live.hidden = !on; },
    });
    fill(this.scroller, this.related, this.transcript.element);
    this.scroller.addEventListener("scroll", () => { if (this.transcript.atEnd) this.fresh.hidden = true; }, { passive: true });
    this.scroller.addEventListener("click", (event) => this.clicked(event));
    this.element = h("section", { className: "session", "aria-label": "Session" }, this.head, this.finder.element, this.scroller, this.fresh, this.told);
    this.unlisten = onConnection((state) => {
      if (state === "there") this.session ? this.transcript.retry() : void this.load();
    });
    this.useLayout(route.layout);
    void this.load();
  }

  close(): void {
    this.stop.abort();
    window.clearTimeout(this.recount);
    this.unlisten();
    this.follower.stop();
    this.transcript.close();
  }

  /** Called when the address changed within this session. */
  changed(route: Route, before: Route): void {
    if (route.layout !== before.layout) this.transcript.relayout(() => this.useLayout(route.layout));
    if (route.message !== null && route.message !== before.message) void this.transcript.show(route.message, true).then((message) => this.mark(message));
    if (route.find !== before.find) this.finder.use(route.find);
  }

  private useLayout(layout: Layout): void {
    this.transcript.element.dataset["layout"] = layout;
    this.layout.value = layout;
  }

  private async load(): Promise<void> {
    const { signal } = this.stop;
    const route = this.router.route;
    fill(this.head, h("p", { className: "faint", role: "status" }, "Loading session…"));
    try {
      const open = (): Promise<void> => this.transcript.open(route.message ?? 0);
      const early = this.machine ? null : open(); // a session of another machine is fetched first, and only once
      early?.catch(() => undefined); // reported below, unless session.get fails first
      const { session } = await call<{ session: Session }>("session.get", { id: this.id, machine: this.machine }, signal);
      this.took(session);
      await (early ?? open());
    } catch (error) {
      if (!aborted(error)) fill(this.head, h("h1", { tabindex: -1 }, "This session cannot be shown"), h("p", {}, (error as Error).message));
      return;
    }
    if (route.message !== null && !route.branch && !(await this.transcript.has(route.message).catch(() => true))) return this.router.go({ branch: "all" });
    if (route.message !== null) void this.transcript.show(route.message, true).then((message) => this.mark(message));
    else if (!document.activeElement?.closest(".sidebar")) this.head.querySelector("h1")?.focus({ preventScroll: true });
    if (route.find) this.finder.use(route.find);
    if (this.transcript.total === 0) this.note("This session has no messages.");
    if (!route.branch && !this.machine) this.follower.start();
    void this.more(signal);
  }

  // Loads what is not needed to begin reading.
  private async more(signal: AbortSignal): Promise<void> {
    const session = this.session;
    if (!session) return;
    const quietly = async (work: () => Promise<void>): Promise<void> => work().catch(() => undefined);
    await quietly(async () => {
      const { total } = await call<MessagePage>("message.list", { session: this.id, machine: this.machine, branch: "all", limit: 1 }, signal);
      const own = this.router.route.branch ? (await call<MessagePage>("message.list", { session: this.id, machine: this.machine, limit: 1 }, signal)).total : this.transcript.total;
      if (total > own) this.badges.append(button([icon("branch"), "Branches"], () => void openBranches(this.id, this.machine, this.router)));
      if (this.router.route.branch) this.badges.append(h("span", { className: "label" }, this.router.route.branch === "all" ? "all branches" : "another branch"), button("Active branch", () => this.router.go({ branch: "", message: null })));
    });
    await quietly(() => this.readCost(session));
    await quietly(async () => {
      const family = await familyOf(session, this.machine, this.router, signal);
      const top = this.scroller.scrollTop < 10;
      if (family) this.related.append(family);
      if (top) this.scroller.scrollTop = 0;
    });
  }

  // Lists have the cost of a session, if they are asked for it.
  private async readCost(session: Session): Promise<void> {
    const { sessions } = await call<SessionPage>("session.list", { layout: session.layout, machine: this.machine, since: session.updated_at, until: session.updated_at, long: true, all: true, limit: 20 }, this.stop.signal);
    const row = sessions.find((one) => one.id === session.id);
    if (row?.cost) this.took({ ...(this.session ?? session), cost: row.cost, estimated_usd: row.estimated_usd ?? 0 });
  }

  private async readFacts(): Promise<void> {
    const { session } = await call<{ session: Session }>("session.get", { id: this.id, machine: this.machine }, this.stop.signal);
    this.took(session);
    await this.readCost(session);
  }

  // The totals grow with the messages. Reads them again soon, and less often if that takes long.
  private factsChanged(): void {
    this.grown = true;
    this.recount ??= window.setTimeout(() => void this.readAgain(), this.pause);
  }

  private async readAgain(): Promise<void> {
    this.grown = false;
    const began = performance.now();
    await this.readFacts().catch(() => undefined); // the banner reports that the server is gone
    this.pause = Math.max(1000, 10 * (performance.now() - began));
    this.recount = undefined;
    if (this.grown && !this.stop.signal.aborted) this.factsChanged();
  }

  private took(session: Session): void {
    const before = this.session;
    const costs = session.cost === undefined ? before : session; // it comes later than the rest
    this.session = { ...session, cost: costs?.cost ?? null, estimated_usd: costs?.estimated_usd ?? 0 };
    document.title = `${sessionTitle(session)} · Holdfast`;
    if (before && JSON.stringify(before) === JSON.stringify(this.session)) return;
    this.drawHead(this.session);
  }

  private drawHead(session: Session): void {
    const tokens = session.usage ? allTokens(session.usage) : 0;
    const facts: Child[] = [
      statusDot(session, true), h("span", {}, agentName(session.layout)),
      session.models.length > 0 && h("span", {}, session.models.map((model) => cleanLine(model).slice(0, 60)).join(", ")),
      session.project && h("span", { title: cleanLine(session.project), dir: "auto" }, cleanLine(session.project)),
      session.git_branch && h("span", { className: "branch" }, icon("branch"), cleanLine(session.git_branch)),
      (session.machine ?? this.machine) && h("span", {}, cleanLine(session.machine ?? this.machine)),
      h("time", { datetime: session.updated_at, title: `Started ${moment(session.created_at)}` }, moment(session.updated_at)),
      session.counts && h("span", {}, plural(session.counts.user, "prompt"), ", ", plural(session.counts.tool_calls, "tool call")),
      tokens > 0 && session.usage && h("span", { title: `${count(session.usage.input)} in, ${count(session.usage.cache_read)} from the cache, ${count(session.usage.cache_write)} written to it, ${count(session.usage.output)} out` }, `${short(tokens)} tokens`),
      session.cost ? costOf(session) : null,
      h("span", {}, bytes(session.bytes)),
      (session.tags ?? []).map((tag) => h("a", { className: "label tag", href: this.router.href({ tag, session: "", at: "", message: null, branch: "", find: "" }), onclick: (event: Event) => this.showTag(event, tag) }, cleanLine(tag).slice(0, 40))),
    ];
    const focused = this.facts.contains(document.activeElement) ? document.activeElement?.textContent : null;
    this.facts.replaceChildren(h("div", { className: "facts" }, facts));
    if (focused) [...this.facts.querySelectorAll("a")].find((tag) => tag.textContent === focused)?.focus();
    this.heading.textContent = sessionTitle(session);
    void this.drawMarks(session);
    if (session.damage > 0 && !this.badges.querySelector(".damage")) this.badges.append(h("span", { className: "label bad damage" }, plural(session.damage, "damaged place")));
    if (this.heading.isConnected) return; // keeps the focus
    fill(this.head,
      h("div", { className: "session-top" },
        h("a", { className: "button quiet back", href: this.router.href({ session: "", at: "", message: null, branch: "", find: "" }), "aria-label": "Back to the list", onclick: (event: Event) => this.back(event) }, icon("back")),
        this.heading, this.live),
      this.facts,
      h("div", { className: "toolbar" }, this.layout,
        button([icon("list"), "Prompts"], () => void this.openPrompts()), button([icon("search"), "Find"], () => this.finder.open()),
        button([icon("terminal"), "Resume, export, share"], () => this.session && openCommands(this.session, this.machine)), this.marks, copyButton(() => session.id, "Copy the session id", "Copy id"), this.secrets, this.badges));
    if (secretsShown()) this.offerSecrets();
  }

  private async drawMarks(session: Session): Promise<void> {
    const buttons = await markButtons(() => this.session ?? session, () => void this.reread());
    const words = (list: Iterable<Element>): string => [...list].map((one) => one.textContent).join(" ");
    if (words(buttons) !== words(this.marks.children)) fill(this.marks, buttons);
  }

  private async reread(): Promise<void> {
    await this.readFacts();
    this.host.changed();
  }

  // Secrets are masked. Showing them is a choice for this session only.
  private offerSecrets(): void {
    const on = secretsShown();
    fill(this.secrets, button(on ? "Hide secrets" : "Show secrets", () => {
      showSecrets(!on);
      this.host.reopen();
      say(on ? "Secrets are masked" : "Secrets are shown");
    }, { "aria-pressed": on ? "true" : "false", title: "Passwords, keys and tokens are masked unless you show them" }));
  }

  private showDamage(findings: Finding[]): void {
    this.badges.querySelector(".damage")?.remove();
    const rows = findings.slice(0, 500).map((finding) => h("tr", {}, h("td", {}, cleanLine(finding.kind)), h("td", {}, count(finding.offset)), h("td", {}, bytes(finding.length)), h("td", {}, plural(finding.salvaged, "record")), h("td", {}, cleanLine(finding.consequence ?? finding.file))));
    this.badges.append(button([icon("warning"), plural(findings.length, "damaged place")], () => openDialog("Damage in this session",
      h("p", {}, "These bytes are not complete records. What could be recovered is in the transcript; ", h("code", {}, "holdfast rescue"), " writes a clean copy."),
      h("div", { className: "wide", tabindex: 0, role: "region", "aria-label": "Damage" }, h("table", {}, h("thead", {}, h("tr", {}, ["Kind", "At byte", "Length", "Recovered", "Meaning"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, rows)))), { className: "button damage" }));
  }

  private note(text: string): void {
    this.related.append(h("p", { className: "empty-note", role: "status" }, text));
  }

  private added(put: () => boolean): void {
    const end = this.transcript.atEnd && this.transcript.total > 0;
    const before = this.transcript.total;
    if (!put()) return;
    this.factsChanged();
    if (this.transcript.total > before && before > 0) this.told.textContent = `Message ${count(this.transcript.total)} was added`;
    if (end) requestAnimationFrame(() => this.transcript.toEnd());
    else if (this.transcript.total > before && before > 0) this.fresh.hidden = false;
  }

  private mark(message: HTMLElement | null): void {
    for (const other of this.scroller.querySelectorAll(".linked")) other.classList.remove("linked");
    message?.classList.add("linked");
  }

  private clicked(event: MouseEvent): void {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-link]");
    if (!link || !plainClick(event)) return;
    event.preventDefault();
    this.router.go({ message: Number(link.dataset["link"]), find: "" });
  }

  private showTag(event: Event, tag: string): void {
    if (!plainClick(event as MouseEvent)) return;
    event.preventDefault();
    this.router.go({ tag, session: "", at: "", message: null, branch: "", find: "" });
  }

  private back(event: Event): void {
    if (!plainClick(event as MouseEvent)) return;
    event.preventDefault();
    this.router.go({ session: "", at: "", message: null, branch: "", find: "" });
  }

  private async loadPrompts(): Promise<Hit[]> {
    if (!this.prompts || this.promptsKnown !== this.transcript.total) {
      this.prompts = (await promptsOf(this.id, this.machine)).sort((a, b) => a.ordinal - b.ordinal);
      this.promptsKnown = this.transcript.total;
    }
    return this.prompts;
  }

  private async openPrompts(): Promise<void> {
    const prompts = await this.loadPrompts().catch((error: Error) => error);
    if (prompts instanceof Error) return this.note(prompts.message);
    const now = this.transcript.current;
    const at = prompts.reduce((best, prompt, index) => (prompt.ordinal <= now ? index : best), 0);
    const from = Math.max(0, at - 500);
    const items = prompts.slice(from, at + 1500).map((prompt, place) => [prompt, from + place] as const).map(([prompt, index]) => h("li", {}, button([h("span", { className: "number" }, String(index + 1)), h("span", { dir: "auto" }, snippet(prompt.snippet, []))], () => {
      dialog.close();
      this.router.go({ message: prompt.ordinal });
    }, { className: "prompt-link", "aria-current": index === at ? "true" : null })));
    const dialog = openDialog("Prompts", items.length < prompts.length && h("p", { className: "faint" }, `Prompts ${count(from + 1)} to ${count(from + items.length)} of ${count(prompts.length)}.`), items.length ? h("ol", { className: "prompt-list" }, items) : h("p", {}, "This session has no prompts."));
    const current = dialog.querySelector<HTMLElement>(".prompt-link[aria-current]");
    current?.focus();
    current?.scrollIntoView({ block: "center" });
  }

  // ---- keys

  async step(by: 1 | -1): Promise<void> {
    const next = await this.transcript.next(this.transcript.current, this.transcript.newestFirst ? (-by as 1 | -1) : by);
    if (!next) return;
    await this.transcript.show(Number(next.dataset["ordinal"]), true);
  }

  async stepPrompt(by: 1 | -1): Promise<void> {
    const prompts = await this.loadPrompts().catch(() => []);
    const now = this.transcript.current;
    const next = by > 0 ? prompts.find((prompt) => prompt.ordinal > now) : [...prompts].reverse().find((prompt) => prompt.ordinal < now);
    if (next) await this.transcript.show(next.ordinal, true);
  }

  async end(first: boolean): Promise<void> {
    if (first) {
      await this.transcript.show(0, true);
      this.scroller.scrollTop = 0;
    } else {
      const last = await this.transcript.last();
      if (last) await this.transcript.show(Number(last.dataset["ordinal"]), true);
      this.transcript.toEnd();
    }
  }

  find(): void {
    this.finder.open();
  }

  turn(): void {
    this.transcript.turn();
    say(this.transcript.newestFirst ? "Newest first" : "Oldest first");
  }

  nextLayout(): void {
    const at = layouts.indexOf(this.router.route.layout);
    this.router.replace({ layout: layouts[(at + 1) % layouts.length] ?? "normal" });
  }

  commands(): void {
    if (this.session) openCommands(this.session, this.machine, "export");
  }

  star(): void {
    if (this.session) void toggleStar(this.session, () => void this.reread());
  }

  openNow(): void {
    void this.openPrompts();
  }

  /** Opens all folds of the current message, or closes them if all are open. */
  fold(): void {
    const folds = [...this.scroller.querySelectorAll<HTMLDetailsElement>(`#m${this.transcript.current} details`)];
    const open = folds.some((one) => !one.open);
    for (const one of folds) one.open = open;
  }
}

function costOf(session: Session): HTMLElement {
  const [cost, estimated] = [session.cost ?? 0, session.estimated_usd ?? 0];
  const words = !estimated ? "As recorded by the agent" : estimated < cost ? "As recorded by the agent, and the rest as an estimate from list prices" : "An estimate from list prices";
  return h("span", { className: "cost", title: words }, money(cost, estimated > 0));
}
