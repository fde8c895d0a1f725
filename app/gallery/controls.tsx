import { ChevronDown, Download, Pencil } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { ButtonLink, FileLink, Link } from "#components/ui/link";
import { MENU_ITEM, Menu } from "#components/ui/menu";
import { Pagination } from "#components/ui/pagination";
import { SectionNav } from "#components/ui/section-nav";
import { Segments } from "#components/ui/segments";
import { SubmitButtonFace } from "#components/ui/submit-button";
import { Toast } from "#components/ui/toast";
import { DialogButton, OnDemand } from "./alive.tsx";
import { Group, Row } from "./group.tsx";

const KINDS = ["primary", "secondary", "quiet", "outlined-danger", "danger"] as const;

/** Everything that is pressed or followed. */
export function ControlGroups() {
  return (
    <>
      <Group id="actions">{() => <Actions />}</Group>
      <Group id="overlays">{() => <Overlays />}</Group>
      <Group id="navigation">{() => <Navigation />}</Group>
    </>
  );
}

function Actions() {
  const t = useTranslations("gallery");
  return (
    <>
      <Row>
        {KINDS.map((kind) => (
          <Button key={kind} kind={kind}>
            {t("action")}
          </Button>
        ))}
      </Row>
      <Row>
        {KINDS.map((kind) => (
          <SubmitButtonFace key={kind} kind={kind} pending>
            {t("pending")}
          </SubmitButtonFace>
        ))}
      </Row>
      <Row>
        {KINDS.map((kind) => (
          <ButtonLink key={kind} kind={kind} href="/gallery">
            <Pencil aria-hidden="true" className="size-4" />
            {t("link")}
          </ButtonLink>
        ))}
      </Row>
      <Row>
        {KINDS.map((kind) => (
          <FileLink key={kind} kind={kind} href="/feed.atom">
            <Download aria-hidden="true" className="size-4" />
            {t("file")}
          </FileLink>
        ))}
      </Row>
      <p>
        <Link href="/gallery">{t("link")}</Link>
      </p>
    </>
  );
}

function Overlays() {
  const t = useTranslations("gallery");
  return (
    <Row>
      <DialogButton words={{ open: t("open"), title: t("heading"), close: t("close") }}>
        <p>{t("text")}</p>
        <Row>
          <Button>{t("action")}</Button>
        </Row>
      </DialogButton>
      <Menu
        triggerClassName="min-h-10 gap-2 border border-line-strong/60 px-4 font-semibold text-sm hover:bg-sunken pointer-coarse:min-h-11"
        trigger={
          <>
            {t("option", { number: 1 })}
            <ChevronDown aria-hidden="true" className="size-4" />
          </>
        }
      >
        <Link href="/gallery" className={MENU_ITEM}>
          {t("link")}
        </Link>
        <button type="button" className={MENU_ITEM}>
          <Pencil aria-hidden="true" className="size-4" />
          {t("action")}
        </button>
      </Menu>
      <OnDemand show={t("show")}>
        <Toast>{t("text")}</Toast>
      </OnDemand>
    </Row>
  );
}

function Navigation() {
  const t = useTranslations("gallery");
  const options = [1, 2, 3].map((number) => ({ href: `/gallery?option=${number}`, text: t("option", { number }) }));
  const [first, second, third] = options as [(typeof options)[0], (typeof options)[0], (typeof options)[0]];
  return (
    <>
      <SectionNav label={t("groups.navigation")} sections={options} current={second.href} />
      <Segments label={t("groups.navigation")} segments={options.map((option) => ({ ...option, isCurrent: option === first, count: "12" }))} />
      <Pagination
        label={t("groups.navigation")}
        previous={{ href: first.href, text: t("previous") }}
        next={{ href: third.href, text: t("next") }}
        position={t("position")}
      />
      <Pagination label={t("groups.navigation")} next={{ href: second.href, text: t("next") }} />
    </>
  );
}
