// A modal dialog that takes the focus and returns it when closed.
import { button, h, icon, type Child } from "./dom";

export function openDialog(title: string, ...children: Child[]): HTMLDialogElement {
  for (const other of document.querySelectorAll("dialog")) other.close();
  const heading = h("h2", { id: "dialog-title" }, title);
  const dialog: HTMLDialogElement = h("dialog", { "aria-labelledby": "dialog-title" },
    h("div", { className: "dialog-head" }, heading, button(icon("close"), () => dialog.close(), { className: "button quiet", "aria-label": "Close" })),
    h("div", { className: "dialog-body" }, children));
  const before = document.activeElement as HTMLElement | null;
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before?.isConnected) before.focus({ preventScroll: true });
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
