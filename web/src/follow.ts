// Reports what is added to a session as it happens. Browsers allow six connections per server over all tabs, so at
// most three tabs hold a stream. The other tabs poll, and hidden tabs do neither.
import { call, stream } from "./api";
import type { Message, MessagePage, Session } from "./types";

const streams = 3;
const pause = 1500;

export interface FollowEvents {
  /** Returns where a message belongs on the list; null if that is not known. */
  place(message: Message): number | null;
  message(message: Message, place: number): void;
  session(session: Session): void;
  /** Everything may have changed. */
  restarted(): void;
  /** Returns how many messages are known. */
  known(): number;
  live(on: boolean): void;
}

interface Item {
  event: "message" | "changed" | "restarted" | "session" | "text";
  message?: Message;
  session?: Session;
}

export class Follower {
  private running = false;
  private close: () => void = () => undefined;
  private timer: number | undefined;
  private readonly visible = (): void => (document.hidden ? this.rest() : this.begin());

  constructor(private readonly id: string, private readonly events: FollowEvents) {}

  start(): void {
    this.running = true;
    document.addEventListener("visibilitychange", this.visible);
    if (!document.hidden) this.begin();
  }

  stop(): void {
    this.running = false;
    document.removeEventListener("visibilitychange", this.visible);
    this.rest();
  }

  private rest(): void {
    window.clearTimeout(this.timer);
    this.close();
    this.close = () => undefined;
    this.events.live(false);
  }

  private begin(): void {
    if (!this.running) return;
    this.rest();
    void this.catchUp().then(() => this.place(0));
  }

  // Takes one of the stream locks, held until the stream closes, or polls if all are taken.
  private place(number: number): void {
    if (!this.running || document.hidden) return;
    if (number >= streams || !("locks" in navigator)) return this.ask();
    void navigator.locks.request(`holdfast-stream-${number}`, { ifAvailable: true }, (lock) => {
      if (!lock) {
        this.place(number + 1);
        return undefined;
      }
      return new Promise<void>((done) => this.listen(done));
    });
  }

  private listen(done: () => void): void {
    if (!this.running) return done();
    const end = stream<Item>("session.follow", { id: this.id, last: 1 }, {
      item: (item) => this.take(item),
      end: () => {
        this.close();
        this.later(() => this.begin());
      },
    });
    this.events.live(true);
    this.close = () => {
      end();
      done();
      this.close = () => undefined;
    };
  }

  private take(item: Item): void {
    if (item.event === "restarted") this.events.restarted();
    if (item.session) this.events.session(item.session);
    if (!item.message) return;
    const place = this.events.place(item.message);
    if (place === null) void this.catchUp();
    else this.events.message(item.message, place);
  }

  private ask(): void {
    this.events.live(true);
    this.later(() => void this.catchUp().then(() => this.ask()));
  }

  private later(next: () => void): void {
    window.clearTimeout(this.timer);
    if (this.running) this.timer = window.setTimeout(next, pause);
  }

  private async catchUp(): Promise<void> {
    try {
      const from = this.events.known();
      const answer = await call<MessagePage>("message.list", { session: this.id, skip: from || undefined, limit: 200 });
      if (answer.total < from) return this.events.restarted();
      answer.messages.forEach((message, index) => this.events.message(message, from + index));
      if (answer.messages.length === 200) await this.catchUp();
    } catch {
      // The banner reports that the server is gone. Tried again later.
    }
  }
}
