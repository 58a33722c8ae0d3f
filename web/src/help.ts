// The help dialog: what the keys do, and the settings of this browser.
import { openDialog } from "./dialog";
import { h } from "./dom";
import { keysOn, setKeys, setTheme, theme, type Theme } from "./settings";

const keys: [string, string][] = [
  ["j k", "next, previous message (or row of the list)"],
  ["J K", "next, previous prompt"],
  ["] [", "next, previous session"],
  ["/", "find in the session, else search"],
  ["Ctrl K", "search everything"],
  ["p", "list of prompts"],
  ["l", "next layout"],
  ["e", "export, resume, share"],
  ["s", "star"],
  ["g g", "to the beginning"],
  ["G", "to the end"],
  ["o", "oldest or newest first"],
  ["t", "open or close the tools of a message"],
  ["Esc", "close, or back to the list"],
  ["?", "this help"],
];

export function openHelp(): void {
  const on: HTMLInputElement = h("input", { type: "checkbox", checked: keysOn(), onchange: () => setKeys(on.checked) });
  const colours: HTMLSelectElement = h("select", { onchange: () => setTheme(colours.value as Theme) }, (["system", "light", "dark"] as Theme[]).map((value) => h("option", { value, selected: theme() === value }, value === "system" ? "Same as system" : value === "light" ? "Light" : "Dark")));
  openDialog("Help",
    h("section", { className: "use" }, h("h3", {}, "Keys"), h("dl", { className: "keys" }, keys.map(([key, words]) => [h("dt", {}, key.split(" ").map((one) => h("kbd", {}, one))), h("dd", {}, words)]))),
    h("section", { className: "use" }, h("h3", {}, "Settings"), h("p", {}, h("label", {}, on, " Single-letter keys")), h("p", {}, h("label", {}, "Colors ", colours))));
}
