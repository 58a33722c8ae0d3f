// Which npm packages a script may leave out. One that is missing is a failure, not a row less, unless INTEROP_SKIP
// names it: INTEROP_SKIP="opencode-ai @github/copilot" ./dev interop.
import { existsSync } from "node:fs";
import { join } from "node:path";

const skipped = new Set((process.env.INTEROP_SKIP ?? "").split(/\s+/).filter(Boolean));

/** Whether the package is to be tested. Throws if it is not installed. */
export function has(modules, name) {
  if (skipped.has(name)) {
    console.error(`skip  ${name}: named in INTEROP_SKIP`);
    return false;
  }
  if (!existsSync(join(modules, name))) throw new Error(`${name} is not installed; to do without it, name it in INTEROP_SKIP`);
  return true;
}
