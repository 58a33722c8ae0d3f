// The list of sessions with its filters.
import { call } from "./api";
import { title } from "./clean";
import { onConnection } from "./connection";
import { h, fill, icon } from "./dom";
import { agentName, ago, count, moment, plural, projectName, sessionName, sessionTitle } from "./format";
import { plainClick, type Route, type Router } from "./router";
import { SessionSource } from "./session_source";
import { statusDot } from "./status";
import type { Session, Stats } from "./types";
import { VirtualList } from "./virtual_list";

const rowHeight = 62;
const times: [string, string][] = [["", "Any time"], ["1d", "Last day"], ["7d", "Last 7 days"], ["30d", "Last 30 days"], ["90d", "Last 90 days"], ["365d", "Last year"]];
const states: [string, string][] = [["", "Any status"], ["running", "Running"], ["interrupted", "Interrupted"], ["active", "Idle"], ["complete", "Complete"], ["failed", "Failed"], ["stopped", "Stopped"], ["archived", "Archived"], ["unknown", "Unknown"]];
const filterNames = ["agent", "project", "status", "since", "machine", "remote", "subagents", "starred", "tag"] as const;

const ofRemote = "/"; // begins a value of the machine filter; no name contains it

function chosenPlace(value: string): Partial<Route> {
  return value.startsWith(ofRemote) ? { machine: "", remote: value.slice(ofRemote.length) } : { machine: value, remote: "" };
}

const indent = 18; // pixels per level of a tree
const deepest = 6;

function target(session: Session): Partial<Route> {
  return { view: "sessions", session: sessionName(session), at: session.machine ?? "", message: null, branch: "", find: "" };
}

export class ListView {
  readonly element: HTMLElement;
  private readonly source: SessionSource;
  private readonly list: VirtualList;
  private readonly note = h("div", { className: "list-note", role: "status" });
  private readonly agent: HTMLSelectElement = h("select", { "aria-label": "Agent", onchange: () => this.choose({ agent: this.agent.value }) });
  private readonly status: HTMLSelectElement = h("select", { "aria-label": "Status", onchange: () => this.choose({ status: this.status.value }) });
  private readonly since: HTMLSelectElement = h("select", { "aria-label": "Changed", onchange: () => this.choose({ since: this.since.value }) });
  private readonly machine: HTMLSelectElement = h("select", { "aria-label": "Machine", hidden: true, onchange: () => this.choose(chosenPlace(this.machine.value)) });
  private readonly project: HTMLInputElement = h("input", { type: "search", list: "projects", placeholder: "Project or directory", "aria-label": "Project", autocomplete: "off", spellcheck: "false", onchange: () => this.choose({ project: this.project.value.trim() }), onfocus: () => void this.loadProjects() });
  private readonly projects = h("datalist", { id: "projects" });
  private readonly subagents: HTMLInputElement = h("input", { type: "checkbox", onchange: () => this.choose({ subagents: this.subagents.checked }) });
  private readonly starred: HTMLInputElement = h("input", { type: "checkbox", onchange: () => this.choose({ starred: this.starred.checked }) });
  private remote = "";
  private readonly clear = h("a", { className: "clear", href: "/", onclick: (event: Event) => this.clearFilters(event) }, "Clear filters");

  constructor(private readonly router: Router) {
    this.source = new SessionSource(() => this.update());
    this.list = new VirtualList("Sessions", rowHeight, { total: () => this.source.total, render: (index) => this.row(index), seen: (from, to) => this.source.seen(from, to) });
    fill(this.status, states.map(([value, word]) => h("option", { value }, word)));
    fill(this.since, times.map(([value, word]) => h("option", { value }, word)));
    this.setAgents([]);
    this.element = h("nav", { className: "sidebar", "aria-label": "Sessions" },
      h("form", { className: "filters", role: "search", "aria-label": "Filter sessions", onsubmit: (event: Event) => { event.preventDefault(); this.project.blur(); } },
        this.project, this.projects, h("div", { className: "filter-row" }, this.agent, this.status, this.since), this.machine,
        h("div", { className: "filter-row small" }, h("label", {}, this.subagents, " Sub-agents"), h("label", {}, this.starred, " Starred"), this.clear)),
      this.note, this.list.element);
    void this.loadAgents();
    void this.loadMachines();
    onConnection((state) => { if (state === "there") void this.source.refresh(); });
    router.onChange((route, before) => {
      if (filterNames.some((name) => route[name] !== before[name])) this.load(route);
      else if (route.session !== before.session || route.at !== before.at) this.list.changed();
    });
    this.load(router.route);
  }

  /** Opens the session before or after the open one. */
  step(by: number): void {
    const open = this.source.indexOf(this.router.route.session, this.router.route.at);
    const index = open < 0 ? (by > 0 ? 0 : -1) : open + by;
    const next = this.source.get(index);
    if (!next) return;
    this.list.show(index, false);
    this.router.go(target(next));
  }

  move(by: number): void {
    this.list.show(document.activeElement?.closest(".virtual") ? this.list.current + by : this.list.current, true);
  }

  end(first: boolean): void {
    this.list.show(first ? 0 : this.source.total - 1, true);
  }

  refresh(): void {
    void this.source.refresh();
  }

  private load(route: Route): void {
    this.agent.value = route.agent;
    if (this.agent.value !== route.agent) {
      this.agent.append(h("option", { value: route.agent }, agentName(route.agent)));
      this.agent.value = route.agent;
    }
    this.status.value = route.status;
    this.since.value = route.since;
    this.project.value = route.project;
    this.setPlace(route);
    this.subagents.checked = route.subagents;
    this.starred.checked = route.starred;
    this.starred.disabled = route.remote !== ""; // stars are on this machine only
    this.clear.hidden = !filterNames.some((name) => route[name]);
    this.list.top();
    this.source.use(route);
  }

