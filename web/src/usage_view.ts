// Usage and cost by day, model, project, agent and session.
import { aborted, call } from "./api";
import { barChart, dayKey, heatmap, share, type Bar } from "./charts";
import { title } from "./clean";
import { onConnection } from "./connection";
import { fill, h, type Child } from "./dom";
import { agentName, allTokens, count, money, plural, projectName, short } from "./format";
import { plainClick, type Route, type Router } from "./router";
import type { Stats, StatsRow } from "./types";

const periods: [string, string][] = [["7d", "Last 7 days"], ["30d", "Last 30 days"], ["90d", "Last 90 days"], ["365d", "Last year"], ["", "All time"]];
type By = "model" | "project" | "agent" | "session";

function row(head: Child, one: StatsRow, most: number): HTMLElement {
  const tokens = allTokens(one.usage);
  return h("tr", {}, h("th", { scope: "row", dir: "auto" }, head),
    h("td", { className: "right" }, count(one.prompts)), h("td", { className: "right" }, count(one.answers)),
    h("td", { className: "right", title: `${count(one.usage.input)} in, ${count(one.usage.cache_read)} from the cache, ${count(one.usage.cache_write)} written to it, ${count(one.usage.output)} out` }, short(tokens)),
    h("td", { className: "right" }, money(one.cost, (one.estimated_usd ?? 0) > 0) || "–"), h("td", { className: "share-cell" }, share(one.cost ?? 0, most)));
}

function heads(first: string): HTMLElement {
  return h("thead", {}, h("tr", {}, h("th", { scope: "col" }, first), ["Prompts", "Answers", "Tokens", "Cost"].map((word) => h("th", { scope: "col", className: "right" }, word)), h("th", { scope: "col", className: "share-cell" }, h("span", { className: "hidden" }, "Share of the highest cost"))));
}

/** Returns all days up to `last`, including those without a row. */
export function everyDay(rows: StatsRow[], last: string, days = 0): string[] {
  if (days) return lastDays(last, days);
  const first = rows.map((one) => one.key ?? "").filter((key) => /^\d{4}-\d\d-\d\d$/.test(key)).sort()[0];
  if (!first) return [];
  const found: string[] = [];
  const [year, month, date] = first.split("-").map(Number);
  for (const day = new Date(year ?? 0, (month ?? 1) - 1, date); dayKey(day) <= last && found.length < 3700; day.setDate(day.getDate() + 1)) found.push(dayKey(day));
  return found;
}

function lastDays(last: string, days: number): string[] {
  return [...Array(days).keys()].map((back) => {
    const [year, month, date] = last.split("-").map(Number);
    return dayKey(new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) - (days - 1 - back)));
  });
}

export class UsageView {
  readonly element: HTMLElement;
  private readonly body = h("div", { className: "usage-body" });
  private readonly period: HTMLSelectElement = h("select", { onchange: () => this.router.replace({ since: this.period.value }) }, periods.map(([value, word]) => h("option", { value }, word)));
  private stop = new AbortController();
  private shown = "";

  constructor(private readonly router: Router) {
    this.element = h("section", { className: "usage page-view", "aria-labelledby": "usage-title" },
      h("div", { className: "usage-head" }, h("h1", { id: "usage-title" }, "Usage"), h("label", {}, "Period ", this.period)), this.body);
    onConnection((state) => {
      if (state === "there" && this.element.isConnected && !this.shown) this.show(router.route);
    });
  }

  show(route: Route): void {
    document.title = "Usage · Holdfast";
    if (![...this.period.options].some((option) => option.value === route.since)) this.period.append(h("option", { value: route.since }, `Since ${title(route.since, 30)}`));
    this.period.value = route.since;
    const key = JSON.stringify([route.since, route.agent, route.project, route.remote]);
    if (key === this.shown) return;
    this.shown = key;
    void this.load(route);
  }

  private async load(route: Route): Promise<void> {
    this.stop.abort();
    this.stop = new AbortController();
    const { signal } = this.stop;
    const filters = { since: route.since, layout: route.agent, project: route.project, remote: route.remote };
    const ask = (by: string, more = filters): Promise<Stats> => call<Stats>("session.stats", { ...more, by }, signal);
    fill(this.body, h("p", { className: "faint", role: "status" }, "Counting…"));
    try {
      const [days, year, models, projects, agents, sessions] = await Promise.all([ask("day"), ask("day", { ...filters, since: "371d" }), ask("model"), ask("project"), ask("agent"), ask("session")]);
      fill(this.body, this.filtered(route), this.totals(days), this.byDay(days), this.activity(year),
        this.table("model", "By model", "Model", models), this.table("project", "By project", "Project", projects), this.table("agent", "By agent", "Agent", agents), this.table("session", "Most expensive sessions", "Session", sessions));
    } catch (error) {
      if (aborted(error)) return;
      this.shown = "";
      fill(this.body, h("p", { role: "status" }, (error as Error).message));
    }
  }

  private filtered(route: Route): Child {
    const words = [route.agent && agentName(route.agent), route.project && projectName(route.project)].filter(Boolean).join(" in ");
    const where = route.remote && `at ${title(route.remote, 40)}`;
    return (words || where) && h("p", { className: "faint" }, `Only ${[words || "sessions", where].filter(Boolean).join(" ")}: the filters of the session list apply.`);
  }

