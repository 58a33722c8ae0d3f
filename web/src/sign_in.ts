// The first visit brings a code in the fragment, which no server log sees; it becomes a cookie, once.
import { setConnection } from "./connection";

export async function signIn(): Promise<void> {
  const code = /^#code=([A-Za-z0-9_.~-]+)$/.exec(location.hash)?.[1];
  if (!code) return;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    await fetch("/login", { method: "POST", headers: { "X-Holdfast": "1", "Content-Type": "application/json" }, body: JSON.stringify({ code }) });
    // A code that was used before does no harm to who is signed in already: the first call tells.
  } catch {
    setConnection("gone");
  }
}
