import { createReadStream, cpSync, existsSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Plugin } from 'vite';
import { labNames } from './labs.mjs';

/** Of the files that labs serve. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.json': 'application/json',
  '.safetensors': 'application/octet-stream',
};

/**
 * The files of labs/X/public are part of the site as those of public/ are: served in development, copied by a build. Throws
 * where a file would replace another.
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
              .find((each) => statSync(each, { throwIfNoEntry: false })?.isFile());
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
