import { useTranslations } from "next-intl";
import { Link } from "./ui/link.tsx";
import { SubmitButton } from "./ui/submit-button.tsx";

type SiteHeaderProps = {
  siteTitle: string;
  /** Before set-up there is nowhere to go. */
  isSetUp: boolean;
  user: { name: string } | null;
  canManage: boolean;
  allowSignup: boolean;
  signOut: () => Promise<void>;
};

const ITEM = "inline-flex min-h-11 items-center rounded-md px-3 hover:bg-sunken";

/** The top of every page: the site's title, and where one can go. */
export function SiteHeader({ siteTitle, isSetUp, user, canManage, allowSignup, signOut }: SiteHeaderProps) {
  const t = useTranslations("site");
  return (
    <header className="border-line border-b bg-surface">
      <div className="mx-auto flex max-w-5xl flex-wrap items-center justify-between gap-x-4 px-4 py-2 sm:px-6">
        <Link href="/" className="-ms-2 flex min-h-11 min-w-0 items-center rounded-md px-2 font-semibold text-lg">
          <bdi className="min-w-0">{siteTitle}</bdi>
        </Link>
        {isSetUp && (
          <nav aria-label={t("navigation")} className="-me-3 flex min-w-0 flex-wrap items-center max-sm:-ms-3">
            <Link href="/" className={ITEM}>
              {t("boards")}
            </Link>
            {canManage && (
              <Link href="/dashboard" className={ITEM}>
                {t("dashboard")}
              </Link>
            )}
            {user ? <SignedIn name={user.name} signOut={signOut} /> : <SignedOut allowSignup={allowSignup} />}
          </nav>
        )}
      </div>
    </header>
  );
}

function SignedIn({ name, signOut }: { name: string; signOut: () => Promise<void> }) {
  const t = useTranslations("site");
  return (
    <>
      <span className="hidden max-w-40 truncate px-3 text-muted sm:inline">
        <span className="sr-only">{t("signedInAs")} </span>
        <bdi>{name}</bdi>
      </span>
      <form action={signOut}>
        <SubmitButton kind="quiet">{t("signOut")}</SubmitButton>
      </form>
    </>
  );
}

function SignedOut({ allowSignup }: { allowSignup: boolean }) {
  const t = useTranslations("site");
  return (
    <>
      <Link href="/login" className={ITEM}>
        {t("signIn")}
      </Link>
      {allowSignup && (
        <Link href="/signup" className={ITEM}>
          {t("signUp")}
        </Link>
      )}
    </>
  );
}
