import { Go } from "../route/Go";
import { useTitleOf } from "./titles";

/** A note that is known by its id alone, as a person knows it: its title, which leads there. */
export function NoteName({ id }: { id: string }) {
  const title = useTitleOf(id);
  if (title === null) return <span className="soft">A note that is gone</span>;
  return (
    <Go room={{ at: "note", id }} dir="auto">
      {title ?? "A note"}
    </Go>
  );
}
