// Text of transcripts is hostile. What could reorder, hide or repaint other text becomes visible or goes.

// Bidirectional and invisible formatting: marks, embeddings, overrides, isolates, zero widths that join nothing.
const reordering = /[\u061c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/g;
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// Colours and other commands for terminals.
// eslint-disable-next-line no-control-regex
const terminal = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[PX^_][^\u001b]{0,4096}\u001b\\|[ -/]*[0-~])/g;

function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

/** Several lines: line breaks and tabs stay. */
export function cleanText(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(terminal, "").replace(reordering, "\ufffd").replace(controls, picture);
}

/** One line: titles, names, paths. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, " ").trim();
}

/** The beginning of a line, never half a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length) + "…";
}

/** A title of anything: bounded before it is cleaned. */
export function title(text: string | null | undefined, length = 200): string {
  return cut(cleanLine(cut(text ?? "", length * 8)), length);
}
