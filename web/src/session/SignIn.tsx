import { useTitle } from "../state/useTitle";
import { KeyForm } from "./KeyForm";

/** The door: how to get a key, and a place to put it. */
export function SignIn({ refused }: { refused: boolean }) {
  useTitle("Sign in");
  return (
    <main className="door">
      <h1>Memex</h1>
      {refused ? (
        <p role="alert">
          <strong>That key was not accepted.</strong> It may have been revoked, or belong to another Memex.
          Anything you had typed on this device is kept.
        </p>
      ) : (
        <p>This device has no key yet.</p>
      )}
      <p>
        Run <code>make run</code> or <code>memex serve</code>: it prints an address that ends in{" "}
        <code>#key=…</code>. Open that address here, or paste it below. For a Memex in the cloud, use the
        device key you were given.
      </p>
      <KeyForm />
      <p className="soft">The key stays in this browser and goes nowhere but to your Memex.</p>
    </main>
  );
}
