// The messages of a session, fetched in pages. Only pages near the visible part are in the document. A page that is far
// away is an empty box with its last height, or an estimate.
// A message has an ordinal, which names it everywhere, and a place on this list. They differ if messages of other
// branches or of sub-agents come before it.
import { aborted, call } from "./api";
import { h, fill } from "./dom";
import { figuresOf, kindOf } from "./message_kind";
import { messageView } from "./message_view";
import { toolResults } from "./tool_results";
import type { Finding, Message, MessagePage } from "./types";

const size = 40;
const guess = 90; // pixels per message, until it is drawn
const mostPixels = 12_000_000; // browsers support about 33 million
const near = "1500px 0px";
const keptPages = 60;

interface Page {
  index: number;
  box: HTMLElement;
  messages: Message[] | null;
  loading: Promise<void> | null;
  drawn: boolean;
  wanted: boolean;
}

export interface TranscriptHost {
  /** LAYOUT/ID */
  session: string;
  /** Empty for this machine. */
  machine: string;
  branch: string;
  href(ordinal: number): string;
  damaged(findings: Finding[]): void;
  failed(message: string): void;
}

export class Transcript {
  readonly element = h("div", { className: "transcript" });
  total = 0;
  /** Whether the last message is shown first. */
  newestFirst = false;
  private pages: Page[] = [];
  private readonly observer: IntersectionObserver;
  private readonly stop = new AbortController();

  constructor(private readonly scroller: HTMLElement, private readonly host: TranscriptHost) {
    this.observer = new IntersectionObserver((entries) => this.moved(entries), { root: scroller, rootMargin: near });
  }

  close(): void {
    this.stop.abort();
    this.observer.disconnect();
  }

  /** Loads the page that contains `ordinal`, and with it the number of messages. */
  async open(ordinal: number): Promise<void> {
    const index = Math.floor((await this.place(ordinal)) / size);
    const answer = await this.fetch(index);
    this.setTotal(answer.total);
    if (answer.damage?.length) this.host.damaged(answer.damage);
    const page = this.pages[Math.min(index, this.pages.length - 1)];
    if (page && page.index === index) this.take(page, answer.messages);
  }

  setTotal(total: number): void {
    this.total = total;
    const count = Math.ceil(total / size);
    const each = Math.min(guess * size, mostPixels / Math.max(1, count));
    while (this.pages.length < count) {
      const box = h("div", { className: "page" });
      const page: Page = { index: this.pages.length, box, messages: null, loading: null, drawn: false, wanted: false };
      box.dataset["page"] = String(page.index);
      box.style.height = `${each}px`;
      this.pages.push(page);
      if (this.newestFirst) this.element.prepend(box);
      else this.element.append(box);
      this.observer.observe(box);
    }
    while (this.pages.length > count) {
      const page = this.pages.pop();
      if (page) {
        this.observer.unobserve(page.box);
        page.box.remove();
      }
    }
  }

  /** The place where a message is or would be added; null if that is not known here. */
  placeToPut(message: Message): number | null {
    const known = this.knownPlace(message.ordinal);
    if (known !== null) return known;
    const tail = this.pages[this.pages.length - 1]?.messages ?? [];
    const last = this.total ? tail[tail.length - 1]?.ordinal : -1;
    return message.ordinal - 1 === last && !message.side && !message.abandoned ? this.total : null;
  }

  /** Adds a message, or replaces one that has grown. Returns false if it is known as it is. */
  put(message: Message, at: number): boolean {
    const before = this.total;
    if (at >= this.total) this.setTotal(at + 1);
    const page = this.pages[Math.floor(at / size)];
    if (!page) return false;
    const place = at % size;
    if (page.messages?.[place] && JSON.stringify(page.messages[place]) === JSON.stringify(message)) return false;
    if (!page.messages && place === 0) page.messages = [];
    if (page.messages && place <= page.messages.length) {
      page.messages[place] = message;
      if (page.drawn || page.wanted) this.draw(page);
      const previous = this.pages[page.index - 1];
      if (place < 4 && previous?.drawn && previous.messages) this.draw(previous);
    } else if (at > before) {
      page.messages = null; // messages in between are unknown
      if (page.drawn) void this.load(page);
    }
    return true;
  }

  /** Reverses the order. */
  turn(): void {
    this.newestFirst = !this.newestFirst;
    for (const page of this.pages) {
      if (page.drawn) this.draw(page);
      if (this.newestFirst) this.element.prepend(page.box);
      else this.element.append(page.box);
    }
    this.scroller.scrollTop = 0;
  }

  get atEnd(): boolean {
    if (this.newestFirst) return this.scroller.scrollTop < 80;
    return this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight < 80;
  }

