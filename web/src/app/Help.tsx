import { useEffect, useRef } from "react";
import { signOut } from "../session/session";
import { useSignal } from "../state/signal";
import { KEYS } from "./keys";
import { help, setSingleKeys, singleKeys } from "./useKeys";

/** Every key, and what concerns this device. */
export function Help() {
  const open = useSignal(help);
  const on = useSignal(singleKeys);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  const groups = [...new Set(KEYS.map(({ group }) => group))];
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={() => help.set(false)}>
      <header>
        <h2 id="help-title">Keys</h2>
        <button type="button" className="plain" aria-label="Close" onClick={() => help.set(false)}>
          ×
        </button>
      </header>
      {groups.map((group) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl>
            {KEYS.filter((key) => key.group === group).map(({ keys, does }) => (
              <div key={does}>
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          checked={on}
          onChange={(event) => setSingleKeys(event.target.checked)}
        />
        <span>Single keys work</span>
      </label>
      <p className="soft">
        This device is signed in.{" "}
        <button
          type="button"
          className="link"
          onClick={() => {
            help.set(false);
            signOut();
          }}
        >
          Sign out
        </button>
      </p>
    </dialog>
  );
}
