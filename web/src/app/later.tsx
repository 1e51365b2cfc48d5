/** A room that is fetched when it is first entered, so that the first load stays small. */
import { useEffect, useState, type ComponentType } from "react";
import { Problem } from "../api/problem";
import { Heading } from "../parts/Heading";
import { ProblemNote } from "../parts/ProblemNote";

const UNFETCHED = new Problem(
  0,
  "unfetched",
  "This page could not be fetched.",
  "Check the connection and try again. If Memex was updated, reload the page.",
);

/** What failed to come is asked for again; what came stays. */
export function later<P extends object>(fetch: () => Promise<ComponentType<P>>): ComponentType<P> {
  let Found: ComponentType<P> | null = null;
  return function Later(props: P) {
    const [state, setState] = useState<"there" | "coming" | "failed">(Found ? "there" : "coming");
    useEffect(() => {
      if (state !== "coming") return;
      let gone = false;
      fetch()
        .then((component) => {
          Found = component;
          if (!gone) setState("there");
        })
        .catch(() => {
          if (!gone) setState("failed");
        });
      return () => {
        gone = true;
      };
    }, [state]);
    if (Found) return <Found {...props} />;
    return (
      <div className="page">
        <Heading>{state === "failed" ? "Can’t be shown" : "Fetching…"}</Heading>
        {state === "failed" && <ProblemNote problem={UNFETCHED} again={() => setState("coming")} />}
      </div>
    );
  };
}
