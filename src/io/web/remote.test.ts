import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CancelledError } from '../../core/errors.ts';
import { messageOf } from '../../core/error-messages.ts';
import { toDense } from '../../core/matrix/index.ts';
import { NO_JOB } from '../../core/job.ts';
import { listTensors, readMatrixFrom } from '../read.ts';
import { openReference, type RemoteOptions } from './remote.ts';
import { bytesOf, safetensorsFile, type TestTensor } from '../../../test/io/safetensors.ts';

const SHA = '0123456789abcdef0123456789abcdef01234567';
const big: TestTensor = { dtype: 'F32', shape: [512, 1024], bytes: new Uint8Array(2 ** 21) };
const small: TestTensor = { dtype: 'F32', shape: [300, 256], bytes: bytesOf(new Float32Array(76_800).fill(2)) };
const FILE = safetensorsFile({ a: big, b: small, c: big });
const INDEX = new TextEncoder().encode('{"metadata":{},"weight_map":{"a":"one.safetensors","z":"two.safetensors"}}');

let server: Server;
let base = '';
/** A second server, and its request log. */
let otherServer: Server;
let otherBase = '';
const otherRequests: { path: string; authorization: string | undefined }[] = [];
/** The file names of the index in the folder `/org/named/`. */
let shardNames: readonly string[] = [];
let sentBytes = 0;
const requests: { path: string; authorization: string | undefined; range: string | undefined }[] = [];
let disconnectsRemaining = 0;

