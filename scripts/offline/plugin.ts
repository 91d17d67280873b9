// Vite plugin that adds the service worker to the built site.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** The file of the service worker, which browsers never serve from its own cache. It is not part of the site's version. */
const FILE = 'offline.js';

/** Files that are cached when they are first used: each is large, and few users need all of them. */
const STORED_LATER = /^models\//;

/**
 * The description of a built site for its service worker: `version`, a hash of all bytes; `files`, every file; `first`, the
 * files that are stored at once.
 */
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
  return { version: hash.digest('hex').slice(0, 16), files, first: files.filter((path) => !STORED_LATER.test(path)) };
}

/** A plugin that writes the service worker of the built site, by which the page works without a network. */
export const offline: Plugin = {
  name: 'offline',
  apply: 'build',
  writeBundle: {
    order: 'post',
    sequential: true,
    handler({ dir }) {
      if (dir === undefined) throw new Error('offline: found no folder, expected the folder of the built site');
      const worker = readFileSync(join(import.meta.dirname, 'worker.mjs'), 'utf8');
      writeFileSync(join(dir, FILE), `globalThis.build = ${JSON.stringify(buildOf(dir))};\n${worker}`);
    },
  },
};
