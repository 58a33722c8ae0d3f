// Fetches ranges of the session list as they become visible, and refreshes them while they are.
import { aborted, call } from "./api";
import { sessionName } from "./format";
import type { Route } from "./router";
import type { Session, SessionPage } from "./types";

const size = 60;

export type Filters = Pick<Route, "agent" | "project" | "status" | "since" | "machine" | "remote" | "subagents" | "starred" | "tag">;

/** The parameters that list and search share. */
export function filterParams(filters: Filters): Record<string, unknown> {
  const { agent, project, status, since, machine, remote } = filters;
  return { layout: agent, project, status, since, machine, remote };
}

function listParams(filters: Filters): Record<string, unknown> {
  const { subagents, starred, tag } = filters;
  const common = { ...filterParams(filters), ...(subagents ? { all: true } : { subagents: false }) };
  // A server has neither the notes of this machine nor trees.
  return filters.remote ? common : { ...common, starred: starred || undefined, tag, tree: true };
}

export class SessionSource {
  total = 0;
  loaded = false;
  problem = "";
  /** When the remote was indexed that the sessions are from. */
  indexed = "";
  private rows = new Map<number, Session>();
  private asked = new Set<number>();
  private stop = new AbortController();
  private filters: Filters | null = null;
  private timer: number | undefined;
  private range: [number, number] = [0, 0];

  constructor(private readonly changed: () => void) {}

  use(filters: Filters): void {
    this.stop.abort();
    this.stop = new AbortController();
    this.filters = filters;
    this.rows = new Map();
    this.asked = new Set();
    this.total = 0;
    this.loaded = false;
    this.problem = "";
    this.changed();
    void this.fetch(0);
  }

  get(index: number): Session | undefined {
    return this.rows.get(index);
  }

  indexOf(id: string, machine: string): number {
    for (const [index, session] of this.rows) if (sessionName(session) === id && (session.machine ?? "") === machine) return index;
    return -1;
  }

  seen(from: number, to: number): void {
    this.range = [from, to];
    for (let page = Math.floor(from / size); page * size < to; page++) void this.fetch(page);
  }

  /** Fetches the visible range again. */
  async refresh(): Promise<void> {
    const pages = new Set([Math.floor(this.range[0] / size), Math.floor(Math.max(0, this.range[1] - 1) / size)]);
    for (const page of pages) {
      this.asked.delete(page);
      await this.fetch(page);
    }
  }

  private async fetch(page: number): Promise<void> {
    if (this.asked.has(page) || !this.filters) return;
    this.asked.add(page);
    const { signal } = this.stop;
    const began = performance.now();
    try {
      const answer = await call<SessionPage>("session.list", { ...listParams(this.filters), limit: size, skip: page * size || undefined }, signal);
      this.take(page, answer);
      this.schedule(performance.now() - began);
    } catch (error) {
      if (aborted(error)) return;
      this.asked.delete(page);
      this.problem = (error as Error).message;
      this.loaded = true;
      this.changed();
    }
  }

  private take(page: number, answer: SessionPage): void {
    const before = JSON.stringify([...Array(size).keys()].map((at) => this.rows.get(page * size + at)));
    const same = this.loaded && answer.total === this.total && JSON.stringify([...Array(size).keys()].map((at) => answer.sessions[at])) === before;
    // Sessions were added or removed: the other pages have shifted.
    if (answer.total !== this.total && this.loaded) {
      this.asked = new Set([page]);
      for (const index of [...this.rows.keys()]) if (index >= answer.total) this.rows.delete(index);
    }
    this.total = answer.total;
    this.loaded = true;
    this.problem = "";
    this.indexed = answer.remote?.indexed_at ?? "";
    answer.sessions.forEach((session, at) => this.rows.set(page * size + at, session));
    if (!same) this.changed();
  }

  // Fetches a slow list less often, and that of a server which many people ask.
  private schedule(took: number): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (document.hidden) this.schedule(took);
      else void this.refresh();
    }, Math.max(this.filters?.remote ? 30_000 : 4000, took * 10));
  }
}
