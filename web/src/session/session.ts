/** Who is asking: the device key, and what the server thinks of it. The key never stays in the address. */
import { shelf } from "../state/kept";
import { signal } from "../state/signal";

const NAME = "memex.key";

export interface Session {
  key: string | null;
  /** The server said 401 to this key. */
  refused: boolean;
  /** The server has said yes to this key since the page was loaded. */
  accepted: boolean;
}

/** The key in what a person pasted: the key itself, or the whole address that `memex` printed. */
export function keyIn(text: string): string | null {
  const trimmed = text.trim();
  const fragment = /#key=([^&\s]+)/.exec(trimmed);
  if (fragment?.[1]) {
    try {
      return decodeURIComponent(fragment[1]);
    } catch {
      return fragment[1];
    }
  }
  return trimmed === "" || /[\s#]/.test(trimmed) ? null : trimmed;
}

function stored(): string | null {
  try {
    return shelf().getItem(NAME);
  } catch {
    return null;
  }
}

export const session = signal<Session>({
  key: typeof window === "undefined" ? null : stored(),
  refused: false,
  accepted: false,
});

export function signIn(key: string): void {
  try {
    shelf().setItem(NAME, key);
  } catch {
    // It works for this tab all the same.
  }
  session.set({ key, refused: false, accepted: false });
}

export function signOut(): void {
  try {
    shelf().removeItem(NAME);
  } catch {
    // Nothing was kept.
  }
  session.set({ key: null, refused: false, accepted: false });
}

/** Takes `#key=...` out of the address, before anything can log or bookmark it. */
export function takeKeyFromAddress(): boolean {
  if (!location.hash.startsWith("#key=")) return false;
  const key = keyIn(location.hash);
  history.replaceState(null, "", "#/");
  if (key !== null) signIn(key);
  return true;
}

export function refuse(key: string | null): void {
  const now = session.get();
  if (now.key === key && !now.refused) session.set({ ...now, refused: true });
}

export function accept(key: string | null): void {
  const now = session.get();
  if (now.key === key && (now.refused || !now.accepted)) {
    session.set({ ...now, refused: false, accepted: true });
  }
}