  toEnd(): void {
    this.scroller.scrollTop = this.newestFirst ? 0 : this.scroller.scrollHeight;
  }

  /** Loads everything again, because the files were replaced. */
  async reload(): Promise<void> {
    for (const page of this.pages) page.messages = null;
    const answer = await this.fetch(0);
    this.setTotal(answer.total);
    for (const page of this.pages) if (page.drawn) await this.load(page);
  }

  /** Whether the message is on this list, and not only on another branch. */
  async has(ordinal: number): Promise<boolean> {
    await this.ensure(await this.place(ordinal));
    return this.knownPlace(ordinal) !== null;
  }

  private knownPlace(ordinal: number): number | null {
    for (const page of this.pages) {
      const at = page.messages?.findIndex((message) => message.ordinal === ordinal) ?? -1;
      if (at >= 0) return page.index * size + at;
    }
    return null;
  }

  /** The place of a message, or of the next one if it is not on the list. */
  private async place(ordinal: number): Promise<number> {
    const known = this.knownPlace(ordinal);
    if (known !== null || ordinal <= 0) return known ?? 0;
    const { session, machine, branch } = this.host;
    const answer = await call<MessagePage>("message.list", { session, machine, branch, limit: 1, at: ordinal }, this.stop.signal);
    return (answer.next ?? answer.total) - answer.messages.length;
  }

  /** Returns the element of the message at that place. Loads its page if needed. */
  private async ensure(place: number): Promise<HTMLElement | null> {
    const page = this.pages[Math.floor(place / size)];
    if (!page || place < 0) return null;
    if (!page.messages) await this.load(page);
    if (!page.drawn) this.draw(page);
    const message = page.messages?.[place % size];
    return message ? this.find(message.ordinal) : null;
  }

  private find(ordinal: number): HTMLElement | null {
    return this.element.querySelector<HTMLElement>(`#m${ordinal}`);
  }

  /** Scrolls to a message, or to the next one that is shown in this layout. */
  async show(ordinal: number, focus: boolean): Promise<HTMLElement | null> {
    const place = await this.place(ordinal);
    const direct = await this.ensure(place);
    const message = direct && isShown(direct) ? direct : (await this.shown(place, 1)) ?? (await this.shown(place, -1));
    if (!message) return null;
    // Not scrollIntoView, which also scrolls the surrounding boxes.
    const settle = (): void => {
      this.scroller.scrollTop += message.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top - 6;
    };
    settle();
    if (focus) message.focus({ preventScroll: true });
    // The pages around it are drawn only now, and may not have the estimated height.
    for (let turn = 0; turn < 3; turn++) {
      await new Promise((done) => requestAnimationFrame(done));
      await Promise.all(this.pages.filter((page) => page.wanted && page.loading).map((page) => page.loading));
      if (message.isConnected) settle();
    }
    return this.find(Number(message.dataset["ordinal"]));
  }

  /** Returns the next visible message in the given direction, or null. */
  async next(from: number, step: 1 | -1): Promise<HTMLElement | null> {
    return this.shown(await this.place(from), step);
  }

  /** Returns the last visible message, or null. */
  last(): Promise<HTMLElement | null> {
    return this.shown(this.total, -1);
  }

  private async shown(from: number, step: 1 | -1): Promise<HTMLElement | null> {
    for (let place = from + step, tries = 0; place >= 0 && place < this.total && tries < 2000; place += step, tries++) {
      const message = await this.ensure(place);
      if (message && isShown(message)) return message;
    }
    return null;
  }

  /** The ordinal of the focused message, or of the one at the top of the visible part. */
  get current(): number {
    const focused = document.activeElement?.closest<HTMLElement>(".message");
    if (focused && this.element.contains(focused)) return Number(focused.dataset["ordinal"]);
    const { top } = this.scroller.getBoundingClientRect();
    for (const page of this.newestFirst ? [...this.pages].reverse() : this.pages) {
      if (!page.drawn || page.box.getBoundingClientRect().bottom < top + 8) continue;
      for (const message of page.box.querySelectorAll<HTMLElement>(".message")) {
        if (isShown(message) && message.getBoundingClientRect().bottom > top + 24) return Number(message.dataset["ordinal"]);
      }
    }
    return 0;
  }

  /** Applies a change of layout, which changes heights. Keeps the current message in place. */
  relayout(change: () => void): void {
    const at = this.current;
    change();
    const each = Math.min(guess * size, mostPixels / Math.max(1, this.pages.length));
    for (const page of this.pages) if (!page.drawn) page.box.style.height = `${each}px`;
    void this.show(at, false);
  }

