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
const QUESTION = { objective: 'bytes', times: [], keptShare: 0.5, minBits: 16 } as const;

/** Opens a tensor of a file and answers for all its tensors, or those from number `from` on. */
async function answers(name: string, bytes: Uint8Array<ArrayBuffer>, tensor: string, from = 0) {
  const engine = testEngine();
  const { baseNumber } = await engine.matrix.open({}, { kind: 'file', name, file: new Blob([bytes]), tensor });
  const found: SentAnswer[] = [];
  let all = 0;
  const onTensor = (answer: SentAnswer, total: number): void => {
    all = total;
    // What crosses a thread must be data.
    found.push(structuredClone(answer));
  };
  await engine.compare.choose({}, baseNumber, QUESTION, from, onTensor);
  return { all, names: found.map(({ options }) => options?.matrix.name ?? null), found, engine, baseNumber };
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
] as const)('reads every matrix of %s, not the open one alone', async (name, bytes, tensor, names) => {
  const { all, names: found } = await answers(name, bytes, tensor);
  expect(found).toEqual(names);
  expect(all).toBe(names.length);
});

it('prunes to the density, and the two best formats have exact bytes', async () => {
  const [{ options, losslessBytes }] = (await answers('m.safetensors', safetensorsFile({ a: CELLS }), 'a')).found;
  expect(options?.matrix.density).toBe(0.5);
  const exact = options?.options.filter(({ isExact }) => isExact).map(({ bytes }) => bytes) ?? [];
  const least = Math.min(...(options?.options.map(({ bytes }) => bytes) ?? []));
  expect(exact.length).toBeGreaterThan(1);
  expect(exact).toContain(least);
  // Ones: sign and mantissa of bf16.
  expect(losslessBytes).toBe(64);
});

it('continues at a tensor, and reads nothing once another matrix is open', async () => {
  const bytes = safetensorsFile({ a: CELLS, b: CELLS, c: CELLS });
  const { names, engine, baseNumber } = await answers('m.safetensors', bytes, 'a', 1);
  expect(names).toEqual(['b', 'c']);
  const late = engine.compare.choose({}, baseNumber + 1, QUESTION, 0, () => expect.unreachable());
  await expect(late).rejects.toMatchObject({ name: 'CancelledError' });
});

it('of a remote file reads every matrix by its ranges, the embedding not at all', async () => {
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
    await engine.compare.choose({}, baseNumber, QUESTION, 0, ({ options }) => void names.push(options?.matrix.name));
    expect(names).toEqual([undefined, 'up.weight', 'w.weight']);
    // Two matrices of 2^18 bytes, and heads.
    expect(server.sent()).toBeLessThan(2 ** 20);
  } finally {
    await server.close();
  }
});