function sendRange(request: IncomingMessage, response: ServerResponse, bytes: Uint8Array): void {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (from === undefined) {
    response.writeHead(200, { 'Content-Length': bytes.length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
    return;
  }
  if (Number(from) >= bytes.length) {
    response.writeHead(416).end();
    return;
  }
  const part = bytes.subarray(Number(from), Math.min(bytes.length, Number(to) + 1));
  sentBytes += part.length;
  const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`;
  const path = request.url ?? '';
  response.writeHead(206, {
    'Content-Length': part.length,
    ...(path.startsWith('/no-content-range') ? {} : { 'Content-Range': range }),
    ETag: path.startsWith('/changing') ? `"${requests.length}"` : '"1"',
  });
  if (path.startsWith('/cut') && Number(from) > 0 && disconnectsRemaining > 0) {
    disconnectsRemaining--;
    response.write(part.subarray(0, Math.floor(part.length / 2)), () => response.destroy());
  } else response.end(part);
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push({ path, authorization: request.headers.authorization, range: request.headers.range });
    const send = (status: number, body?: string | Uint8Array, headers: Record<string, string> = {}): void => {
      response.writeHead(status, headers).end(body);
    };
    if (path === '/missing.npz') send(404);
    else if (path === '/secret.npz') send(401);
    else if (path.endsWith('/away.safetensors')) send(302, '', { Location: `${otherBase}/away.safetensors` });
    else if (path.endsWith('/near.safetensors')) send(302, '', { Location: '/w.safetensors' });
    else if (path.startsWith('/org/named/') && path.endsWith('.index.json')) {
      const named = { weight_map: Object.fromEntries(shardNames.map((name, i) => [`w${i}`, name])) };
      sendRange(request, response, new TextEncoder().encode(JSON.stringify(named)));
    } else if (path.startsWith('/org/named/')) send(404);
    else if (path === '/moved.safetensors') send(302, '', { Location: '/w.safetensors' });
    else if (path === '/empty.npz') sendRange(request, response, new Uint8Array(0));
    else if (path === '/no-range.safetensors') send(200, FILE, { 'Content-Length': String(FILE.length) });
    else if (path === '/no-length.safetensors') send(200, FILE);
    else if (path.startsWith('/api/models/org/name/')) {
      send(
        200,
        JSON.stringify({ sha: SHA, siblings: [{ rfilename: 'README.md' }, { rfilename: 'model.safetensors' }] }),
      );
    } else if (/^\/api\/models\/(?:org\/folders|word)\//.test(path)) {
      const files = 'model.safetensors sub/model.safetensors sub/config.json x/a.npz x/b.npz y/z/c.npz'.split(' ');
      send(200, JSON.stringify({ sha: SHA, siblings: files.map((rfilename) => ({ rfilename })) }));
    } else if (path.startsWith('/api/models/org/checkpoints/')) {
      const files = 'pytorch_model.bin training_args.bin x/a.pt x/b.npz y/c.pth z/a.pt z/b.pt'.split(' ');
      send(200, JSON.stringify({ sha: SHA, siblings: files.map((rfilename) => ({ rfilename })) }));
    } else if (path.startsWith('/api/models/org/many/')) {
      send(200, JSON.stringify({ sha: SHA, siblings: [{ rfilename: 'a.npz' }, { rfilename: 'b.npz' }] }));
    } else if (path.startsWith('/api/')) send(401);
    else if (path.endsWith('.index.json')) sendRange(request, response, INDEX);
    else if (path.endsWith('two.safetensors')) send(404);
    else sendRange(request, response, FILE);
  });
  otherServer = createServer((request, response) => {
    otherRequests.push({ path: request.url ?? '', authorization: request.headers.authorization });
    sendRange(request, response, FILE);
  });
  base = await listening(server);
  otherBase = await listening(otherServer);
});
afterAll(() => Promise.all([server, otherServer].map((each) => new Promise((resolve) => each.close(resolve)))));

async function listening(each: Server): Promise<string> {
  await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
  const address = each.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

const options = (change: Partial<RemoteOptions> = {}): RemoteOptions => ({
  fetch: (url, init) => fetch(url, init),
  hub: base,
  signal: new AbortController().signal,
  ...change,
});

async function openTensor(
  reference: string,
  tensor: string,
  change: Partial<RemoteOptions> = {},
): Promise<Float32Array> {
  const { source, sibling } = await openReference(reference, options(change));
  const { matrix } = await readMatrixFrom({ source, sibling }, { tensor }, NO_JOB);
  return toDense(matrix);
}

const failure = (reference: string, change: Partial<RemoteOptions> = {}): Promise<string> =>
  openReference(reference, options(change)).then(
    () => 'it opened',
    (error: unknown) => messageOf(error),
  );

describe('a server that sends parts', () => {
  it('receives requests for the header and the bytes of the chosen tensor, and no more', async () => {
    sentBytes = 0;
    const cells = await openTensor(`${base}/w.safetensors`, 'b');
    expect(cells.every((v) => v === 2)).toBe(true);
    expect(sentBytes).toBe(2 ** 16 + small.bytes.length);
  });

  it('may redirect', async () => {
    expect(await openTensor(`${base}/moved.safetensors`, 'b')).toHaveLength(76_800);
  });

  it('may hide Content-Range from pages', async () => {
    expect(await openTensor(`${base}/no-content-range.safetensors`, 'b')).toHaveLength(76_800);
  });

  it('receives a request for the rest if the connection breaks', async () => {
    disconnectsRemaining = 3;
    const cells = await openTensor(`${base}/cut.safetensors`, 'b');
    expect(cells.every((v) => v === 2)).toBe(true);
    disconnectsRemaining = 0;
  });

  it('returns the whole file to every reader, also while another reader is in progress', async () => {
    const { source } = await openReference(`${base}/w.safetensors`, options());
    const [outer, inner]: [Uint8Array[], Uint8Array[]] = [[], []];
    for await (const chunk of source.chunks()) {
      outer.push(chunk.slice());
      if (outer.length > 1) continue;
      for await (const other of source.chunks()) inner.push(other.slice());
    }
    const isWhole = [outer, inner].map((chunks) => Buffer.concat(chunks).equals(FILE));
    expect(isWhole).toEqual([true, true]);
  });

  it('is given up if nothing more arrives', async () => {
    let calls = 0;
    const stuck = async (url: string, init: RequestInit): Promise<Response> => {
      const response = await fetch(url, init);
      if (++calls === 1) return response;
      await response.body?.cancel();
      return new Response(null, { status: 206, headers: response.headers });
    };
    await expect(openTensor(`${base}/w.safetensors`, 'b', { fetch: stuck })).rejects.toThrow(
      /the connection broke 4 times at byte \d+ \(it ended early\), expected bytes up to \d+$/,
    );
  });

  it('must not change the file meanwhile', async () => {
    await expect(openTensor(`${base}/changing.safetensors`, 'b')).rejects.toThrow('the file changed while it was read');
  });

  it('receives no further requests when the job is cancelled', async () => {
    const abort = new AbortController();
    abort.abort();
    await expect(openReference(`${base}/w.safetensors`, options({ signal: abort.signal }))).rejects.toBeInstanceOf(
      CancelledError,
    );
  });
});

describe('a server that does not send parts', () => {
  it.each(['no-range', 'no-length'])('is read whole: %s', async (name) => {
    expect(await openTensor(`${base}/${name}.safetensors`, 'b')).toHaveLength(76_800);
  });

  it.each(['no-range', 'no-length'])('is rejected above the limit: %s', async (name) => {
    expect(await failure(`${base}/${name}.safetensors`, { maxWholeBytes: 100_000 })).toMatch(
      /the server sends no parts of its \d+ bytes, expected at most 100000; download the file first$/,
    );
  });
});

describe('a folder of a repository', () => {
  const linkOf = async (reference: string, change: Partial<RemoteOptions> = {}): Promise<string> =>
    (await openReference(reference, options(change))).link;

  it('is searched for the file', async () => {
    const folderLink = `hf://org/folders@${SHA}`;
    expect(await linkOf(`${base}/org/folders/tree/main`)).toBe(`${folderLink}/model.safetensors`);
    expect(await linkOf(`${base}/org/folders/tree/main/sub`)).toBe(`${folderLink}/sub/model.safetensors`);
    expect(await linkOf('org/folders/sub/')).toBe(`${folderLink}/sub/model.safetensors`);
    expect(await linkOf(`${base}/org/folders/tree/main/sub`, { main: 'config.json' })).toBe(
      `${folderLink}/sub/config.json`,
    );
    expect(await linkOf(`${base}/org/folders/tree/main/y`)).toBe(`${folderLink}/y/z/c.npz`);
    expect(await linkOf(`${base}/org/folders/commits/main/x/b.npz`)).toBe(`${folderLink}/x/b.npz`);
    expect(await linkOf(`${base}/word/tree/main/sub`)).toBe(`hf://word@${SHA}/sub/model.safetensors`);
    expect(await linkOf('word')).toBe(`hf://word@${SHA}/model.safetensors`);
  });

  it('means a checkpoint of PyTorch only if it has no other matrix', async () => {
    const address = `hf://org/checkpoints@${SHA}`;
    expect(await linkOf(`${base}/org/checkpoints/tree/main/x`)).toBe(`${address}/x/b.npz`);
    expect(await linkOf(`${base}/org/checkpoints/tree/main/y`)).toBe(`${address}/y/c.pth`);
    expect(await failure(`${base}/org/checkpoints/tree/main/z`)).toContain('found 2 files such as z/a.pt, z/b.pt');
    // A repository is searched with its folders.
    expect(await linkOf('org/checkpoints')).toBe(`${address}/x/b.npz`);
  });

  it('is named in the message if it has no matrix file, or several', async () => {
    expect(await failure(`${base}/org/folders/tree/main/x`)).toBe(
      'org/folders/x: found 2 files such as x/a.npz, x/b.npz; name one like org/folders/x/a.npz',
    );
    expect(await failure(`${base}/org/folders/tree/main/su`)).toBe(
      'org/folders/su: found no matrix file; name one like org/folders/su/model.safetensors',
    );
  });
});

