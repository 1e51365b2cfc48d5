import { HOME } from "../route/address";
import { Go } from "../route/Go";

/** From a page that is not there to those that are. */
export function WaysOn() {
  return (
    <nav className="deeds" aria-label="Ways on">
      <Go className="button" address={HOME}>
        To the notes
      </Go>
      <Go className="button" address={{ ...HOME, room: { at: "operations" } }}>
        To running work
      </Go>
      <Go className="button" address={{ ...HOME, bin: true }}>
        To the bin
      </Go>
    </nav>
  );
}
