// The shapes of the api (docs/api.md) that the viewer uses.

export interface Usage {
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  reasoning?: number;
}

export interface Session {
  id: string;
  layout: string;
  store: string;
  path: string;
  project: string | null;
  title: string | null;
  first_prompt: string | null;
  status: string;
  created_at: string | null;
  updated_at: string | null;
  counts: { user: number; assistant: number; tool_calls: number; tool_results: number; records: number } | null;
  models: string[];
  usage: Usage | null;
  git_branch: string | null;
  parent: { id: string; kind: string; message?: string } | null;
  subagents: number;
  bytes: number;
  damage: number;
  archived?: boolean;
  summary?: string;
  cost?: number | null;
  /** The part of the cost that comes from list prices. */
  estimated_usd?: number;
  starred?: boolean;
  tags?: string[];
  machine?: string;
  /** False if the bytes are only on another machine. */
  here?: boolean;
  /** Depth in the tree, if the list is shown as trees. */
  depth?: number;
}

export interface Block {
  type: "text" | "thinking" | "tool_call" | "tool_result" | "image" | "document" | "audio" | "other";
  text?: string;
  id?: string;
  name?: string;
  input?: unknown;
  output?: unknown;
  is_error?: boolean;
  media_type?: string;
  data?: string;
  blob?: string;
  bytes?: number;
  raw?: unknown;
  extra?: Record<string, unknown>;
}

export interface Message {
  ordinal: number;
  id: string | null;
  parent: string | null;
  role: "user" | "assistant" | "tool" | "system";
  timestamp: string | null;
  model: string | null;
  stop_reason: string | null;
  usage: Usage | null;
  cost_usd?: number;
  estimated_usd?: number;
  blocks: Block[];
  origin?: string;
  response?: string;
  agent?: string;
  failed?: boolean;
  side?: boolean;
  abandoned?: boolean;
}

export interface Finding {
  file: string;
  offset: number;
  length: number;
  kind: string;
  salvaged: number;
  consequence?: string;
}

/** Warnings and findings that any answer may have. */
export interface Notes {
  warnings?: string[];
  findings?: Finding[];
  damage?: Finding[];
}

export interface SessionPage extends Notes {
  sessions: Session[];
  total: number;
  remote?: { name: string; indexed_at: string };
  next_cursor: string | null;
}

export interface MessagePage extends Notes {
  messages: Message[];
  total: number;
  /** The place on the list after the last message; null at the end. */
  next: number | null;
  next_cursor: string | null;
}

export interface Hit {
  session: string;
  machine?: string;
  layout: string;
  store: string;
  project: string | null;
  ordinal: number;
  role: string;
  timestamp: string | null;
  snippet: string;
  spans: [number, number][];
}

export interface HitPage extends Notes {
  hits: Hit[];
  sessions: number | null;
  total: number | null;
  truncated: boolean;
  next_cursor: string | null;
}

export interface StatsRow {
  key?: string;
  title?: string;
  agent?: string;
  sessions: number;
  messages: number;
  prompts: number;
  answers: number;
  tool_calls: number;
  usage: Usage;
  cost: number | null;
  estimated_usd?: number;
}

export interface Stats extends Notes {
  rows: StatsRow[];
  total: StatsRow;
}
