import { Laptop, Smartphone, Tablet, Terminal } from "lucide-react";
import { useTranslations } from "next-intl";
import type { Device } from "#lib/devices";

const ICONS = { computer: Laptop, phone: Smartphone, tablet: Tablet, program: Terminal };

/** A picture of what kind of thing somebody signed in with. */
export function DeviceIcon({ kind }: Pick<Device, "kind">) {
  const Icon = ICONS[kind];
  return <Icon aria-hidden="true" className="size-5 text-muted" />;
}

/** What somebody signed in with, such as "Firefox on Linux". */
export function useDeviceName({ browser, system }: Device): string {
  const t = useTranslations("people.device");
  if (browser && system) return t("both", { browser, system });
  return browser ?? system ?? t("unknown");
}
