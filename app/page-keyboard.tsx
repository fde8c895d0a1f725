import { useTranslations } from "next-intl";
import { Keyboard, type Shortcut } from "#components/keyboard";
import { signOut } from "./(auth)/actions.ts";
import { chooseShortcuts, chooseTheme } from "./actions.ts";

/** `userId` is of who is signed in. */
type PageKeyboardProps = { userId: string | null; canManage: boolean; isOn: boolean };

/** What the keyboard does for whoever looks at the page. */
export function PageKeyboard({ userId, canManage, isOn }: PageKeyboardProps) {
  const t = useTranslations("keyboard");
  const tSite = useTranslations("site");
  const pages = inGroup("pages", [
    { keys: "g h", text: t("goHome"), href: "/" },
    ...(userId ? [{ keys: "g m", text: t("goOwnAccount"), href: "/me" }] : []),
    ...(canManage ? TEAM_PAGES.map(({ part, ...page }) => ({ ...page, text: t(part) })) : []),
  ]);
  const actions = inGroup("actions", canManage ? [{ keys: "c", text: t("createBoard"), href: "/dashboard/boards/new" }] : []);
  const everywhere = inGroup("actions", [
    { keys: "/", text: tSite("search"), href: "/search" },
    { keys: "j", text: t("next") },
    { keys: "k", text: t("previous") },
    { keys: "o", text: t("open") },
    { keys: "Ctrl+Enter", text: t("send") },
    { keys: "?", text: t("help") },
  ]);
  const shortcuts = [...actions, ...everywhere, ...pages];
  const toCommand = ({ text, href, group, keys }: Shortcut) => ({ title: text, href, group, ...(isOn && { keys }) });
  const commands = [
    ...pages.map(toCommand),
    ...(canManage ? SETTINGS_PAGES.map(({ part, href }) => ({ title: t(part), href, group: "pages" as const })) : []),
    ...actions.map(toCommand),
    ...DEEDS.map((does) => ({ title: t(`deeds.${does}`), does, group: "actions" as const })),
    { title: tSite("signOut"), does: "signOut" as const, group: "actions" as const },
  ];
  const ctrl = { mac: "⌘", other: `${t("ctrl")}+` };
  const words = {
    title: t("title"),
    close: t("close"),
    palette: t("palette.title"),
    groups: { actions: t("palette.actions"), pages: t("palette.pages") },
    turnOff: t("turnOff"),
    turnOn: t("turnOn"),
    off: t("off"),
    onlyKeys: { mac: t("onlyKeys", { ctrl: ctrl.mac }), other: t("onlyKeys", { ctrl: ctrl.other }) },
    ctrl,
  };
  const palette = userId ? { userId, commands, words: { ...t.raw("palette"), placeholder: t(canManage ? "placeholders.team" : "placeholders.member") } } : null;
  const does = { chooseShortcuts, chooseTheme, signOut };
  return <Keyboard shortcuts={shortcuts} isOn={isOn} words={words} palette={palette} {...does} />;
}

function inGroup(group: Shortcut["group"], shortcuts: Omit<Shortcut, "group">[]): Shortcut[] {
  return shortcuts.map((shortcut) => ({ ...shortcut, group }));
}

const DEEDS = ["copyLink", "light", "dark", "system"] as const;

const TEAM_PAGES = [
  { keys: "g d", part: "goOverview", href: "/dashboard" },
  { keys: "g b", part: "goBoards", href: "/dashboard/boards" },
  { keys: "g p", part: "goPeople", href: "/dashboard/users" },
  { keys: "g s", part: "goSettings", href: "/dashboard/settings" },
  { keys: "g o", part: "goOutbox", href: "/dashboard/outbox" },
] as const;

const SETTINGS_PAGES = [
  { part: "goBranding", href: "/dashboard/settings/branding" },
  { part: "goAccess", href: "/dashboard/settings/access" },
  { part: "goMail", href: "/dashboard/settings/mail" },
  { part: "goData", href: "/dashboard/settings/data" },
  { part: "goAbout", href: "/dashboard/settings/about" },
] as const;