  private moved(entries: IntersectionObserverEntry[]): void {
    for (const entry of entries) {
      const page = this.pages[Number((entry.target as HTMLElement).dataset["page"])];
      if (!page || page.box !== entry.target) continue;
      page.wanted = entry.isIntersecting;
      if (page.wanted && !page.drawn) void this.load(page);
      else if (!page.wanted && page.drawn) this.clear(page, entry.boundingClientRect.height);
    }
  }

  private clear(page: Page, height: number): void {
    if (page.box.contains(document.activeElement) || page.index === this.pages.length - 1) return;
    page.box.style.height = `${height}px`;
    page.box.replaceChildren();
    page.drawn = false;
    const kept = this.pages.filter((one) => one.messages && !one.drawn);
    const far = kept.sort((a, b) => Math.abs(b.index - page.index) - Math.abs(a.index - page.index)).slice(keptPages);
    for (const one of far) one.messages = null;
  }

  private load(page: Page): Promise<void> {
    if (page.messages) {
      this.draw(page);
      return Promise.resolve();
    }
    page.loading ??= this.fetch(page.index)
      .then((answer) => {
        if (answer.total !== this.total) this.setTotal(Math.max(answer.total, this.total));
        this.take(page, answer.messages);
      })
      .catch((error: unknown) => {
        if (!aborted(error)) this.host.failed((error as Error).message);
      })
      .finally(() => {
        page.loading = null;
      });
    return page.loading;
  }

  /** Retries visible pages that could not be loaded. */
  retry(): void {
    for (const page of this.pages) if (page.wanted && !page.drawn) void this.load(page);
  }

  private fetch(index: number): Promise<MessagePage> {
    return call<MessagePage>("message.list", { session: this.host.session, machine: this.host.machine, branch: this.host.branch, limit: size, skip: index * size || undefined }, this.stop.signal);
  }

  private take(page: Page, messages: Message[]): void {
    page.messages = messages;
    this.draw(page);
    // A result may belong to a call on the previous page, and records to an answer there.
    const previous = this.pages[page.index - 1];
    if (previous?.drawn && goesOver(previous.messages ?? [], messages)) this.draw(previous);
    const behind = this.pages[page.index + 1];
    if (behind?.drawn && goesOver(messages, behind.messages ?? [])) this.draw(behind);
  }

  private draw(page: Page): void {
    const messages = page.messages ?? [];
    const before = this.pages[page.index - 1]?.messages ?? [];
    const behind = this.pages[page.index + 1]?.messages ?? [];
    const results = toolResults([...before, ...messages, ...behind]);
    const open = new Set([...page.box.querySelectorAll<HTMLElement>("details[open]")].map(placeOf));
    const focused = page.box.contains(document.activeElement) ? document.activeElement?.closest<HTMLElement>(".message")?.dataset["ordinal"] : undefined;
    const figures = figuresOf([...before, ...messages, ...behind]);
    let last: Message | undefined = before[before.length - 1];
    const views = messages.map((message) => {
      const view = messageView(message, {
        session: this.host.session,
        machine: this.host.machine,
        branch: this.host.branch,
        results,
        continues: last !== undefined && goesOn(last, message),
        usage: figures.get(message) ?? null,
        href: this.host.href(message.ordinal),
      });
      if (kindOf(message) !== "note") last = message;
      return view;
    });
    fill(page.box, this.newestFirst ? views.reverse() : views);
    page.box.style.height = "";
    page.drawn = true;
    if (open.size) for (const details of page.box.querySelectorAll<HTMLDetailsElement>("details")) if (open.has(placeOf(details))) details.open = true;
    if (focused !== undefined) this.find(Number(focused))?.focus({ preventScroll: true });
  }
}

function placeOf(details: HTMLElement): string {
  const message = details.closest<HTMLElement>(".message");
  return `${message?.id ?? ""}/${message ? [...message.querySelectorAll("details")].indexOf(details as HTMLDetailsElement) : 0}`;
}

// Whether a call or an answer on one page goes on on the next.
function goesOver(before: Message[], messages: Message[]): boolean {
  const answers = new Set(before.slice(-4).map((message) => message.response).filter(Boolean));
  return messages.slice(0, 4).some((message) => message.role === "tool" || answers.has(message.response) || message.blocks.some((block) => block.type === "tool_result"));
}

// Whether two records belong to one turn of an agent, which is shown as one.
function goesOn(before: Message, message: Message): boolean {
  const ofAgent = (one: Message): boolean => kindOf(one) === "answer" || kindOf(one) === "tool";
  return ofAgent(before) && ofAgent(message) && before.agent === message.agent && (!before.model || !message.model || before.model === message.model);
}

function isShown(message: HTMLElement): boolean {
  return message.offsetHeight > 0;
}
