// Transcripts may be hostile. Characters that could reorder, hide or repaint other text are made visible or removed.

// Bidirectional and invisible formatting: marks, embeddings, overrides, isolates, invisible operators, annotations.
const reordering = /[\u061c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/g;
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// Colors and other terminal commands.
// eslint-disable-next-line no-control-regex
const terminal = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[PX^_][^\u001b]{0,4096}\u001b\\|[ -/]*[0-~])/g;

function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

/** Cleans text of several lines. Keeps line breaks and tabs. */
export function cleanText(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(terminal, "").replace(reordering, "\ufffd").replace(controls, picture);
}

/** Cleans a title, name or path and makes it one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, " ").trim();
}

/** Cuts text to at most `length` code units and an ellipsis. Never splits a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length) + "…";
}

/** Makes a title of any text. Cuts the text before cleaning it, to bound the work. */
export function title(text: string | null | undefined, length = 200): string {
  return cut(cleanLine(cut(text ?? "", length * 8)), length);
}
