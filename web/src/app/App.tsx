import { SignIn } from "../session/SignIn";
import { session } from "../session/session";
import { useSignal } from "../state/signal";
import { Shell } from "./Shell";

/** The door without a key, the house with one. A key that never worked leads back to the door. */
export function App() {
  const { key, refused, accepted } = useSignal(session);
  if (key === null) return <SignIn refused={false} />;
  if (refused && !accepted) return <SignIn refused />;
  return <Shell />;
}
