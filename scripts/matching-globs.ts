// Vite plugin that rejects `import.meta.glob` patterns that match no file.

import { readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';
import { LAB_PARTS } from './labs.mjs';
import { ROOT } from './packages.mjs';

/** A call with its patterns: a string, or a list of strings. */
const CALL = /(?<!['"`])\bimport\.meta\.glob\b[^'"`;]*?\(\s*(\[[^\]]*\]|'\.[^']*')/g;

/** Whether any file matches the segments of a pattern below a folder; `*` is any part of a name. */
function matches(folder: string, [segment, ...rest]: readonly string[]): boolean {
  const name = new RegExp(`^${segment.replace(/[.+?^$()|[\]\\{}]/g, '\\$&').replaceAll('*', '[^/]*')}$`);
  const entries = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
  return entries.some((entry) => name.test(entry) && (rest.length === 0 || matches(join(folder, entry), rest)));
}

/**
 * Returns a sentence for each pattern of `import.meta.glob` in a source file that matches no file; Vite itself would give an
 * empty list. Patterns for optional files of labs are allowed to match nothing.
 */
export function emptyGlobs(file: string, code: string, root: string = ROOT): readonly string[] {
  return [...code.matchAll(CALL)].flatMap(([, list]) =>
    [...list.matchAll(/'([^']+)'/g)].flatMap(([, pattern]) => {
      const path = relative(root, resolve(dirname(file), pattern)).replaceAll(sep, '/');
      const labPart = path.startsWith('labs/*/') ? path.slice('labs/*/'.length) : null;
      if ((labPart !== null && LAB_PARTS.includes(labPart)) || matches(root, path.split('/'))) return [];
      return [`${relative(root, file)}: import.meta.glob('${pattern}') finds no file, expected at least one`];
    }),
  );
}

/** Fails a build or a test if a pattern matches no file, for example after a folder has moved. */
export const matchingGlobs: Plugin = {
  name: 'matching-globs',
  enforce: 'pre',
  transform(code, id) {
    if (!code.includes('import.meta.glob')) return;
    const [wrong] = emptyGlobs(id.replace(/\?.*/, ''), code);
    if (wrong !== undefined) this.error(wrong);
  },
};
