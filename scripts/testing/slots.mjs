/**
 * @typedef {object} Task
 * @property {string} title
 * @property {number} seconds about how long it takes: only the order depends on it
 * @property {readonly string[]} [after] titles of the tasks that have to end first
 */

/**
 * For each task its own seconds and those of the longest chain of tasks that wait for it.
 *
 * @param {readonly Task[]} tasks
 * @returns {ReadonlyMap<Task, number>}
 */
export function chainSeconds(tasks) {
  /** @type {Map<Task, number>} */
  const known = new Map();
  /** @type {(task: Task) => number} */
  const secondsOf = (task) => {
    const found = known.get(task);
    if (found !== undefined) return found;
    const waiting = tasks.filter(({ after = [] }) => after.includes(task.title));
    // bounded: stages of a run
    const seconds = task.seconds + Math.max(0, ...waiting.map(secondsOf));
    known.set(task, seconds);
    return seconds;
  };
  for (const task of tasks) secondsOf(task);
  return known;
}

/**
 * Runs tasks, some at once. A slot that becomes free always takes the task that begins the longest chain, of those that
 * wait for nothing. A task runs even if one that it waited for has failed.
 *
 * @template {Task} T
 * @param {readonly T[]} tasks
 * @param {number} slots how many at once
 * @param {(task: T) => Promise<void>} run
 */
export async function runInSlots(tasks, slots, run) {
  const chains = chainSeconds(tasks);
  const waiting = new Set([...tasks].sort((a, b) => (chains.get(b) ?? 0) - (chains.get(a) ?? 0)));
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
      throw new Error(`Tasks that wait for none that could end: ${titles}`);
    }
    await Promise.race(running.values());
  }
}
