// Computes the import graph of the sources, including imports of types.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { filesIn } from './labs.mjs';

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^'?]+)'/g;

/**
 * Maps every source of these folders, except tests and lists, to the sources that it imports. Paths are relative to
 * `root`, with slashes.
 *
 * @param {string} root
 * @param {readonly string[]} [folders]
 * @returns {Map<string, Set<string>>}
 */
export function importGraph(root, folders = ['src', 'labs', 'bench', 'fuzz']) {
  const files = filesIn(folders, /\.tsx?$/, root).filter(
    (path) => !/\.(?:test\.tsx?|d\.ts|uses\.ts)$|^labs\/[^/]+\/(?:test|e2e|scripts)\//.test(path),
  );
  const sources = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const targets = [...text.matchAll(IMPORT)].map(([, path]) => normalize(join(dirname(file), path)));
      return [file, new Set(targets.filter((target) => sources.has(target) && target !== file))];
    }),
  );
}