  private totals({ total }: Stats): HTMLElement {
    const figure = (value: string, words: string, more = ""): HTMLElement => h("div", { className: "figure", title: more }, h("dt", {}, words), h("dd", {}, value));
    const { usage } = total;
    return h("dl", { className: "totals" },
      figure(money(total.cost, (total.estimated_usd ?? 0) > 0) || "–", "Cost", "As recorded by agents, otherwise from list prices (~)"),
      figure(short(allTokens(usage)), "Tokens", `${count(usage.input)} in, ${count(usage.cache_read)} from the cache, ${count(usage.cache_write)} written to it, ${count(usage.output)} out`),
      figure(count(total.sessions), "Sessions"), figure(count(total.prompts), "Prompts"), figure(count(total.answers), "Answers"), figure(count(total.tool_calls), "Tool calls"));
  }

  private byDay(stats: Stats): HTMLElement {
    const rows = new Map(stats.rows.map((one) => [one.key ?? "", one]));
    const costs = stats.rows.some((one) => (one.cost ?? 0) > 0);
    const value = (one: StatsRow | undefined): number => (!one ? 0 : costs ? one.cost ?? 0 : allTokens(one.usage));
    const words = (one: StatsRow | undefined): string => (costs ? money(value(one), (one?.estimated_usd ?? 0) > 0) : `${short(value(one))} tokens`);
    const label = (day: string): string => new Date(`${day}T12:00:00`).toLocaleDateString("en", { day: "numeric", month: "short" });
    const bars: Bar[] = everyDay(stats.rows, dayKey(new Date()), Number(/^(\d{1,4})d$/.exec(this.router.route.since)?.[1] ?? 0)).map((day) => ({ label: label(day), value: value(rows.get(day)), words: `${label(day)}: ${words(rows.get(day))}` }));
    const most = Math.max(...bars.map((bar) => bar.value), 0);
    const highest = bars.find((bar) => bar.value === most && most > 0);
    const name = `${costs ? "Cost" : "Tokens"} by day, ${plural(bars.length, "day")}${highest ? `; the highest is ${highest.words}` : ""}`;
    return h("section", { className: "card" }, h("h2", {}, `${costs ? "Cost" : "Tokens"} by day`),
      bars.length ? barChart(name, bars, (amount) => (costs ? (amount < 1 && amount > 0 ? `$${amount.toFixed(2)}` : `$${short(amount)}`) : short(amount))) : h("p", { className: "faint" }, "Nothing in this period."),
      bars.length > 0 && h("details", {}, h("summary", {}, "As a table"), h("div", { className: "wide", tabindex: 0, role: "region", "aria-label": "Usage by day" }, h("table", {}, heads("Day"), h("tbody", {}, [...stats.rows].reverse().map((one) => row(one.key ?? "", one, most)))))));
  }

  private activity(stats: Stats): HTMLElement {
    const values = new Map(stats.rows.map((one) => [one.key ?? "", one.prompts]));
    const all = [...values.values()];
    const active = all.filter((value) => value > 0).length;
    const name = `Prompts per day over the last year: ${plural(all.reduce((sum, value) => sum + value, 0), "prompt")} on ${plural(active, "day")}`;
    return h("section", { className: "card" }, h("h2", {}, "Activity"), h("div", { className: "wide", tabindex: 0, role: "region", "aria-label": "Activity over the last year" }, heatmap(name, values, (day, value) => `${day}: ${plural(value, "prompt")}`)), h("p", { className: "faint" }, `${name}.`));
  }

  private table(by: By, heading: string, first: string, stats: Stats): HTMLElement {
    const rows = [...stats.rows].sort((a, b) => (b.cost ?? 0) - (a.cost ?? 0) || allTokens(b.usage) - allTokens(a.usage)).slice(0, by === "session" ? 15 : 30);
    const most = Math.max(...rows.map((one) => one.cost ?? 0), 0);
    return h("section", { className: "card" }, h("h2", {}, heading),
      rows.length ? h("div", { className: "wide", tabindex: 0, role: "region", "aria-label": heading }, h("table", {}, heads(first), h("tbody", {}, rows.map((one) => row(this.name(by, one), one, most))))) : h("p", { className: "faint" }, "Nothing in this period."));
  }

  private name(by: By, one: StatsRow): Child {
    const key = one.key ?? "";
    // The figures of a remote do not say which machine has the session.
    if (by === "session" && this.router.route.remote) return title(one.title, 80) || `Session ${key.slice(0, 8)}`;
    if (by === "session") return this.link({ view: "sessions", session: `${one.agent ?? ""}/${key}`, at: "", message: null }, title(one.title, 80) || `Session ${key.slice(0, 8)}`);
    if (by === "agent") return this.link({ view: "sessions", agent: key, session: "" }, agentName(key));
    if (by === "project") return key.startsWith("/") ? this.link({ view: "sessions", project: key, session: "" }, projectName(key), key) : title(key, 60) || "unknown";
    return title(key, 60) || "unknown";
  }

  private link(target: Partial<Route>, words: string, more = ""): HTMLElement {
    return h("a", {
      href: this.router.href(target), title: title(more) || null,
      onclick: (event: Event) => {
        if (!plainClick(event as MouseEvent)) return;
        event.preventDefault();
        this.router.go(target);
      },
    }, words);
  }
}
