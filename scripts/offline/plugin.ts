import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** The worker's own file, which is asked for anew every time. */
const FILE = 'offline.js';

/** Kept once they were used: each is large, and few people need all. */
const LATER = /^models\//;

/** What a folder of a built site says of itself to its worker: a version of all bytes, every file, those that are kept at once. */
export function buildOf(folder: string): {
  readonly version: string;
  readonly files: readonly string[];
  readonly first: readonly string[];
} {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => path !== FILE && !path.startsWith('.'))
    .toSorted();
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path).update(readFileSync(join(folder, path)));
  const files = paths.map((path) => (path === 'index.html' ? '' : path));
  return { version: hash.digest('hex').slice(0, 16), files, first: files.filter((path) => !LATER.test(path)) };
}

/** Writes the service worker of the built site. There is none in development. */
export const offline: Plugin = {
  name: 'offline',
  apply: 'build',
  writeBundle: {
    order: 'post',
    sequential: true,
    handler({ dir }) {
      if (dir === undefined) throw new Error('offline: found no folder, expected that of the built site');
      const worker = readFileSync(join(import.meta.dirname, 'worker.mjs'), 'utf8');
      writeFileSync(join(dir, FILE), `globalThis.build = ${JSON.stringify(buildOf(dir))};\n${worker}`);
    },
  },
};
