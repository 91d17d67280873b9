import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * What the labs add to a build: the lists that each scripts/LAB/lab-NAME.mjs exports as `name`, in one.
 *
 * @param {'plugins'} name
 * @returns {Promise<readonly any[]>}
 */
export async function labExtras(name) {
  const files = readdirSync(import.meta.dirname).map((lab) => join(import.meta.dirname, lab, `lab-${name}.mjs`));
  const found = files.filter((file) => existsSync(file));
  const modules = await Promise.all(found.map((file) => import(pathToFileURL(file).href)));
  return modules.flatMap((module) => module[name]);
}
