import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { bundleScript } from '../../../../scripts/bundle-script.mjs';
import { userRuntime } from '../../plugins.mjs';
import { shaderModules } from '../../../../scripts/shader-modules.ts';
import { withoutStories } from '../../../../scripts/without-stories.ts';

// Modules that try to leave the sandbox of custom formats, and a server that records what reaches it.

/** The script of labs/workbench/e2e/own/client.ts, for a page. */
export function clientScript(): Promise<string> {
  return bundleScript(resolve(import.meta.dirname, 'client.ts'), 'own', [
    withoutStories,
    shaderModules('texts'),
    userRuntime,
  ]);
}

/** A server that answers everything. `reached`: the paths of all requests so far. */
export interface Listener {
  readonly address: string;
  readonly reached: string[];
  close(): Promise<void>;
}

/** Starts such a server at a free port. */
export async function listen(): Promise<Listener> {
  const reached: string[] = [];
  const server = createServer((request, response) => {
    reached.push(request.url ?? '');
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/javascript' }).end('1');
  });
  server.on('upgrade', (request, socket) => {
    reached.push(`socket ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return {
    address: typeof address === 'object' && address ? `127.0.0.1:${address.port}` : '',
    reached,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

/**
 * Attempts to leave a sandbox, by name: functions that resolve if the attempt succeeds, and reject if it fails. They
 * use `site` (the server's address) and `event` (waits for one of two events), which `attacks` declares.
 */
const WAYS: Readonly<Record<string, string>> = {
  fetch: `() => fetch(site + '/fetch', { mode: 'no-cors' })`,
  xhr: `() => event(() => { const x = new XMLHttpRequest(); x.open('GET', site + '/xhr'); x.send(); return x; }, 'onload', 'onerror')`,
  socket: `() => event(() => new WebSocket(site.replace('http', 'ws') + '/ws'), 'onopen', 'onerror')`,
  events: `() => event(() => new EventSource(site + '/es'), 'onopen', 'onerror')`,
  importUrl: `() => import(site + '/import.js')`,
  importData: `() => import('data:text/javascript,export default 1')`,
  scripts: `async () => importScripts(site + '/scripts.js')`,
  eval: `async () => (0, eval)('1')`,
  Function: `async () => new Function('return 1')()`,
  wasm: `async () => new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))`,
  storage: `() => event(() => indexedDB.open('x'), 'onsuccess', 'onerror')`,
  caches: `() => caches.open('x')`,
  files: `() => navigator.storage.getDirectory()`,
  nested: `() => new Promise((y, n) => {
    const text = 'fetch("' + site + '/nested", { mode: "no-cors" }).then(() => postMessage(1), () => postMessage(0))';
    const worker = new Worker(URL.createObjectURL(new Blob([text])));
    worker.onmessage = ({ data }) => (data ? y() : n());
    worker.onerror = n;
  })`,
  ...Object.fromEntries(
    ['2d', 'bitmaprenderer', 'webgl', 'webgl2', 'webgpu'].map((kind) => [
      kind,
      `async () => { if (!new OffscreenCanvas(1, 1).getContext('${kind}')) throw Error('no context'); }`,
    ]),
  ),
  bitmap: `() => createImageBitmap(new ImageData(1, 1))`,
  gpu: `async () => { if (!navigator.gpu) throw Error('no gpu'); }`,
};

/** The outcomes if every attempt fails. */
export const ALL_CLOSED = Object.fromEntries(Object.keys(WAYS).map((name) => [name, 'no']));

/** A module that makes every attempt, and reports in the options of its parameters which of them succeeded. */
export function attacks(server: string): string {
  return `
const site = 'http://${server}';
const event = (make, good, bad) => new Promise((y, n) => { const it = make(); it[good] = y; it[bad] = n; });
const ways = {
${Object.entries(WAYS)
  .map(([name, way]) => `  '${name}': ${way},`)
  .join('\n')}
};
const outcomes = await Promise.all(Object.entries(ways).map(async ([name, way]) => {
  try {
    await Promise.race([way(), new Promise((_, n) => setTimeout(() => n(Error('silent')), 1000))]);
    return name + ': yes';
  } catch {
    return name + ': no';
  }
}));
export const title = 'attacked';
export const params = { a: { options: outcomes.slice(0, 12) }, b: { options: outcomes.slice(12) } };
`;
}

/** The results of the module of `attacks`, by way, from the client's JSON. */
export function outcomesOf(json: string): Record<string, string> {
  const { result } = JSON.parse(json) as { result: { params: { options: string[] }[] } };
  return Object.fromEntries(result.params.flatMap(({ options }) => options.map((outcome) => outcome.split(': '))));
}

/**
 * The report of `run` about a module that never ends in `requested`, with 'in time' instead of the limit. Tries a short
 * limit first; a slow machine may reach it in an earlier request, and then gets a longer one.
 */
export async function endless(requested: string, run: (limitMs: number) => Promise<string>): Promise<string> {
  let message = '';
  for (const limitMs of [300, 3000, 30_000]) {
    message = await run(limitMs);
    if (message.startsWith(`EndedError: ${requested} `))
      return message.replace(` within ${limitMs / 1000} s`, ' in time');
  }
  return message;
}
