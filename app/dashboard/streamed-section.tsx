import { headers } from "next/headers";
import { unstable_rethrow } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, Suspense } from "react";
import { logFailure } from "#lib/failures";
import { FRONT_HEADERS } from "#lib/visit";

type StreamedSectionProps<Data> = {
  load: () => Promise<Data>;
  /** What stands in its place meanwhile; as large as what comes. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
};

/**
 * A part of a page that stands for itself: where it cannot be read it says so, and the rest stands. It comes when it is ready where the
 * site's own JavaScript asks for the page; a page that the browser opens comes whole, for without JavaScript nothing could put a late
 * part into its place.
 */
export async function StreamedSection<Data>(section: StreamedSectionProps<Data>) {
  const isOpened = (await headers()).get("accept")?.includes("text/html");
  if (isOpened) return <Loaded {...section} />;
  return (
    <Suspense fallback={<div aria-busy="true">{section.skeleton}</div>}>
      <Loaded {...section} />
    </Suspense>
  );
}

async function Loaded<Data>({ load, children }: StreamedSectionProps<Data>) {
  const requestId = (await headers()).get(FRONT_HEADERS.requestId);
  const loaded = await load().then(
    (data) => ({ data }),
    (error: unknown) => {
      unstable_rethrow(error);
      logFailure(error, { requestId, what: "a part of a page could not be read" });
      return null;
    },
  );
  return loaded ? children(loaded.data) : <Unreadable />;
}

function Unreadable() {
  const t = useTranslations("dashboard");
  return <p className="rounded-lg border border-line border-dashed px-5 py-4 text-muted text-sm">{t("unreadable")}</p>;
}
