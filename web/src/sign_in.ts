// The first visit has a code in the fragment, which is not in any server log. It is exchanged for a cookie, once.
import { title } from "./clean";
import { lookAgain, setConnection } from "./connection";

export async function signIn(): Promise<void> {
  const code = /^#code=([A-Za-z0-9_.~-]+)$/.exec(location.hash)?.[1];
  if (!code) return;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    const answer = await fetch("/login", { method: "POST", headers: { "X-Holdfast": "1", "Content-Type": "application/json" }, body: JSON.stringify({ code }) });
    if (answer.ok) return;
    // A used code is harmless in a browser that is signed in. In another one it may have been stolen, which people must learn.
    const { error } = (await answer.json()) as { error?: { message?: string } };
    await lookAgain(title(error?.message));
  } catch {
    setConnection("gone");
  }
}
