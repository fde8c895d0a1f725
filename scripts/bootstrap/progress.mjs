import process from "node:process";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_EVERY_MS = 100;
const REMINDER_EVERY_MS = 30_000;

/**
 * Shows on standard error that a slow step goes on: a spinner with the seconds on a terminal, plain lines elsewhere.
 * @template Result
 * @param {string} label what is being done, such as "Building"
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function withProgress(label, work) {
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const stop = process.stderr.isTTY ? spin(label, seconds) : remind(label, seconds);
  try {
    const result = await work();
    stop();
    process.stderr.write(`✓ ${label} (${seconds()})\n`);
    return result;
  } catch (error) {
    stop();
    process.stderr.write(`✗ ${label} (${seconds()})\n`);
    throw error;
  }
}

/**
 * @param {string} label
 * @param {() => string} seconds
 */
function spin(label, seconds) {
  let frame = 0;
  const draw = () => process.stderr.write(`\r\x1b[2K${FRAMES[frame++ % FRAMES.length]} ${label} ${seconds()}`);
  draw();
  const timer = setInterval(draw, FRAME_EVERY_MS);
  return () => {
    clearInterval(timer);
    process.stderr.write("\r\x1b[2K");
  };
}

/**
 * @param {string} label
 * @param {() => string} seconds
 */
function remind(label, seconds) {
  process.stderr.write(`… ${label}\n`);
  const timer = setInterval(() => process.stderr.write(`… ${label}, ${seconds()} so far\n`), REMINDER_EVERY_MS);
  return () => clearInterval(timer);
}
