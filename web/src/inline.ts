// Parses the inside of a Markdown paragraph. A mark without its closing mark is text.
import type { Inline } from "./markdown";

const deepest = 8;
const tokens = /\\([!-/:-@[-`{-~])|(`+)|(\*{1,3}|_{1,3}|~~)|(!?\[)|(<)|(https?:\/\/[^\s<>"'`]+)|( {2,}\n|\n)/g;

/** Returns the address if a link may lead there (http, https, mailto), else null. */
export function safeHref(href: string): string | null {
  const trimmed = href.trim();
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f-\u009f\u200b-\u206f]/.test(trimmed)) return null;
  return /^(https?:\/\/|mailto:)[^\s]/i.test(trimmed) && trimmed.length < 2048 ? trimmed : null;
}

export function inlines(text: string): Inline[] {
  return new Inlines(text).parse(0, text.length, 0);
}

class Inlines {
  // For each mark, the position after which it has no closing mark. Not searched again, so that time stays linear.
  private readonly lonely = new Map<string, number>();

  constructor(private readonly text: string) {}

  parse(from: number, to: number, depth: number): Inline[] {
    const found: Inline[] = [];
    let plain = "";
    const flush = (): void => {
      if (plain) found.push({ kind: "text", text: plain });
      plain = "";
    };
    const add = (node: Inline): void => {
      flush();
      found.push(node);
    };
    let at = from;
    while (at < to) {
      tokens.lastIndex = at;
      const token = tokens.exec(this.text);
      if (!token || token.index >= to) break;
      plain += this.text.slice(at, token.index);
      at = tokens.lastIndex;
      const [, escaped, ticks, mark, bracket, angle, url, newline] = token;
      if (escaped) {
        plain += escaped;
      } else if (newline) {
        add({ kind: "break" });
      } else if (url) {
        const address = url.replace(/[.,:;!?)\]}*_~]+$/, "");
        const href = safeHref(address);
        if (href && token.index + address.length <= to) {
          add({ kind: "link", href, children: [{ kind: "text", text: address }] });
          at = token.index + address.length;
        } else plain += url;
      } else if (ticks) {
        const end = this.closing(ticks, at, to, (place) => this.text[place - 1] !== "`" && this.text[place + ticks.length] !== "`");
        if (end >= 0) {
          add({ kind: "code", text: this.text.slice(at, end).replace(/\n/g, " ").replace(/^ (.*[^ ].*) $/, "$1") });
          at = end + ticks.length;
        } else plain += ticks;
      } else if (mark) {
        const end = depth < deepest ? this.emphasis(mark, token.index, at, to) : -1;
        if (end >= 0) {
          add(this.emphasized(mark, at, end, depth));
          at = end + mark.length;
        } else plain += mark;
      } else if (angle) {
        const address = /^<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/i.exec(this.text.slice(token.index, Math.min(to, token.index + 2010)));
        const href = address ? safeHref(address[1] ?? "") : null;
        if (address && href) {
          add({ kind: "link", href, children: [{ kind: "text", text: address[1] ?? "" }] });
          at = token.index + (address[1]?.length ?? 0) + 2;
        } else plain += "<";
      } else if (bracket) {
        const link = depth < deepest ? this.link(at, to) : null;
        if (link) {
          const href = safeHref(link.href);
          if (bracket === "![") add({ kind: "image", href: href ?? "", alt: this.text.slice(at, link.middle) });
          else if (href) add({ kind: "link", href, children: this.parse(at, link.middle, depth + 1) });
          else {
            // An unsafe link: show its text and its address as text.
            flush();
            found.push(...this.parse(at, link.middle, depth + 1), { kind: "text", text: ` (${link.href})` });
          }
          at = link.end;
        } else plain += bracket;
      }
    }
    if (at < to) plain += this.text.slice(at, to);
    flush();
    return found;
  }

  private closing(mark: string, from: number, to: number, fits: (place: number) => boolean): number {
    const known = this.lonely.get(mark);
    if (known !== undefined && known <= from) return -1;
    let place = this.text.indexOf(mark, from);
    for (let tries = 0; place >= 0 && place + mark.length <= to && tries < 100; tries++) {
      if (fits(place)) return place;
      place = this.text.indexOf(mark, place + 1);
    }
    if (to === this.text.length) this.lonely.set(mark, Math.min(known ?? from, from));
    return -1;
  }

  private emphasis(mark: string, begin: number, from: number, to: number): number {
    const letter = /[\p{L}\p{N}]/u;
    const before = this.text[begin - 1] ?? " ";
    const next = this.text[from] ?? " ";
    if (/\s/.test(next) || (mark[0] === "_" && letter.test(before))) return -1;
    return this.closing(mark, from + 1, to, (place) => {
      const behind = this.text[place + mark.length] ?? " ";
      if (/\s/.test(this.text[place - 1] ?? " ") || behind === mark[0] || this.text[place - 1] === "\\") return false;
      return mark[0] !== "_" || !letter.test(behind);
    });
  }

  private emphasized(mark: string, from: number, to: number, depth: number): Inline {
    const children = this.parse(from, to, depth + 1);
    if (mark === "~~") return { kind: "strike", children };
    if (mark.length === 3) return { kind: "strong", children: [{ kind: "em", children }] };
    return { kind: mark.length === 2 ? "strong" : "em", children };
  }

  // Parses [text](address "title"). The text must be short and have balanced brackets.
  private link(from: number, to: number): { middle: number; end: number; href: string } | null {
    let open = 1;
    let place = from;
    const last = Math.min(to, from + 1000);
    for (; place < last; place++) {
      const c = this.text[place];
      if (c === "\\") place++;
      else if (c === "[") open++;
      else if (c === "]" && --open === 0) break;
    }
    if (place >= last || this.text[place + 1] !== "(") return null;
    const target = /^\(\s*<?([^\s<>]{0,2000}?)>?(?:\s+"[^"]{0,500}")?\s*\)/.exec(this.text.slice(place + 1, Math.min(to, place + 2600)));
    return target ? { middle: place, end: place + 1 + (target[0]?.length ?? 0), href: target[1] ?? "" } : null;
  }
}