  private choose(change: Partial<Route>): void {
    this.router.go(change);
  }

  private clearFilters(event: Event): void {
    event.preventDefault();
    this.router.go({ agent: "", project: "", status: "", since: "", machine: "", remote: "", subagents: false, starred: false, tag: "" });
    this.project.focus();
  }

  // Offers the other machines that sync knows. Hides the filter if there are none.
  private async loadMachines(): Promise<void> {
    try {
      const { machines } = await call<{ machines: { machine: string }[] }>("machine.list");
      fill(this.machine, h("option", { value: "" }, "This machine"), h("option", { value: "all" }, "All machines"), machines.map(({ machine }) => h("option", { value: machine }, title(machine, 40))));
      this.machine.hidden = machines.length === 0;
    } catch {
      // The filter stays hidden.
    }
    this.setPlace(this.router.route);
  }

  // Offers a remote for as long as the page lives, once an address has named it.
  private setPlace({ machine, remote }: Route): void {
    if (remote) this.remote = remote;
    if (this.remote) this.offer(ofRemote + this.remote, `All machines, at ${title(this.remote, 40)}`);
    if (machine) this.offer(machine, title(machine, 40));
    this.machine.value = remote ? ofRemote + remote : machine;
  }

  private offer(value: string, words: string): void {
    this.machine.hidden = false;
    if (this.machine.childElementCount === 0) this.machine.append(h("option", { value: "" }, "This machine"));
    if (![...this.machine.options].some((option) => option.value === value)) this.machine.append(h("option", { value }, words));
  }

  private setAgents(layouts: string[]): void {
    const chosen = this.agent.value;
    fill(this.agent, h("option", { value: "" }, "All agents"), layouts.map((layout) => h("option", { value: layout }, agentName(layout))));
    if (layouts.includes(chosen)) this.agent.value = chosen;
  }

  private async loadAgents(): Promise<void> {
    try {
      const { stores } = await call<{ stores: { layout: string; sessions: number }[] }>("store.list", { limit: 1000 });
      const layouts = [...new Set(stores.filter((store) => store.sessions > 0).map((store) => store.layout))];
      this.setAgents(layouts.sort((a, b) => agentName(a).localeCompare(agentName(b))));
      const { agent } = this.router.route;
      if (agent && !layouts.includes(agent)) this.agent.append(h("option", { value: agent }, agentName(agent)));
      this.agent.value = agent;
    } catch {
      // The filter stays without choices. The banner says why.
    }
  }

  private async loadProjects(): Promise<void> {
    if (this.projects.childElementCount) return;
    try {
      const { rows } = await call<Stats>("session.stats", { by: "project" });
      fill(this.projects, rows.slice(0, 500).map((row) => h("option", { value: row.key ?? "" }, projectName(row.key ?? ""))));
    } catch {
      // The project can still be typed.
    }
  }

  private update(): void {
    const { total, loaded, problem, indexed } = this.source;
    if (problem) this.note.textContent = problem;
    else if (!loaded) this.note.textContent = "Loading sessions…";
    else if (total === 0) this.note.textContent = "No sessions match.";
    else this.note.textContent = plural(total, "session") + (this.router.route.tag ? ` tagged ${title(this.router.route.tag, 40)}` : "") + (indexed ? `, indexed ${ago(indexed)}` : "");
    this.list.changed();
  }

  private row(index: number): HTMLElement {
    const session = this.source.get(index);
    if (!session) return h("div", { className: "row" }, h("a", { className: "row-link waiting", href: "/", "aria-label": `Session ${count(index + 1)}, loading` }));
    const wanted = target(session);
    const open = this.router.route.session === wanted.session && this.router.route.at === wanted.at;
    const depth = Math.min(session.depth ?? 0, deepest);
    const link = h("a", {
      className: "row-link", href: this.router.href(wanted), "aria-current": open ? "true" : null,
      onclick: (event: Event) => {
        if (!plainClick(event as MouseEvent)) return;
        event.preventDefault();
        this.router.go(wanted);
      },
    },
      h("span", { className: "row-top" }, statusDot(session, false), h("span", { className: "row-title", dir: "auto" }, sessionTitle(session)),
        session.starred && h("span", { className: "starred" }, icon("star"), h("span", { className: "hidden" }, "starred"))),
      h("span", { className: "row-facts" }, this.facts(session), h("time", { datetime: session.updated_at, title: moment(session.updated_at) }, ago(session.updated_at))));
    link.style.paddingLeft = `${14 + depth * indent}px`;
    return h("div", { className: depth ? "row below" : "row", "aria-level": (session.depth ?? 0) + 1 }, link);
  }

  private facts(session: Session): HTMLElement {
    const inside = session.subagents > 0 && !this.router.route.subagents ? plural(session.subagents, "sub-agent") : "";
    const facts = [agentName(session.layout), projectName(session.project), title(session.machine ?? "", 40), inside, session.counts ? plural(session.counts.user, "prompt") : ""].filter(Boolean);
    return h("span", { className: "row-words" },
      session.parent && h("span", { className: "label" }, session.parent.kind === "subagent" ? "sub-agent" : session.parent.kind),
      session.here === false && h("span", { className: "label" }, "not here"),
      session.damage > 0 && h("span", { className: "label bad" }, "damaged"),
      (session.tags ?? []).slice(0, 2).map((tag) => h("span", { className: "label" }, title(tag, 30))),
      facts.join(" · "));
  }
}
