// Finds the changed lines of two texts with Myers' algorithm. Above `mostEdits` edits, the rest counts as changed.

export interface DiffLine {
  kind: "same" | "removed" | "added" | "gap";
  text: string;
}

const mostEdits = 400;

export function diffLines(before: string, after: string): DiffLine[] {
  const a = split(before);
  const b = split(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const lines = (kind: DiffLine["kind"], texts: string[]): DiffLine[] => texts.map((text) => ({ kind, text }));
  const middleA = a.slice(head, a.length - tail);
  const middleB = b.slice(head, b.length - tail);
  const middle = myers(middleA, middleB) ?? [...lines("removed", middleA), ...lines("added", middleB)];
  return [...lines("same", a.slice(0, head)), ...middle, ...lines("same", a.slice(a.length - tail))];
}

function split(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

function myers(a: string[], b: string[]): DiffLine[] | null {
  const most = Math.min(a.length + b.length, mostEdits);
  const offset = most + 1;
  let reach = new Int32Array(2 * most + 3);
  const history: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    history.push(reach.slice());
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && at(reach, k - 1 + offset) < at(reach, k + 1 + offset));
      let x = down ? at(reach, k + 1 + offset) : at(reach, k - 1 + offset) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[k + offset] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, history, offset);
    }
  }
  return null;
}

function at(array: Int32Array, index: number): number {
  return array[index] ?? 0;
}

function walkBack(a: string[], b: string[], history: Int32Array[], offset: number): DiffLine[] {
  const found: DiffLine[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = history.length - 1; edits >= 0; edits--) {
    const reach = history[edits] ?? new Int32Array(0);
    const k = x - y;
    const down = k === -edits || (k !== edits && at(reach, k - 1 + offset) < at(reach, k + 1 + offset));
    const fromK = down ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : at(reach, fromK + offset);
    const fromY = edits === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) {
      found.push({ kind: "same", text: a[--x] ?? "" });
      y--;
    }
    if (edits === 0) break;
    if (down) found.push({ kind: "added", text: b[--y] ?? "" });
    else found.push({ kind: "removed", text: a[--x] ?? "" });
  }
  return found.reverse();
}

/** Replaces long runs of unchanged lines by a gap. */
export function folded(lines: DiffLine[], around = 3): DiffLine[] {
  const near = new Uint8Array(lines.length);
  lines.forEach((line, place) => {
    if (line.kind !== "same") near.fill(1, Math.max(0, place - around), place + around + 1);
  });
  const found: DiffLine[] = [];
  for (let place = 0; place < lines.length; ) {
    let end = place;
    while (end < lines.length && !near[end]) end++;
    if (end - place > 1) found.push({ kind: "gap", text: `${end - place} unchanged lines` });
    else if (end > place) found.push(...lines.slice(place, end));
    while (end < lines.length && near[end]) found.push(lines[end++] as DiffLine);
    place = end;
  }
  return found;
}

/** Parses a patch in the formats that agents use ("*** Begin Patch", or a unified diff). */
export function patchLines(patch: string): DiffLine[] {
  return patch.split("\n").flatMap((line): DiffLine[] => {
    if (/^\*\*\* (Begin|End) Patch|^$/.test(line)) return [];
    if (/^(\*\*\* |@@|diff |index |--- |\+\+\+ )/.test(line)) return [{ kind: "gap", text: line.replace(/^\*\*\* /, "") }];
    if (line[0] === "+") return [{ kind: "added", text: line.slice(1) }];
    if (line[0] === "-") return [{ kind: "removed", text: line.slice(1) }];
    return [{ kind: "same", text: line.replace(/^ /, "") }];
  });
}

export function counts(lines: DiffLine[]): { added: number; removed: number } {
  return { added: lines.filter((line) => line.kind === "added").length, removed: lines.filter((line) => line.kind === "removed").length };
}
