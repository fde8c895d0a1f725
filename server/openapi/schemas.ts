/** As much of JSON Schema as the document uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
};

export type Schemas = Record<string, Schema>;

/** A property of a body, as the reference lists it. */
export type Field = { name: string; type: string; isRequired: boolean; description: string };

const ID = "01977f6e-8a4b-7c3d-9e2f-5a6b7c8d9e0f";
/** What stands for a property of this name in examples; names that mean different things are told apart by `Schema.name` first. */
const EXAMPLES: Record<string, unknown> = {
  "User.name": "Ada",
  "OwnUser.name": "Ada",
  "Board.name": "Feature requests",
  "ListedBoard.name": "Feature requests",
  "ListedBoard.post_count": "43",
  accentColor: "0f6b7c",
  after: "MTc2OTg0",
  authToken: "q9Jm2Zx41…",
  avatar: `https://feedback.example.com/avatars/${ID}`,
  color: "2563eb",
  created: "desc",
  createdAt: "2026-01-31T09:30:00.000Z",
  description: "What should we build next?",
  device: "Firefox 140 on Linux",
  current: "a few words of your own",
  email: "ada@example.org",
  lastSeenAt: "2026-02-01T17:45:00.000Z",
  isPrivate: false,
  limit: "20",
  logo: null,
  message: "There is no such board. It may have been deleted or moved.",
  code: "BOARD_NOT_FOUND",
  name: "Feature requests",
  new: "a few other words of your own",
  page: "2",
  password: "a few words of your own",
  post_count: "0",
  siteTitle: "Nimbus feedback",
  timeZone: "Europe/Berlin",
  title: "Nimbus feedback",
  token: "q9Jm2Zx41…",
  url: "feature-requests",
  username: "amber-otter-42",
};

/** What `schema` refers to, with the name that it has there. */
export function resolve(schema: Schema, schemas: Schemas): { schema: Schema; id: string } {
  const id = schema.$ref?.split("/").at(-1) ?? "";
  return { schema: id ? (schemas[id] ?? {}) : schema, id };
}

/** A value that `schema` allows and that looks like one of ours. */
export function exampleOf(given: Schema, schemas: Schemas, name = ""): unknown {
  const { schema, id } = resolve(given, schemas);
  if (schema.properties) {
    const entries = Object.entries(schema.properties);
    return Object.fromEntries(entries.map(([key, value]) => [key, EXAMPLES[`${id}.${key}`] ?? exampleOf(value, schemas, key)]));
  }
  if (schema.const !== undefined) return schema.const;
  if (name in EXAMPLES) return EXAMPLES[name];
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice) return exampleOf(choice, schemas, name);
  if (schema.items) return [exampleOf(schema.items, schemas, name)];
  return schema.enum?.[0] ?? schema.default ?? plainExample(schema);
}

/** A body to send: what it must have, or some of what it may. */
export function exampleBody(schema: Schema, schemas: Schemas, names: Record<string, string> = {}): Record<string, unknown> {
  const all = { ...(exampleOf(schema, schemas) as Record<string, unknown>), ...names };
  const keys = Object.keys(schema.properties ?? {});
  const shown = schema.required?.length ? schema.required : keys.slice(0, 2);
  return Object.fromEntries(keys.filter((key) => shown.includes(key)).map((key) => [key, all[key]]));
}

/** The properties of a body, the necessary ones first. */
export function fieldsOf(given: Schema, schemas: Schemas): Field[] {
  const { schema } = resolve(given, schemas);
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    type: typeOf(property, schemas),
    isRequired: schema.required?.includes(name) ?? false,
    description: [property.description, boundsOf(property)].filter(Boolean).join(" "),
  }));
  return fields.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

/** The type of a value, such as `string | null`. */
export function typeOf(given: Schema, schemas: Schemas): string {
  const { schema } = resolve(given, schemas);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map((choice) => typeOf(choice, schemas)))].join(" | ");
  if (schema.items) return `${typeOf(schema.items, schemas)}[]`;
  return [schema.type ?? typeof (schema.const ?? schema.enum?.[0])].flat().join(" | ");
}

/** What else there is to know, as words of the document. */
function boundsOf({ minLength, maxLength, enum: choices, default: standard }: Schema): string {
  const bounds = [
    maxLength !== undefined && `${minLength ? `${minLength} to ` : "At most "}${maxLength} characters.`,
    choices && `One of ${choices.join(", ")}.`,
    standard !== undefined && `Default: ${JSON.stringify(standard)}.`,
  ];
  return bounds.filter(Boolean).join(" ");
}

function plainExample({ type, format, minLength = 1 }: Schema): unknown {
  const [kind] = [type].flat();
  if (kind === "boolean") return true;
  if (kind === "integer" || kind === "number") return 1;
  if (kind === "null") return null;
  if (format === "uuid") return ID;
  return format === "date-time" ? "2026-01-31T09:30:00.000Z" : "…".repeat(minLength);
}
