import { spawnSync } from "node:child_process";
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freeBytes } from "#lib/embedded/room";

/** A disk of its own, which can be filled to the last byte. */
export type SmallDisk = {
  /** An empty folder on it. */
  folder: string;
  /** Takes all of its room, so many bytes at a time. */
  fill(stepBytes?: number): Promise<void>;
  /** Gives back what `fill` took. */
  makeRoom(): void;
  remove(): void;
};

/** Mounts such a disk, in memory, on which there may be so many files and folders; its folder is `uid`'s. Null where this user may not. */
export function mountSmallDisk(megabytes: number, { uid = process.getuid?.() ?? 0, files = 100_000 } = {}): SmallDisk | null {
  const mountPoint = mkdtempSync(join(tmpdir(), "heard-disk-"));
  const remove = () => {
    spawnSync("umount", ["--lazy", mountPoint]);
    rmSync(mountPoint, { recursive: true });
  };
  if (spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,nr_inodes=${files},mode=755`, "tmpfs", mountPoint]).status !== 0) {
    remove();
    return null;
  }
  const [folder, ballast] = [join(mountPoint, "data"), join(mountPoint, "ballast")];
  mkdirSync(folder);
  chownSync(folder, uid, -1);
  return {
    folder,
    async fill(stepBytes = Number.MAX_SAFE_INTEGER) {
      for (let free = freeBytes(mountPoint); free > 0; free = freeBytes(mountPoint)) {
        try {
          appendFileSync(ballast, Buffer.alloc(Math.min(free, stepBytes)));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        }
        await sleep(2);
      }
    },
    makeRoom: () => rmSync(ballast),
    remove,
  };
}
