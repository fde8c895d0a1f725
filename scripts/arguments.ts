import { type ParseArgsConfig, parseArgs } from "node:util";

/** A command's arguments. One that it does not know ends the process with a sentence and exit code 1. */
export function readArguments<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    if (!isWrongArgument(error)) throw error;
    process.stderr.write(`${error.message}\n`);
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

/** Node's codes for what somebody typed: an unknown option, a missing or needless value, a stray word. */
function isWrongArgument(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS_");
}