describe('openReference rejects', () => {
  it.each([
    ['missing.npz', 'found HTTP status 404'],
    ['secret.npz', 'found HTTP status 401; it may need a token'],
  ])('%s', async (path, text) => {
    expect(await failure(`${base}/${path}`)).toBe(`${base}/${path}: ${text}`);
  });

  it('an empty file', async () => {
    expect(await failure(`${base}/empty.npz`)).toBe(`${base}/empty.npz: found HTTP status 416; it may be empty`);
  });

  it('a page of another origin, or no server at all', async () => {
    const blocked = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'));
    expect(await failure('https://example.org/a.npz', { fetch: blocked })).toBe(
      'https://example.org/a.npz: found no answer (Failed to fetch); the address may be wrong, or closed to other pages (CORS)',
    );
  });
});

describe('the hub', () => {
  it('pins the revision to its commit, finds the main file, and sends the token along', async () => {
    requests.length = 0;
    const { source, link } = await openReference('org/name', options({ token: 'hf_x' }));
    expect(link).toBe(`hf://org/name@${SHA}/model.safetensors`);
    expect(source.name).toBe('model.safetensors');
    expect(requests.map((s) => [s.path, s.authorization])).toEqual([
      ['/api/models/org/name/revision/main', 'Bearer hf_x'],
      [`/org/name/resolve/${SHA}/model.safetensors`, 'Bearer hf_x'],
    ]);
  });

  it('opens the requested file if only a repository is named', async () => {
    const { link } = await openReference('org/many', options({ main: 'config.json' }));
    expect(link).toBe(`hf://org/many@${SHA}/config.json`);
    const named = await openReference('org/name/w.safetensors', options({ main: 'config.json' }));
    expect(named.link).toBe(`hf://org/name@${SHA}/w.safetensors`);
  });

  it('sends no query about a file whose commit is known', async () => {
    requests.length = 0;
    await openReference(`hf://org/name@${SHA}/w.safetensors`, options());
    expect(requests.map((s) => s.path)).toEqual([`/org/name/resolve/${SHA}/w.safetensors`]);
  });

  it('sends no token to other servers', async () => {
    requests.length = 0;
    await openReference(`${base}/w.safetensors`, options({ hub: 'https://huggingface.co', token: 'hf_x' }));
    expect(requests.map((s) => s.authorization)).toEqual([undefined]);
  });

  it('sends its token only to itself and to its folder, for any name in an index', async () => {
    shardNames = [
      otherBase.replace('//', ''),
      `${otherBase.replace('http://', 'http:')}`,
      'https:example.org',
      'data:,x',
      'w.safetensors?x#y',
      '%2e%2e%2fw.safetensors',
      'half a pair: \ud800',
    ];
    otherRequests.length = 0;
    requests.length = 0;
    const { source, sibling } = await openReference(
      `hf://org/named@${SHA}/folder/model.safetensors.index.json`,
      options({ token: 'hf_x' }),
    );
    await expect(listTensors({ source, sibling }, {}, NO_JOB)).rejects.toThrow('found the index alone');
    expect(otherRequests).toEqual([]);
    const folder = `/org/named/resolve/${SHA}/folder/`;
    for (const { path } of requests) expect(path.slice(0, path.lastIndexOf('/') + 1)).toBe(folder);
    expect(new Set(requests.map(({ path }) => path)).size).toBe(7);
  });

  it.each(['.', '..'])("rejects '%s' as a file of a folder", async (name) => {
    const { sibling } = await openReference(`hf://org/name@${SHA}/folder/w.safetensors`, options());
    await expect(sibling(name)).rejects.toThrow(
      `found the file name "${name}", expected the name of a file next to ${base}`,
    );
  });

  it('may redirect to another server, which gets no token', async () => {
    otherRequests.length = 0;
    await openTensor(`hf://org/name@${SHA}/away.safetensors`, 'b', { token: 'hf_x' });
    expect(otherRequests.map((item) => item.authorization)).toEqual([undefined, undefined]);
  });

  it('may redirect to itself, and gets the token', async () => {
    requests.length = 0;
    await openReference(`hf://org/name@${SHA}/near.safetensors`, options({ token: 'hf_x' }));
    expect(requests.map((item) => item.authorization)).toEqual(['Bearer hf_x', 'Bearer hf_x']);
  });

  it('requires the choice of a file', async () => {
    expect(await failure('org/many')).toBe(
      'org/many: found 2 files such as a.npz, b.npz; name one like org/many/a.npz',
    );
  });

  it('reports when a token does not open it', async () => {
    expect(await failure('org/closed', { token: 'x' })).toContain('the token grants no access');
  });

  it('opens the files that an index names', async () => {
    const { source, sibling } = await openReference(`hf://org/name@${SHA}/model.safetensors.index.json`, options());
    const { tensors } = await listTensors({ source, sibling }, {}, NO_JOB);
    expect(tensors?.map((t) => [t.name, t.refused])).toEqual([
      ['a', null],
      ['b', null],
      ['c', null],
      ['z', 'found no two.safetensors next to the index'],
    ]);
  });
});
