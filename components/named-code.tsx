import { useTranslations } from "next-intl";
import { CodeBlock } from "./ui/code-block.tsx";

type NamedCodeProps = {
  code: string;
  /** What it is, as the button says that copies it. */
  name: string;
};

/** Code to be taken along. */
export function NamedCode({ code, name }: NamedCodeProps) {
  const t = useTranslations("apiDocs");
  return <CodeBlock code={code} copy={{ label: t("copyNamed", { name }), done: t("copied") }} />;
}
