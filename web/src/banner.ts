// Tells people that the server is gone or that an answer came with warnings.
import { onNotes } from "./api";
import { cleanLine } from "./clean";
import { lookAgain, watchConnection } from "./connection";
import { openDialog } from "./dialog";
import { button, fill, h, icon } from "./dom";
import { plural } from "./format";
import { say } from "./live";
import { putAway, setPutAway } from "./settings";
import type { Finding } from "./types";

const warnings = new Set<string>();
const findings = new Map<string, Finding>();

export function makeBanner(): HTMLElement {
  const gone = h("div", { className: "banner bad", role: "alert", hidden: true });
  const notes = h("div", { className: "banner", role: "status", hidden: true });
  watchConnection((state, reason) => {
    if (state === "there" && !gone.hidden) say("The server is back");
    gone.hidden = state === "there";
    if (state === "gone") fill(gone, icon("warning"), h("span", {}, "The server is not responding. This page may be out of date; it will keep trying to reconnect."), button("Try now", () => void lookAgain()));
    if (state === "signed-out") fill(gone, icon("warning"), reason ? h("span", {}, `This page is not signed in: ${reason}.`) : h("span", {}, "This page is no longer signed in. Open the address that ", h("code", {}, "holdfast serve"), " prints; if it has been used, start it again."));
  });
  const draw = (): void => {
    const keys = [...warnings, ...findings.keys()];
    const away = putAway();
    notes.hidden = keys.every((key) => away.has(key));
    const words = [findings.size ? plural(findings.size, "finding") : "", warnings.size ? plural(warnings.size, "warning") : ""].filter(Boolean).join(" and ");
    fill(notes, icon("warning"), h("span", {}, words), button("Show", showNotes), button("Dismiss", () => {
      setPutAway([...away, ...keys]);
      notes.hidden = true;
    }));
  };
  onNotes((answer) => {
    for (const warning of (answer.warnings ?? []).slice(0, 100)) warnings.add(cleanLine(warning).slice(0, 500));
    for (const finding of (answer.findings ?? []).slice(0, 1000)) findings.set(cleanLine(`${finding.file} ${finding.offset} ${finding.kind}`), finding);
    draw();
  });
  return h("div", { className: "banners" }, gone, notes);
}

function showNotes(): void {
  openDialog("Warnings and findings",
    warnings.size > 0 && h("ul", {}, [...warnings].map((warning) => h("li", {}, warning))),
    findings.size > 0 && h("ul", {}, [...findings.values()].map((finding) => h("li", {}, h("strong", {}, cleanLine(finding.kind)), " ", cleanLine(finding.consequence ?? ""), h("div", { className: "faint path" }, cleanLine(finding.file))))));
}
