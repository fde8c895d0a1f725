import bcrypt from "bcryptjs";

/** Work for a hashing thread: make a hash of a key, or say whether a key belongs to a hash. */
export type HashingTask = { key: string; cost: number } | { key: string; hash: string };

/** Runs in a worker thread, for bcrypt in JavaScript holds its thread for about 0.3 s. */
export default function runHashingTask(task: HashingTask): string | boolean {
  return "hash" in task ? bcrypt.compareSync(task.key, task.hash) : bcrypt.hashSync(task.key, task.cost);
}
