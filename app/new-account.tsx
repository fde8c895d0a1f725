import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { StandaloneLink } from "#components/ui/link";
import { Outcome } from "#components/ui/outcome";
import { findConfirmationState } from "#server/email-confirmation";
import type { LetterState } from "#server/mails/letter-state";
import { can } from "#server/permissions";
import { ConfirmingEmail } from "./confirming-email.tsx";
import { queryOf, type SearchParams } from "./urls.ts";
import { currentUser, currentViewer } from "./visit.ts";

/** What the address says where somebody who just signed up is led. */
export const SIGNED_UP = "signed-up";

/** Says on whichever page that is that the account is there, and how its owner comes by the link that confirms its address. Once that is confirmed, nothing. */
export async function newAccountNotice(searchParams: SearchParams | undefined): Promise<ReactNode> {
  const { notice } = searchParams ? await queryOf(searchParams) : {};
  if (notice !== SIGNED_UP) return null;
  const [viewer, user] = await Promise.all([currentViewer(), currentUser()]);
  if (!viewer || !user || user.isVerified) return null;
  return <NewAccount email={user.email} state={await findConfirmationState(viewer)} canReadOutbox={can(viewer, "mail:read")} />;
}

function NewAccount(letter: { email: string; state: LetterState | null; canReadOutbox: boolean }) {
  const t = useTranslations("signup");
  return (
    <div data-new-account>
      <Outcome>
        <p className="font-medium">{t("done")}</p>
        <p>
          <ConfirmingEmail {...letter} />
        </p>
        <p>
          <StandaloneLink href="/confirm-address">{t("howToConfirm")}</StandaloneLink>
        </p>
      </Outcome>
    </div>
  );
}
