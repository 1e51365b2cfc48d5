import { useId, useState } from "react";
import { keyIn, signIn } from "./session";

/** Takes a device key, or the whole address that `memex` printed. */
export function KeyForm() {
  const [text, setText] = useState("");
  const id = useId();
  const key = keyIn(text);
  return (
    <form
      className="key-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (key !== null) signIn(key);
      }}
    >
      <label htmlFor={id}>Key, or the whole address</label>
      <div className="key-line">
        <input
          id={id}
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="main" disabled={key === null}>
          Open
        </button>
      </div>
    </form>
  );
}
