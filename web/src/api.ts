// Calls and streams of the api. Every failure is an ApiError with a human-readable message.
import { title } from "./clean";
import { setConnection } from "./connection";
import { noteSecrets, revealQuery, secretsShown } from "./secrets";
import type { Notes } from "./types";

export class ApiError extends Error {
  constructor(readonly code: string, message: string) {
    super(title(message, 500)); // the message may quote the request
  }
}

type Params = Record<string, unknown>;
type NotesListener = (notes: Notes) => void;

let notesListener: NotesListener = () => undefined;

/** Sets the listener for the warnings and findings of every answer. */
export function onNotes(listener: NotesListener): void {
  notesListener = listener;
}

function known(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== ""));
}

async function failure(answer: Response): Promise<ApiError> {
  let code = "internal";
  let message = `the server answered ${answer.status}`;
  try {
    const { error } = (await answer.json()) as { error?: { code?: string; message?: string } };
    if (error?.code) code = error.code;
    if (error?.message) message = error.message;
  } catch {
    // No JSON: the status is the message.
  }
  if (answer.status === 401) {
    setConnection("signed-out");
    message = "this page is not signed in"; // the server's words are for programs
  }
  return new ApiError(code, message);
}

export async function call<T extends object>(method: string, params: Params = {}, signal?: AbortSignal): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`/api/${method}`, {
      method: "POST",
      headers: { "X-Holdfast": "1", "Content-Type": "application/json", ...(secretsShown() ? { "X-Holdfast-Reveal": "1" } : {}) },
      body: JSON.stringify(known(params)),
      signal: signal ?? null,
    });
    if (!answer.ok) throw await failure(answer);
    const text = await answer.text();
    if (method === "message.list") noteSecrets(text);
    const result = JSON.parse(text) as T & Notes;
    setConnection("there");
    if (result.warnings?.length || result.findings?.length) notesListener(result);
    return result;
  } catch (error) {
    if (error instanceof ApiError || (error as Error).name === "AbortError") throw error;
    setConnection("gone");
    throw new ApiError("unreachable", "the server is not responding");
  }
}

export function aborted(error: unknown): boolean {
  return (error as Error)?.name === "AbortError";
}

export interface StreamEvents<T> {
  item: (item: T) => void;
  /** The stream or the connection ended; `message` if the reason is known. */
  end: (message?: string) => void;
}

/** Passes on items as they arrive, until the returned function is called. */
export function stream<T>(method: string, params: Params, events: StreamEvents<T>): () => void {
  const source = new EventSource(`/stream/${method}?params=${encodeURIComponent(JSON.stringify(known(params)))}${revealQuery()}`);
  const end = (message?: string): void => {
    source.close();
    events.end(message);
  };
  source.addEventListener("message", (event) => {
    noteSecrets(String(event.data));
    events.item(JSON.parse(event.data) as T);
  });
  source.addEventListener("end", () => end());
  source.addEventListener("error", (event) => {
    if (!(event instanceof MessageEvent)) return end("the connection ended");
    const said = JSON.parse(String(event.data)) as { error?: { message?: string }; message?: string };
    end(said.error?.message ?? said.message ?? "the stream failed");
  });
  return () => source.close();
}

let methods: Promise<Set<string>> | undefined;

/** The operations that this server offers. Those that change something are offered only with --write. */
export function offered(): Promise<Set<string>> {
  methods ??= call<{ methods: string[] }>("hello", { client: "viewer" }).then(
    (answer) => new Set(answer.methods),
    () => {
      methods = undefined;
      return new Set<string>();
    },
  );
  return methods;
}
