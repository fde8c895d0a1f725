/**
 * Ends the process, with a sentence, where words came with a command that takes none: ignored, they would leave whoever typed them to wonder.
 * @param {string} command
 */
export function withoutArguments(command) {
  if (process.argv.length <= 2) return;
  process.stderr.write(`${command} takes no options: its settings are variables, as in PORT=4000 ${command}. .env.example explains each.\n`);
  process.exit(1);
}
