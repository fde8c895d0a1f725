import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

/** One of the two looks that every part has. */
export type Look = "light" | "dark";

type GroupProps = {
  /** What it is called in `messages`, and its place in the address. */
  id: string;
  /** Parts in one look. Names of fields carry the look: both stand on one page. */
  children: (look: Look) => ReactNode;
};

/** Parts of a kind, light and dark side by side. */
export function Group({ id, children }: GroupProps) {
  const t = useTranslations("gallery");
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid min-w-0 gap-4">
      <h2 id={`${id}-title`} className="font-semibold text-xl">
        {t(`groups.${id}`)}
      </h2>
      <div className="grid gap-4 lg:grid-cols-2">
        {(["light", "dark"] as const).map((look) => (
          <section
            key={look}
            aria-label={t(look)}
            data-theme={look}
            className="grid min-w-0 content-start gap-6 rounded-lg border border-line bg-paper p-4 text-ink sm:p-6"
          >
            {children(look)}
          </section>
        ))}
      </div>
    </section>
  );
}

/** Parts of a size beside each other. */
export function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>;
}
