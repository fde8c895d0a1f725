/** How a page can look whatever the system says. */
export const THEMES = ["light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** The cookies in which a browser keeps what somebody chose in it. No `__Host-` names: they say nothing secret, and a bare http start keeps them, too. */
export const CHOICE_COOKIES = { theme: "heard-theme", locale: "heard-locale", shortcuts: "heard-shortcuts" } as const;
