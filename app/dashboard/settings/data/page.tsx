import { useTranslations } from "next-intl";
import { NamedCode } from "#components/named-code";
import { Code } from "#components/ui/code";
import { FactList } from "#components/ui/fact-list";
import { describeStorage, type RowCount, type Storage } from "#server/settings/storage";
import { page, titledForTeam } from "../../../pages.tsx";
import { requirePermission } from "../../../visit.ts";
import { Panel, SettingsPage } from "../settings-page.tsx";

const MEGABYTE = 1_000_000;
const BACKUP = "npm run backup";
/** As docs/operations.md has it. */
const BACKUP_IN_CONTAINER = "docker compose exec heard node scripts/backup.ts";
const MOVE = "npm run move-to-postgres -- postgresql://heard:password@localhost:5432/heard";
const COUNTED = ["boards", "posts", "people", "mails", "pictures"] as const;

export const generateMetadata = titledForTeam("settings.pageTitles", "data");

/** Where everything is stored, how much it is, and how to keep a copy. */
export default page(async () => {
  const storage = await describeStorage(await requirePermission("settings:update", "/dashboard/settings/data"));
  return (
    <SettingsPage section="data">
      <StoragePanel storage={storage} />
      <BackupPanel />
      {storage.kind === "embedded" && <MovePanel />}
    </SettingsPage>
  );
});

function StoragePanel({ storage: { kind, version, bytes, place, counts } }: { storage: Storage }) {
  const t = useTranslations("settings.data");
  const count = ({ rows, isExact }: RowCount) => (isExact ? t("exactly", { count: rows }) : t("about", { count: rows }));
  return (
    <Panel title={t("facts.kind")} intro={t("intro")}>
      <FactList
        facts={[
          { name: t("facts.kind"), value: t(`kind.${kind}`) },
          { name: t("facts.version"), value: version },
          { name: t("facts.size"), value: t("size", { megabytes: Math.max(0.1, Math.round((bytes / MEGABYTE) * 10) / 10) }) },
          { name: t("facts.place"), value: <bdi className="font-mono text-sm">{place}</bdi> },
        ]}
      />
      <h3 className="font-semibold">{t("contents")}</h3>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-5">
        {COUNTED.map((name) => (
          <div key={name} className="flex flex-col-reverse rounded-md bg-sunken px-3 py-2">
            <dt className="text-muted text-xs">{t(`counts.${name}`)}</dt>
            <dd className="font-semibold text-lg tabular-nums">{count(counts[name])}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function BackupPanel() {
  const t = useTranslations("settings.data.backup");
  return (
    <Panel title={t("title")} intro={t("text")}>
      <NamedCode code={BACKUP} name={t("title")} />
      <div className="grid gap-1.5">
        <p className="text-sm">{t("container")}</p>
        <NamedCode code={BACKUP_IN_CONTAINER} name={t("containerCommand")} />
      </div>
      <p className="max-w-2xl text-muted text-sm">{t.rich("restore", { code: (text) => <Code>{text}</Code> })}</p>
      <p className="max-w-2xl text-muted text-sm">{t("secret")}</p>
    </Panel>
  );
}

function MovePanel() {
  const t = useTranslations("settings.data.move");
  return (
    <Panel title={t("title")} intro={t("text")}>
      <NamedCode code={MOVE} name={t("title")} />
    </Panel>
  );
}
