import { ChevronDown, LayoutDashboard, LogOut, Search, UserRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { Avatar } from "./avatar.tsx";
import { CurrentLink } from "./current-link.tsx";
import { EmailAddress } from "./email-address.tsx";
import { SiteMark } from "./site-mark.tsx";
import { ButtonLink, Link } from "./ui/link.tsx";
import { MENU_ITEM, Menu } from "./ui/menu.tsx";

type SiteHeaderProps = {
  /** Empty where it is not known. */
  siteTitle: string;
  logo: string | null;
  /** Before set-up there is nowhere to go. */
  isSetUp: boolean;
  user: { userId: string; name: string; email: string; avatarId: string | null } | null;
  canManage: boolean;
  allowSignup: boolean;
  signOut: () => Promise<void>;
};

const ITEM =
  "inline-flex min-h-10 items-center justify-center rounded-md px-3 font-medium text-sm hover:bg-sunken aria-[current]:bg-accent-wash aria-[current]:text-accent-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11";

/** The top of every page: the site's title, and where one can go. */
export function SiteHeader({ siteTitle, logo, isSetUp, user, canManage, allowSignup, signOut }: SiteHeaderProps) {
  const t = useTranslations("site");
  return (
    <header className="border-line border-b bg-surface">
      <div className="mx-auto flex min-h-16 max-w-6xl items-center gap-x-2 px-4 py-2 sm:gap-x-4 sm:px-6">
        <Link href="/" className="-ms-2 flex min-h-11 min-w-0 items-center gap-2 rounded-md px-2 font-semibold tracking-tight sm:gap-2.5 sm:text-lg">
          <SiteMark logo={logo} />
          {siteTitle ? (
            <span dir="auto" className="line-clamp-2 min-w-0 leading-tight">
              {siteTitle}
            </span>
          ) : (
            <span className="sr-only">{t("boards")}</span>
          )}
        </Link>
        {isSetUp && (
          <nav aria-label={t("navigation")} className="ms-auto flex shrink-0 items-center gap-1">
            <CurrentLink href="/" covers="/boards" className={`${ITEM} max-sm:hidden`}>
              {t("boards")}
            </CurrentLink>
            <CurrentLink href="/search" covers="/search" className={ITEM}>
              <Search aria-hidden="true" className="size-4.5" />
              <span className="sr-only">{t("search")}</span>
            </CurrentLink>
            {user ? <SignedIn user={user} canManage={canManage} signOut={signOut} /> : <SignedOut allowSignup={allowSignup} />}
          </nav>
        )}
      </div>
    </header>
  );
}

function SignedIn({ user, canManage, signOut }: Pick<SiteHeaderProps, "canManage" | "signOut"> & { user: NonNullable<SiteHeaderProps["user"]> }) {
  const t = useTranslations("site");
  return (
    <>
      {canManage && (
        <CurrentLink href="/dashboard" covers="/dashboard" className={`${ITEM} max-sm:hidden`}>
          {t("dashboard")}
        </CurrentLink>
      )}
      <Menu label={t("accountMenu")} triggerClassName="-me-1.5 min-h-11 gap-1 px-1.5 hover:bg-sunken" trigger={<AccountTrigger user={user} />}>
        <p className="grid justify-items-start px-3 py-2 text-sm">
          <span className="sr-only">{t("signedInAs")} </span>
          <span className="font-semibold">
            <bdi>{user.name}</bdi>
          </span>
          <span className="text-muted text-xs">
            <EmailAddress address={user.email} />
          </span>
        </p>
        <hr className="my-1.5 border-line" />
        <Link href="/me" className={MENU_ITEM}>
          <UserRound aria-hidden="true" className="size-4 text-muted" />
          {t("ownAccount")}
        </Link>
        {canManage && (
          <Link href="/dashboard" className={MENU_ITEM}>
            <LayoutDashboard aria-hidden="true" className="size-4 text-muted" />
            {t("dashboard")}
          </Link>
        )}
        <form action={signOut}>
          <button type="submit" className={MENU_ITEM}>
            <LogOut aria-hidden="true" className="mirrored size-4 text-muted" />
            {t("signOut")}
          </button>
        </form>
      </Menu>
    </>
  );
}

function AccountTrigger({ user }: { user: NonNullable<SiteHeaderProps["user"]> }) {
  return (
    <>
      <Avatar person={user} />
      <ChevronDown aria-hidden="true" className="size-4 text-muted" />
    </>
  );
}

function SignedOut({ allowSignup }: { allowSignup: boolean }) {
  const t = useTranslations("site");
  return (
    <>
      {/* Where it is the last, its letters end where the page does. */}
      <Link href="/login" className={`${ITEM} ${allowSignup ? "max-sm:-me-3" : "-me-3"}`}>
        {t("signIn")}
      </Link>
      {allowSignup && (
        // On a phone there is no room for both; signing in offers it, too.
        <span className="max-sm:hidden">
          <ButtonLink href="/signup">{t("signUp")}</ButtonLink>
        </span>
      )}
    </>
  );
}
