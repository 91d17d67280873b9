// A scheduler for the tasks of `npm test`: runs up to N at once, each after the tasks that it depends on.

/**
 * @typedef {object} Task
 * @property {string} title
 * @property {readonly string[]} [after] titles of the tasks that have to end first
 */

/**
 * Runs tasks, some at once. A free slot takes the first task that waits for nothing. A task runs even if one that it
 * waited for has failed.
 *
 * @template {Task} T
 * @param {readonly T[]} tasks
 * @param {number} slots how many at once
 * @param {(task: T) => Promise<void>} run
 */
export async function runInSlots(tasks, slots, run) {
  const waiting = new Set(tasks);
  /** @type {Set<string>} */
  const ended = new Set();
  /** @type {Map<string, Promise<void>>} */
  const running = new Map();
  while (waiting.size > 0 || running.size > 0) {
    for (const task of waiting) {
      if (running.size >= slots) break;
      if (!(task.after ?? []).every((title) => ended.has(title))) continue;
      waiting.delete(task);
      const { title } = task;
      running.set(
        title,
        run(task).then(() => {
          running.delete(title);
          ended.add(title);
        }),
      );
    }
    if (running.size === 0) {
      const titles = [...waiting].map(({ title }) => title).join(', ');
      throw new Error(`Tasks that wait for each other, or for a task that does not exist: ${titles}`);
    }
    await Promise.race(running.values());
  }
}
