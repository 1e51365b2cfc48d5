import { useEffect } from "react";

/** The title of the browser's tab. */
export function setTitle(title: string): void {
  document.title = title === "" ? "Memex" : `${title.slice(0, 80)} · Memex`;
}

/** The same while a page is shown. */
export function useTitle(title: string): void {
  useEffect(() => setTitle(title), [title]);
}
