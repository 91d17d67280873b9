import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type RangeServer, serveRanges } from '../../../test/range-server.ts';
import { virtualBits, virtualSafetensors } from '../../../test/virtual-file.ts';
import { f16Value } from '../../core/number/index.ts';
import { safetensorsFile } from '../../../test/io/safetensors.ts';
import { testEngine } from '../../../test/engine.ts';

// Reading files over HTTP by ranges: which bytes are requested from a local test server.

/** Bytes of the first request of a file, in which headers are expected. */
const HEAD = 2 ** 16;
const EIGHT_MB = 8_000_000;
const FIVE_GB = virtualSafetensors([
  ['embed', 40_000, 28_000],
  ['low', 2000, 2000],
  ['middle', 40_000, 35_000],
  ['high', 2000, 2000],
]);

let server: RangeServer;
let engine: ReturnType<typeof testEngine>;
beforeAll(async () => {
  server = await serveRanges();
});
afterAll(() => server.close());
beforeEach(() => {
  server.files.clear();
  server.requests.length = 0;
  engine = testEngine({ fetch: (url, init) => fetch(url, init) });
});

const remote = (path: string, tensor?: string) =>
  ({
    kind: 'remote',
    reference: `${server.origin}${path}`,
    token: null,
    ...(tensor === undefined ? {} : { tensor }),
  }) as const;
/** The ranges of bytes that were requested of a file. */
const requestedRanges = (path: string) =>
  server.requests.filter((r) => r.path === path).map(({ from, to }) => [from, to]);

it('reading a tensor of 8 MB of a 5 GB file requests its bytes and the header, once, also beyond offset 2^32', async () => {
  expect(FIVE_GB.size).toBeGreaterThan(5e9);
  expect(FIVE_GB.offsetOf('high')).toBeGreaterThan(2 ** 32);
  server.files.set('/w.safetensors', { file: FIVE_GB, etag: '"1"' });
  const before = server.sent();
  const { tensors } = await engine.matrix.tensors({}, remote('/w.safetensors'));
  expect(tensors?.map((t) => t.name)).toEqual(['embed', 'high', 'low', 'middle']);
  await engine.matrix.preview({}, remote('/w.safetensors', 'high'));
  await engine.matrix.open({}, remote('/w.safetensors', 'high'));
  const { indptr, data } = await engine.matrix.window({}, { row: 1999, col: 1000, rows: 1, cols: 1000 });
  expect(indptr).toEqual(Uint32Array.of(0, 1000));
  const offset = FIVE_GB.offsetOf('high');
  expect([...data]).toEqual(
    Array.from({ length: 1000 }, (_, c) => f16Value(virtualBits(offset + 2 * (1999 * 2000 + 1000 + c)))),
  );
  // One byte is requested each time, to check that the file has not changed.
  expect(requestedRanges('/w.safetensors')).toEqual([
    [0, HEAD],
    [0, 1],
    [offset, offset + EIGHT_MB],
    [0, 1],
  ]);
  expect(server.sent() - before).toBe(HEAD + EIGHT_MB + 2);
  expect(server.sent() - before).toBeLessThanOrEqual(FIVE_GB.headerBytes + 8.1e6);
});

it('a file is read again if its ETag has changed, or if it has none', async () => {
  const small = virtualSafetensors([['a', 2, 2]]);
  const served = { file: small, etag: '"1"' as string | null };
  server.files.set('/w.safetensors', served);
  const names = async (): Promise<unknown> =>
    (await engine.matrix.tensors({}, remote('/w.safetensors'))).tensors?.map((t) => t.name);
  expect(await names()).toEqual(['a']);
  served.file = virtualSafetensors([['b', 2, 2]]);
  served.etag = '"2"';
  expect(await names()).toEqual(['b']);
  served.file = virtualSafetensors([
    ['b', 2, 2],
    ['c', 2, 2],
  ]);
  expect(await names()).toEqual(['b', 'c']);
  served.etag = null;
  expect(await names()).toEqual(['b', 'c']);
  served.file = virtualSafetensors([
    ['d', 2, 2],
    ['e', 2, 2],
  ]);
  expect(await names()).toEqual(['d', 'e']);
});

it('the headers of sharded files are requested six at a time, and once', async () => {
  const files = Array.from({ length: 20 }, (_, i) => `model-${String(i + 1).padStart(2, '0')}.safetensors`);
  const weightMap = Object.fromEntries(files.map((file, i) => [`w${i}`, file]));
  const index = new TextEncoder().encode(JSON.stringify({ weight_map: weightMap }));
  const fixed = (bytes: Uint8Array<ArrayBuffer>) => ({ size: bytes.length, bytes: bytes.slice.bind(bytes) });
  server.files.set('/model.safetensors.index.json', { file: fixed(index), etag: '"i"' });
  files.forEach((file, i) => {
    const bytes = safetensorsFile({ [`w${i}`]: { dtype: 'U8', shape: [1, 1], bytes: Uint8Array.of(i) } });
    // The first six are answered when the index and then all of them were requested.
    server.files.set(`/${file}`, { file: fixed(bytes), etag: `"${i}"`, afterRequests: 7 });
  });
  const reference = remote('/model.safetensors.index.json');
  const { tensors } = await engine.matrix.tensors({}, reference);
  expect(tensors?.map((t) => [t.name, t.refused])).toEqual(files.map((_, i) => [`w${i}`, null]));
  expect(server.maxAtOnce()).toBe(6);
  expect(server.requests).toHaveLength(21);
  await engine.matrix.open({}, { ...reference, tensor: 'w7' });
  expect((await engine.matrix.window({}, { row: 0, col: 0, rows: 1, cols: 1 })).data).toEqual(Float32Array.of(7));
  // Opening requests one byte of each file, to check that it has not changed, and no header again.
  expect(server.requests.slice(21).map(({ from, to }) => to - from)).toEqual(Array.from({ length: 21 }, () => 1));
});

it('text returns a config.json, and rejects a file that is too long before it is read', async () => {
  const text = '{"hidden_size": 4096}';
  const bytes = new TextEncoder().encode(text);
  server.files.set('/config.json', {
    file: { size: bytes.length, bytes: (from, to) => bytes.slice(from, to) },
    etag: '"1"',
  });
  const ask = (path: string): Promise<string> =>
    engine.matrix.text(
      {},
      { reference: `${server.origin}${path}`, token: null, main: 'config.json', maxBytes: 2 ** 20 },
    );
  expect(await ask('/config.json')).toBe(text);
  server.files.set('/w.safetensors', { file: FIVE_GB, etag: '"1"' });
  await expect(ask('/w.safetensors')).rejects.toThrow(
    `w.safetensors: found ${FIVE_GB.size} bytes, expected at most 1048576, as config.json has`,
  );
  await expect(ask('/none.json')).rejects.toThrow('found HTTP status 404');
});
