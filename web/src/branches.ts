// The dialog that lists the branches of a session and compares two of them side by side.
import { call } from "./api";
import { openDialog } from "./dialog";
import { button, fill, h } from "./dom";
import { moment, plural } from "./format";
import { oneLine } from "./long_text";
import { branchesOf, shared, type Branch } from "./branch_paths";
import { figuresOf, kindOf, plainText } from "./message_kind";
import { messageView } from "./message_view";
import type { Router } from "./router";
import { toolResults } from "./tool_results";
import type { MessagePage } from "./types";

const most = 5000;

export async function openBranches(id: string, machine: string, router: Router): Promise<void> {
  const { messages, total } = await call<MessagePage>("message.list", { session: id, machine, branch: "all", limit: most });
  const found = branchesOf(messages);
  const area = h("div", { className: "compare" });
  const dialog = openDialog("Branches",
    h("p", { className: "faint" }, total > most ? `Only the first ${most} messages were examined.` : "A branch is one path through the conversation, from the first message to its end."),
    h("ul", { className: "branch-list" }, found.map((branch, at) => {
      const last = [...branch.messages].reverse().find((message) => kindOf(message) === "prompt");
      const words = last ? oneLine(plainText(last), 100) : "no prompt";
      return h("li", {}, h("div", {}, h("strong", {}, `Branch ${at + 1}`), " ", h("span", { className: "faint" }, `${plural(branch.messages.length, "message")} · ${moment(branch.messages[branch.messages.length - 1]?.timestamp ?? null)}`), h("div", { dir: "auto" }, words)),
        button("Show", () => { dialog.close(); router.go({ branch: branch.leaf, message: null }); }, { "aria-label": `Show branch ${at + 1}` }));
    })),
    found.length > 1 && compareForm(found, (a, b) => fill(area, compared(id, machine, a, b))), area);
}

function compareForm(found: Branch[], show: (a: Branch, b: Branch) => void): HTMLElement {
  const choice = (label: string, value: number): HTMLSelectElement => {
    const select = h("select", { "aria-label": label }, found.map((_, at) => h("option", { value: at }, `Branch ${at + 1}`)));
    select.value = String(value);
    return select;
  };
  const left = choice("Left", 0);
  const right = choice("Right", 1);
  return h("div", { className: "field" }, left, " with ", right, " ", button("Compare", () => {
    const [a, b] = [found[Number(left.value)], found[Number(right.value)]];
    if (a && b) show(a, b);
  }));
}

function compared(id: string, machine: string, a: Branch, b: Branch): HTMLElement[] {
  const same = shared(a, b);
  const column = (branch: Branch, name: string): HTMLElement => {
    const results = toolResults(branch.messages);
    const parts = branch.messages.slice(same, same + 200).filter((message) => kindOf(message) !== "note");
    const figures = figuresOf(parts);
    const views = parts.map((message) => {
      const view = messageView(message, { session: id, machine, branch: "all", results, continues: false, usage: figures.get(message) ?? null, href: `#m${message.ordinal}` });
      view.removeAttribute("id"); // the transcript may have the same id
      return view;
    });
    return h("section", { "aria-label": name }, h("h3", {}, name), views.length ? views : h("p", { className: "faint" }, "No further messages."));
  };
  return [h("p", { className: "faint" }, `${plural(same, "message")} in common.`), h("div", { className: "columns" }, column(a, "Left"), column(b, "Right"))];
}
