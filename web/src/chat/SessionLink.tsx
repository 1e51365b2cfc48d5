import type { ReactNode } from "react";
import { Go } from "../route/Go";
import { useHere } from "../route/here";
import { useMedia } from "../state/useMedia";
import { ROOMY, show } from "./sidebar";

/** To a conversation, or with null to all of them. In the sidebar it leaves the note beside it open. */
export function SessionLink({
  id,
  children,
  ...rest
}: {
  id: string | null;
  children: ReactNode;
  className?: string;
}) {
  const { room } = useHere();
  const beside = useMedia(ROOMY) && room.at !== "chat";
  return (
    <Go
      {...rest}
      room={{ at: "chat", id }}
      dir="auto"
      onClick={(event) => {
        if (!beside || event.button !== 0) return;
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        show(id);
      }}
    >
      {children}
    </Go>
  );
}
