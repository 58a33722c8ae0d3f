// Finds prompts with the server's search, so that the viewer need not read a long session.
import { call } from "./api";
import type { Hit, HitPage } from "./types";

/** Returns the prompts that a person typed: the ordinal and a line of each. `id` is LAYOUT/ID. */
export async function promptsOf(id: string, machine: string, most = 20_000): Promise<Hit[]> {
  const answer = await call<HitPage>("session.search", { words: ["\\S"], regex: true, in: "prompts", session: id, machine, limit: most });
  return answer.hits;
}

export async function findIn(id: string, machine: string, words: string, signal: AbortSignal): Promise<HitPage> {
  return call<HitPage>("session.search", { words: splitWords(words), session: id, machine, limit: 1000 }, signal);
}

/** Splits typed text into words and quoted phrases. */
export function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]+)"?|(\S+)/g)].map((found) => (found[1] ?? found[2] ?? "").trim()).filter((word) => word !== '"' && word !== "");
}
