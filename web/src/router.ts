// The state of the page is its address: the query has everything that a person chose.

export type View = "sessions" | "search" | "usage";

export interface Route {
  view: View;
  /** LAYOUT/ID */
  session: string;
  /** The other machine that the session belongs to; empty for this machine. */
  at: string;
  /** Ordinal of the linked message. */
  message: number | null;
  branch: string;
  layout: Layout;
  find: string;
  words: string;
  searchIn: string;
  agent: string;
  project: string;
  status: string;
  since: string;
  /** Lists the sessions of this other machine, or of all machines if "all". */
  machine: string;
  /** Lists what the server of this remote has, of all machines, instead. */
  remote: string;
  subagents: boolean;
  starred: boolean;
  tag: string;
}

export type Layout = "focused" | "normal" | "full";
export const layouts: Layout[] = ["focused", "normal", "full"];

export const start: Route = {
  view: "sessions", session: "", at: "", message: null, branch: "", layout: "normal", find: "", words: "", searchIn: "",
  agent: "", project: "", status: "", since: "", machine: "", remote: "", subagents: false, starred: false, tag: "",
};

const texts = { session: "s", at: "at", branch: "branch", find: "find", words: "q", searchIn: "in", agent: "agent", project: "project", status: "status", since: "since", machine: "machine", remote: "remote", tag: "tag" } as const;

export function parseRoute(query: string): Route {
  const given = new URLSearchParams(query);
  const route: Route = { ...start };
  const view = given.get("view");
  if (view === "search" || view === "usage") route.view = view;
  for (const [name, key] of Object.entries(texts) as [keyof typeof texts, string][]) route[name] = given.get(key) ?? "";
  const message = given.get("m");
  if (message !== null && /^\d{1,9}$/.test(message)) route.message = Number(message);
  const layout = given.get("layout") as Layout | null;
  if (layout && layouts.includes(layout)) route.layout = layout;
  route.subagents = given.get("subagents") === "1";
  route.starred = given.get("starred") === "1";
  return route;
}

export function formatRoute(route: Route): string {
  const query = new URLSearchParams();
  if (route.view !== "sessions") query.set("view", route.view);
  for (const [name, key] of Object.entries(texts) as [keyof typeof texts, string][]) if (route[name]) query.set(key, route[name]);
  if (route.message !== null) query.set("m", String(route.message));
  if (route.layout !== "normal") query.set("layout", route.layout);
  if (route.subagents) query.set("subagents", "1");
  if (route.starred) query.set("starred", "1");
  const text = query.toString().replace(/%2F/g, "/");
  return text ? `?${text}` : "/";
}

type Listener = (route: Route, before: Route) => void;

export class Router {
  route: Route;
  private readonly listeners: Listener[] = [];

  constructor() {
    this.route = parseRoute(location.search);
    window.addEventListener("popstate", () => this.apply(parseRoute(location.search)));
  }

  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Changes the route as a new step for the back button. */
  go(change: Partial<Route>): void {
    const next = { ...this.route, ...change };
    if (formatRoute(next) === formatRoute(this.route)) return;
    history.pushState(null, "", formatRoute(next));
    this.apply(next);
  }

  /** Changes the route without a new step, e.g. while typing. */
  replace(change: Partial<Route>): void {
    const next = { ...this.route, ...change };
    history.replaceState(null, "", formatRoute(next));
    this.apply(next);
  }

  href(change: Partial<Route>): string {
    return formatRoute({ ...this.route, ...change });
  }

  private apply(next: Route): void {
    const before = this.route;
    this.route = next;
    for (const listener of this.listeners) listener(next, before);
  }
}

/** Whether the page handles a click itself. Clicks with a modifier are left to the browser. */
export function plainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
