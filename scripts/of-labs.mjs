import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * What labs add to a program: everything in the list `name` of each scripts/X/lab-NAME.mjs.
 *
 * @param {'plugins'} name
 * @returns {Promise<readonly any[]>}
 */
export async function ofLabs(name) {
  const files = readdirSync(import.meta.dirname).map((lab) => join(import.meta.dirname, lab, `lab-${name}.mjs`));
  const found = files.filter((file) => existsSync(file));
  const modules = await Promise.all(found.map((file) => import(pathToFileURL(file).href)));
  return modules.flatMap((module) => module[name]);
}
