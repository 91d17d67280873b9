import { createReadStream, cpSync, existsSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Plugin } from 'vite';
import { labNames } from './labs.mjs';

/** Content types by the extension of a lab's file. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.json': 'application/json',
  '.safetensors': 'application/octet-stream',
};

/**
 * Vite plugin: serves the files of labs/X/public in development, and copies them into the site in a build, as Vite does
 * with public/. Throws if a file would replace another.
 */
export function labFilesServed(): Plugin {
  let root = '';
  let outDir = '';
  const folders = (): readonly string[] =>
    labNames(root)
      .map((name) => join(root, 'labs', name, 'public'))
      .filter((folder) => existsSync(folder));
  return {
    name: 'lab-files',
    configResolved(config) {
      root = config.root;
      outDir = join(config.root, config.build.outDir);
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const path = decodeURI((request.url ?? '').replace(/[?#].*/s, ''));
        const file = path.includes('..')
          ? undefined
          : folders()
              .map((folder) => join(folder, path))
              .find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile());
        if (file === undefined) return next();
        response.setHeader('content-type', CONTENT_TYPES[extname(file)] ?? 'text/plain');
        createReadStream(file).pipe(response);
      });
    },
    writeBundle: {
      sequential: true,
      handler() {
        for (const folder of folders()) cpSync(folder, outDir, { recursive: true, force: false, errorOnExist: true });
      },
    },
  };
}
