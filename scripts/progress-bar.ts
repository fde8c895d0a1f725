const WIDTH = 30;

/** A bar on the terminal, or a line at every tenth elsewhere; on standard error, so that results can be piped. */
export function showProgress() {
  const { stderr } = process;
  let shown = -1;

  return {
    update(done: number, total: number): void {
      const share = total === 0 ? 1 : done / total;
      const step = Math.floor(share * (stderr.isTTY ? 100 : 10));
      if (step === shown) return;
      shown = step;
      const filled = Math.round(share * WIDTH);
      const bar = `${"█".repeat(filled)}${"░".repeat(WIDTH - filled)}`;
      stderr.write(stderr.isTTY ? `\r${bar} ${Math.floor(share * 100)} %` : `${done} of ${total}\n`);
    },
    end(): void {
      if (shown >= 0 && stderr.isTTY) stderr.write("\n");
    },
  };
}
