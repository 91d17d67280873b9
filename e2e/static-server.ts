// A static file server for tests of the built site.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, relative, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

export interface StaticServer {
  /** address of the site, including the path below which it is served, ending in a slash */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves files of `folder` below `path` with their content type and no other header, like the simplest host. `extra`: contents
 * of files by name, which replace files of the folder; null for a file that is missing.
 */
export async function serveStatic(
  folder: string,
  path: string,
  extra: Readonly<Record<string, string | null>> = {},
): Promise<StaticServer> {
  const server = createServer((request, response) => {
    void (async () => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const name = pathname.startsWith(path) ? normalize(decodeURIComponent(pathname.slice(path.length))) : '..';
      if (name.split(sep).includes('..')) {
        response.writeHead(404).end();
        return;
      }
      const file = join(folder, name === '' || name === '.' || name.endsWith('/') ? join(name, 'index.html') : name);
      try {
        const replacement = extra[relative(folder, file)];
        if (replacement === null) throw new Error('not there');
        const body = replacement ?? (await readFile(file));
        response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(body);
      } catch {
        response.writeHead(404).end();
      }
    })();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`found ${address}, expected a port`);
  return {
    url: `http://127.0.0.1:${address.port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
