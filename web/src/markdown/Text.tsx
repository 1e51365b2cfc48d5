/** Note text; the renderer is a chunk of its own, fetched while the feed is being read. */
import { lazy, Suspense, type ComponentProps } from "react";

const chunk = () => import("./Markdown");
const Markdown = lazy(() => chunk().then((module) => ({ default: module.Markdown })));

export function prepareText(): void {
  chunk().catch(() => undefined);
}

export function Text(props: ComponentProps<typeof Markdown>) {
  return (
    <Suspense fallback={<p className="soft">Fetching the text…</p>}>
      <Markdown {...props} />
    </Suspense>
  );
}
