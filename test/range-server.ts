// A web server for tests of readers: it supports HTTP ranges and counts what it sends.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { VirtualFile } from './virtual-file.ts';

/** A file of the server; its properties may be changed while it runs. */
export interface ServedFile {
  file: VirtualFile;
  /** null: none is sent */
  etag: string | null;
  /** requests of this file are answered once this many requests of any file have arrived; default: at once */
  afterRequests?: number;
}

/** A server on this machine that supports ranges and cross-origin requests, and counts what it sends. */
export interface RangeServer {
  /** without a slash at its end */
  readonly origin: string;
  readonly files: Map<string, ServedFile>;
  /** GET requests in order of arrival */
  readonly requests: { readonly path: string; readonly from: number; readonly to: number }[];
  /** bytes of all bodies so far */
  sent(): number;
  /** the most concurrent requests */
  maxAtOnce(): number;
  close(): Promise<void>;
}

/** Bytes of each write, so that a client can end a download early. */
const PIECE = 2 ** 18;

export async function serveRanges(): Promise<RangeServer> {
  const files = new Map<string, ServedFile>();
  const requests: { path: string; from: number; to: number }[] = [];
  const waiting: (() => void)[] = [];
  let sent = 0;
  let running = 0;
  let max = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    const served = files.get(path);
    const open = {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Headers': 'range, authorization',
      'Access-Control-Expose-Headers': 'ETag, Content-Range',
    };
    if (request.method === 'OPTIONS' || !served) {
      response.writeHead(served ? 204 : 404, open).end();
      return;
    }
    const { size } = served.file;
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    const from = range ? Number(range[1]) : 0;
    const to = range ? Math.min(size, Number(range[2]) + 1) : size;
    requests.push({ path, from, to });
    for (const go of waiting.splice(0)) go();
    while (requests.length < (served.afterRequests ?? 0)) await new Promise<void>((resolve) => waiting.push(resolve));
    response.writeHead(range ? 206 : 200, {
      ...open,
      'Content-Length': to - from,
      ...(range ? { 'Content-Range': `bytes ${from}-${to - 1}/${size}` } : {}),
      ...(served.etag === null ? {} : { ETag: served.etag }),
    });
    for (let offset = from; offset < to && !response.destroyed; offset += PIECE) {
      const piece = served.file.bytes(offset, Math.min(to, offset + PIECE));
      sent += piece.length;
      await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    }
    response.end();
  };

  const server = createServer((request, response) => {
    max = Math.max(max, ++running);
    void answer(request, response).finally(() => running--);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error(`found ${address}, expected a port`);
  return {
    origin: `http://127.0.0.1:${address.port}`,
    files,
    requests,
    sent: () => sent,
    maxAtOnce: () => max,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
