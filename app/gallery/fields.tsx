import { useTranslations } from "next-intl";
import { ChoiceCards } from "#components/ui/choice-cards";
import { ColorCode } from "#components/ui/color-code";
import { Checkbox, ColorField, Field, TextArea } from "#components/ui/field";
import { LiveResults, LiveSearch, LiveSearchArea } from "#components/ui/live-search";
import { PasswordField } from "#components/ui/password-field";
import { PictureField } from "#components/ui/picture-field";
import { RadioField } from "#components/ui/radio-field";
import { SearchBox } from "#components/ui/search-box";
import { SelectField } from "#components/ui/select-field";
import { Steps } from "#components/ui/steps";
import { SubmitButton } from "#components/ui/submit-button";
import { SwatchField } from "#components/ui/swatch-field";
import { COLORS } from "#lib/colors";
import { MAX_UPLOAD_BYTES } from "#server/images";
import { AfterTry, RefusingForm } from "./alive.tsx";
import { Group, type Look } from "./group.tsx";

/** Everything that something is typed into or chosen with. */
export function FieldGroups() {
  return (
    <>
      <Group id="fields">{(look) => <Fields look={look} />}</Group>
      <Group id="mistakes">{(look) => <Mistakes look={look} />}</Group>
      <Group id="choices">{(look) => <Choices look={look} />}</Group>
      <Group id="search">{(look) => <SearchAndSteps look={look} />}</Group>
      <Group id="form">{(look) => <Refused look={look} />}</Group>
    </>
  );
}

function Fields({ look }: { look: Look }) {
  const t = useTranslations("gallery");
  return (
    <>
      <Field name={`${look}Plain`} label={t("label")} />
      <Field name={`${look}Hinted`} label={t("label")} hint={t("hint")} defaultValue={t("text")} />
      <Field name={`${look}Prefixed`} label={t("label")} prefix="/boards/" isLiteral />
      <PasswordField name={`${look}Password`} label={t("label")} hint={t("hint")} autoComplete="new-password" showText={t("show")} />
      <TextArea name={`${look}Area`} label={t("label")} hint={t("hint")} />
      <SelectField name={`${look}Select`} label={t("label")} hint={t("hint")} defaultValue="1">
        <Options />
      </SelectField>
      <PictureField
        name={`${look}Picture`}
        label={t("label")}
        hint={t("hint")}
        maxBytes={MAX_UPLOAD_BYTES}
        tooLargeText={t("error")}
        words={{ choose: t("text"), none: t("hint") }}
      />
    </>
  );
}

function Options() {
  const t = useTranslations("gallery");
  return [1, 2, 3].map((number) => (
    <option key={number} value={number}>
      {t("option", { number })}
    </option>
  ));
}

/** The same once the server refused them. */
function Mistakes({ look }: { look: Look }) {
  const t = useTranslations("gallery");
  const names = ["plain", "prefixed", "password", "area", "select", "picture", "color", "swatch"].map((name) => `${look}-wrong-${name}`);
  const [plain, prefixed, password, area, select, picture, color, swatch] = names as [string, string, string, string, string, string, string, string];
  return (
    <AfterTry state={{ fieldErrors: Object.fromEntries(names.map((name) => [name, t("error")])) }}>
      <Field name={plain} label={t("label")} hint={t("hint")} defaultValue={t("text")} />
      <Field name={prefixed} label={t("label")} prefix="/boards/" isLiteral />
      <PasswordField name={password} label={t("label")} autoComplete="new-password" showText={t("show")} />
      <TextArea name={area} label={t("label")} />
      <SelectField name={select} label={t("label")} defaultValue="1">
        <Options />
      </SelectField>
      <PictureField
        name={picture}
        label={t("label")}
        hint={t("hint")}
        maxBytes={MAX_UPLOAD_BYTES}
        tooLargeText={t("error")}
        words={{ choose: t("text"), none: t("hint") }}
      />
      <ColorField name={color} label={t("label")} defaultValue={`#${COLORS[0]}`} />
      <Swatches name={swatch} />
    </AfterTry>
  );
}

function Swatches({ name }: { name: string }) {
  const t = useTranslations("gallery");
  const swatches = COLORS.map((value, index) => ({ value, name: t("option", { number: index + 1 }) }));
  return <SwatchField name={name} label={t("label")} hint={t("hint")} swatches={swatches} defaultValue={COLORS[1]} words={{ own: t("own"), pick: t("own") }} />;
}

function Choices({ look }: { look: Look }) {
  const t = useTranslations("gallery");
  const choices = ["1", "2", "3"].map((value) => ({ value, text: t("option", { number: Number(value) }) }));
  return (
    <>
      <RadioField name={`${look}Radio`} label={t("label")} choices={choices} defaultValue="2" />
      <Checkbox name={`${look}On`} label={t("label")} hint={t("hint")} defaultChecked />
      <Checkbox name={`${look}Off`} label={t("label")} />
      <ChoiceCards
        name={`${look}Cards`}
        label={t("label")}
        choices={choices.map(({ value, text }) => ({
          value,
          title: text,
          text: t("text"),
          more: value === "1" && <Field name={`${look}More`} label={t("label")} />,
        }))}
        defaultValue="1"
      />
      <Swatches name={`${look}Swatch`} />
      <ColorField name={`${look}Color`} label={t("label")} hint={t("hint")} defaultValue={`#${COLORS[2]}`}>
        <ColorCode of={`${look}Color`} label={t("own")} defaultValue={`#${COLORS[2]}`} />
      </ColorField>
    </>
  );
}

function SearchAndSteps({ look }: { look: Look }) {
  const t = useTranslations("gallery");
  const steps = [1, 2, 3].map((number) => ({
    id: `${look}-step-${number}`,
    title: t("option", { number }),
    content: <Field name={`${look}Step${number}`} label={t("label")} />,
  }));
  const words = { label: t("groups.search"), placeholder: t("hint"), submit: t("action") };
  return (
    <>
      <SearchBox action="/gallery" words={words} />
      <LiveSearchArea>
        <LiveSearch action="/gallery" q="" words={words} />
        <LiveResults className="grid gap-2">
          <p>{t("text")}</p>
        </LiveResults>
      </LiveSearchArea>
      <Steps steps={steps} words={{ progress: t("groups.search"), back: t("previous"), next: t("next") }} submit={<SubmitButton>{t("action")}</SubmitButton>} />
    </>
  );
}

function Refused({ look }: { look: Look }) {
  const t = useTranslations("gallery");
  const words = { label: t("label"), error: t("error"), wrong: t("wrong"), action: t("action") };
  return <RefusingForm names={[`${look}First`, `${look}Second`]} words={words} />;
}
