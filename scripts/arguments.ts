import { type ParseArgsConfig, parseArgs } from "node:util";

/** A command's arguments. One that it does not know ends the process with a sentence, which says what there is, and exit code 1. */
export function readArguments<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!code.startsWith("ERR_PARSE_ARGS_")) throw error;
    process.stderr.write(`${whatIsWrong(code, config)}: ${whatThereIs(config)}.\n`);
    return process.exit(1);
  }
}

/** The one word that a command may be given. More than one, or an option, ends the process with a sentence and exit code 1. */
export function readWord(): string | undefined {
  const [word, ...more] = readArguments({ allowPositionals: true }).positionals;
  if (more.length === 0) return word;
  // Not what they are: one may hold a password.
  process.stderr.write("Give one word only, and put it in quotes if there is a space in it.\n");
  return process.exit(1);
}

/** Node's own words advise on its parser rather than on the command. What was typed as a value is not repeated: it may be a password. */
function whatIsWrong(code: string, { options = {} }: ParseArgsConfig): string {
  if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL") return "There is a word too many";
  const { tokens } = parseArgs({ options, strict: false, tokens: true });
  const unknown = tokens.find((token) => token.kind === "option" && !Object.hasOwn(options, token.name));
  if (unknown?.kind === "option") return `There is no option ${unknown.rawName}`;
  return "An option lacks its value, or has one that it does not take";
}

function whatThereIs({ options = {} }: ParseArgsConfig): string {
  const known = Object.entries(options).map(([name, { type }]) => (type === "string" ? `--${name} VALUE` : `--${name}`));
  return `this command has ${known.length === 0 ? "no options" : known.join(", ")}`;
}
