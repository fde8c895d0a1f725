import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "#components/ui/card";
import { Outcome } from "#components/ui/outcome";
import { lettersStayHere } from "#lib/mail";

const NOTICES = {
  name: ["name"],
  picture: ["picture", "picture-removed"],
  email: ["letter"],
  password: ["password"],
  preferences: ["preferences"],
  sessions: ["session", "sessions"],
} as const;

type AccountSectionProps = {
  id: keyof typeof NOTICES;
  /** The `notice` of the page's address, which the section shows that it is about. */
  notice: string | undefined;
  children: ReactNode;
};

/** One matter of the account: what it is about at the side, what can be done in a sheet, and beside that what was just done. */
export function AccountSection({ id, notice, children }: AccountSectionProps) {
  const t = useTranslations("me");
  const done = NOTICES[id].find((known) => known === notice);
  return (
    <section id={id} className="grid scroll-mt-4 gap-x-10 gap-y-4 md:grid-cols-3">
      <div className="grid content-start gap-1">
        <h2 className="font-semibold text-lg">{t(`${id}.title`)}</h2>
        <p className="text-muted text-sm">{t(`${id}.text`)}</p>
      </div>
      <div className="grid content-start gap-4 md:col-span-2">
        {/* Anew with each answer: what was done twice is said twice. */}
        {done && <Outcome key={crypto.randomUUID()}>{t(done === "letter" && lettersStayHere() ? "notices.letter-kept" : `notices.${done}`)}</Outcome>}
        <Card>{children}</Card>
      </div>
    </section>
  );
}
