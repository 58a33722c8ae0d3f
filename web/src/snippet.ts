// Shows a hit in context. The server's spans are byte offsets in UTF-8.
import { cleanLine } from "./clean";
import { h, type Child } from "./dom";

export interface Piece {
  text: string;
  marked: boolean;
}

export function pieces(text: string, spans: [number, number][]): Piece[] {
  const bytes = new TextEncoder().encode(text);
  const decode = (from: number, to: number): string => new TextDecoder().decode(bytes.subarray(from, to));
  const found: Piece[] = [];
  let at = 0;
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    if (from < at || to <= from || to > bytes.length) continue;
    if (from > at) found.push({ text: decode(at, from), marked: false });
    found.push({ text: decode(from, to), marked: true });
    at = to;
  }
  if (at < bytes.length) found.push({ text: decode(at, bytes.length), marked: false });
  return found;
}

export function snippet(text: string, spans: [number, number][]): Child[] {
  return pieces(text, spans).map((piece) => {
    const clean = cleanLine(`|${piece.text}|`).slice(1, -1);
    return piece.marked ? h("mark", {}, clean) : clean;
  });
}
