// The first visit has a code in the fragment, which is not in any server log. It is exchanged for a cookie, once.
import { setConnection } from "./connection";

export async function signIn(): Promise<void> {
  const code = /^#code=([A-Za-z0-9_.~-]+)$/.exec(location.hash)?.[1];
  if (!code) return;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    await fetch("/login", { method: "POST", headers: { "X-Holdfast": "1", "Content-Type": "application/json" }, body: JSON.stringify({ code }) });
    // A used code is harmless if already signed in. Otherwise the first call fails with 401.
  } catch {
    setConnection("gone");
  }
}
