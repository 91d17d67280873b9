import { expect, it } from 'vitest';
import { corpusBytes } from '../../../../test/corpus.ts';
import { testEngine } from '../../../../test/engine.ts';
import { ggufFile } from '../../../../test/io/gguf.ts';
import { safetensorsFile } from '../../../../test/io/safetensors.ts';
import { serveRanges } from '../../../../test/range-server.ts';
import { virtualSafetensors } from '../../../../test/virtual-file.ts';
import type { SentAnswer } from './service.ts';

const f32 = (values: readonly number[]) => new Uint8Array(Float32Array.from(values).buffer);
const ones = f32(Array<number>(64).fill(1));
const CELLS = { dtype: 'F32', shape: [8, 8], bytes: ones };
const QUERY = { objective: 'bytes', times: [], keptShare: 0.5, minBits: 16 } as const;

/** Opens a tensor of a file, and returns what the service sends for all tensors of the file from number `from` on. */
async function answers(name: string, bytes: Uint8Array<ArrayBuffer>, tensor: string, from = 0) {
  const engine = testEngine();
  const { baseNumber } = await engine.matrix.open({}, { kind: 'file', name, file: new Blob([bytes]), tensor });
  const sent: SentAnswer[] = [];
  let tensorCount = 0;
  const onTensor = (answer: SentAnswer, total: number): void => {
    tensorCount = total;
    // Only data can be sent between threads: other values make structuredClone throw.
    sent.push(structuredClone(answer));
  };
  await engine.compare.choose({}, baseNumber, QUERY, from, onTensor);
  return { tensorCount, names: sent.map(({ options }) => options?.matrix.name ?? null), sent, engine, baseNumber };
}

it.each([
  ['m.safetensors', safetensorsFile({ a: CELLS, b: CELLS, bias: { ...CELLS, shape: [64] } }), 'a', ['a', 'b']],
  [
    'm.gguf',
    ggufFile([
      { name: 'output.weight', kind: 0, shape: [8, 8], bytes: ones },
      { name: 'token_embd.weight', kind: 0, shape: [8, 8], bytes: ones },
    ]),
    'output.weight',
    ['output.weight', null],
  ],
  [
    'm.pt',
    corpusBytes('torch/nested.pt'),
    'layers.0',
    ['state_dict.weight', 'optimizer.state.0.exp_avg', 'optimizer.state.0.exp_avg_sq', 'layers.0', 'layers.1.0'],
  ],
] as const)('choose reads every matrix of %s, not only the open one', async (name, bytes, tensor, names) => {
  const { tensorCount, names: sentNames } = await answers(name, bytes, tensor);
  expect(sentNames).toEqual(names);
  expect(tensorCount).toBe(names.length);
});

it('choose prunes to the density, and gives the best formats with exact bytes', async () => {
  const [{ options, losslessBytes }] = (await answers('m.safetensors', safetensorsFile({ a: CELLS }), 'a')).sent;
  expect(options?.matrix.density).toBe(0.5);
  const exact = options?.options.filter(({ isExact }) => isExact).map(({ bytes }) => bytes) ?? [];
  const least = Math.min(...(options?.options.map(({ bytes }) => bytes) ?? []));
  expect(exact.length).toBeGreaterThan(1);
  expect(exact).toContain(least);
  // All weights are 1, so only the sign and mantissa of bf16 are stored, 8 bits for each of 64.
  expect(losslessBytes).toBe(64);
});

it('choose continues at a tensor, and rejects once another matrix is open', async () => {
  const bytes = safetensorsFile({ a: CELLS, b: CELLS, c: CELLS });
  const { names, engine, baseNumber } = await answers('m.safetensors', bytes, 'a', 1);
  expect(names).toEqual(['b', 'c']);
  const late = engine.compare.choose({}, baseNumber + 1, QUERY, 0, () => expect.unreachable());
  await expect(late).rejects.toMatchObject({ name: 'CancelledError' });
});

it('choose reads every matrix of a remote file by its byte ranges, but not the embedding', async () => {
  const server = await serveRanges();
  try {
    const file = virtualSafetensors([
      ['embed.weight', 40_000, 28_000],
      ['up.weight', 128, 1024],
      ['w.weight', 128, 1024],
    ]);
    server.files.set('/m.safetensors', { file, etag: '"1"' });
    const engine = testEngine({ fetch: (url, init) => fetch(url, init) });
    const reference = `${server.origin}/m.safetensors`;
    const { baseNumber } = await engine.matrix.open({}, { kind: 'remote', reference, token: null, tensor: 'w.weight' });
    const names: (string | undefined)[] = [];
    await engine.compare.choose({}, baseNumber, QUERY, 0, ({ options }) => void names.push(options?.matrix.name));
    expect(names).toEqual([undefined, 'up.weight', 'w.weight']);
    // Two matrices of 2^18 bytes each, and the header of the file.
    expect(server.sent()).toBeLessThan(2 ** 20);
  } finally {
    await server.close();
  }
});
