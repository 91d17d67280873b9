import { expect, it } from 'vitest';
import { NO_JOB, type Progress } from '../../src/core/job.ts';
import { safetensorsFile } from '../../test/io/safetensors.ts';
import type { ChooseResult } from './choice-report.ts';
import { chooseForFile, chooseForModel } from './choose.ts';

/** A command line with these values of options by their names: a function that returns the value of an option. */
const options =
  (values: Readonly<Record<string, string>> = {}) =>
  (name: string) =>
    values[name];

const facts = (result: ChooseResult) =>
  result.facts as { bytes: number; tokenNs: number | null; choice: Record<string, unknown>[] };

/** A file with two matrices, a table of embeddings and a vector. */
function modelFile() {
  const cells = (rows: number, cols: number, value: (i: number) => number) => ({
    dtype: 'F32',
    shape: [rows, cols],
    bytes: new Uint8Array(Float32Array.from({ length: rows * cols }, (_, i) => value(i)).buffer),
  });
  const bytes = safetensorsFile({
    'model.embed_tokens.weight': cells(8, 16, () => 1),
    'up_proj.weight': cells(32, 64, (i) => (i % 10 === 0 ? 1 + i / 4096 : 0)),
    'too_large.weight': cells(16, 16, () => 1e30),
    'lm_head.weight': cells(8, 16, (i) => (i % 2 === 0 ? 0.5 : 0)),
  });
  return { name: 'model.safetensors', bytes };
}

it('choose finds MACKO the fastest for every matrix but lm_head at 30 % density, and predicts the recorded token', () => {
  const result = chooseForModel('llama-2-7b', options({ prune: '70', objective: 'time' }));
  const { choice, tokenNs } = facts(result);
  expect(choice.map(({ format }) => format)).toEqual(['MACKO', 'MACKO', 'MACKO', 'MACKO', 'dense']);
  // Recorded: 417 tokens a second.
  expect(1e9 / (tokenNs ?? 0)).toBeGreaterThan(417 * 0.9);
  expect(1e9 / (tokenNs ?? 0)).toBeLessThan(417 * 1.1);
});

// Tokens per second on an NVIDIA H200: 100 tokens after an empty prompt. Predictions use the time outside of matrices of the
// recorded tokens of Llama-2-7B. The other models were measured on 2026-11-30 to check the predictions. In one respect
// this check is not independent: that time depends on the format because Qwen2.5-1.5B in dense i4 was 19 % slower than predicted
// without it.
it.each([
  ['llama-2-7b', 'dense', '0', '16', 258],
  ['llama-2-7b', 'dense i4', '0', '4', 389],
  ['llama-2-7b', 'MACKO', '50', '16', 294],
  ['llama-2-7b', 'MACKO', '90', '16', 605],
  ['llama-3.1-8b', 'dense', '0', '16', 231],
  ['llama-3.1-8b', 'dense i4', '0', '4', 393.9],
  ['llama-3.1-8b', 'MACKO', '50', '16', 264.9],
  ['llama-3.1-8b', 'MACKO', '70', '16', 344.6],
  ['qwen2.5-1.5b', 'dense', '0', '16', 697.9],
  ['qwen2.5-1.5b', 'dense i4', '0', '4', 723.7],
  ['qwen2.5-1.5b', 'MACKO', '50', '16', 696.8],
  ['qwen2.5-1.5b', 'MACKO', '70', '16', 821],
] as const)(
  'a token of %s in %s, %s %% pruned, values of %s bits, is predicted within 10 %% of the measured one',
  (model, format, prune, values, measured) => {
    const { choice, tokenNs } = facts(chooseForModel(model, options({ prune, values, objective: 'time' })));
    // The largest matrix, of gate and up.
    expect(choice[2].format).toBe(format);
    expect(Math.abs(1e9 / (tokenNs ?? 0) / measured - 1)).toBeLessThan(0.1);
  },
);

it('choose encodes the matrices of a file to count their bytes; a matrix that no format supports stays dense f32', async () => {
  const result = await chooseForFile(modelFile(), 'model.safetensors', options(), NO_JOB);
  const { choice, bytes } = facts(result);
  expect(choice.map(({ matrix, format }) => [matrix, format])).toEqual([
    ['lm_head.weight', 'dense'],
    ['too_large.weight', 'dense f32'],
    ['up_proj.weight', 'MACKO'],
  ]);
  expect(choice.map((row) => row['bytes are exact'])).toEqual(['yes', 'yes', 'yes']);
  expect(choice[1].bytes).toBe(4 * 16 * 16);
  const [lmHead, tooLarge, upProj] = choice.map((row) => Number(row.bytes));
  expect(bytes).toBe(lmHead + tooLarge + upProj + 2 * 8 * 16);
  expect(result.facts.denseF16).toMatchObject({ bytes: 2 * (8 * 16 + 32 * 64 + 8 * 16) + tooLarge });
  expect(result.lines.filter((line) => line.startsWith('stays dense'))).toEqual([
    expect.stringContaining('too_large.weight: 256 of 256 values are too large for f16'),
  ]);
});

it('bytes in a lossless code are the entropy of the exponents of each matrix; what cannot be read is named', async () => {
  const f32 = (values: readonly number[]) => new Uint8Array(Float32Array.from(values).buffer);
  const bytes = safetensorsFile({
    // As bf16: one exponent, so that only sign and mantissa are left, 8 bits a weight.
    'a.weight': { dtype: 'F32', shape: [4, 8], bytes: f32(Array<number>(32).fill(1.5)) },
    // Two exponents, equally frequent: 9 bits a weight.
    'b.weight': { dtype: 'F32', shape: [4, 8], bytes: f32(Array.from({ length: 32 }, (_, i) => 1 + (i % 2))) },
    bias: { dtype: 'F32', shape: [8], bytes: f32(Array<number>(8).fill(1)) },
    'experts.weight': { dtype: 'F32', shape: [2, 2, 2], bytes: f32(Array<number>(8).fill(1)) },
  });
  const result = await chooseForFile({ name: 'm.safetensors', bytes }, 'm.safetensors', options(), NO_JOB);
  expect(result.facts.losslessBytes).toBe(32 + 36);
  expect(result.facts.unread).toEqual([
    'experts.weight: found shape (2, 2, 2), expected two dimensions; reshape it, or save a slice',
  ]);
});

it('norms of inputs decide which weights of a row are pruned', async () => {
  const f32 = (values: readonly number[]) => new Uint8Array(Float32Array.from(values).buffer);
  // A large weight of 2^100 in column 0, which no format with 16 bits holds, is pruned only if its input is small.
  const weights = Array.from({ length: 256 }, (_, i) => (i === 0 ? 2 ** 100 : 1));
  const bytes = safetensorsFile({ w: { dtype: 'F32', shape: [16, 16], bytes: f32(weights) } });
  const normsOf = (name: string, count = 16) => ({
    name: 'norms.safetensors',
    bytes: safetensorsFile({
      [name]: { dtype: 'F32', shape: [count], bytes: f32(Array.from({ length: count }, (_, i) => (i === 0 ? 0 : 1))) },
    }),
  });
  const prune = options({ prune: '50', norms: 'norms.safetensors' });
  const choose = (norms: ReturnType<typeof normsOf> | null, optionValue = prune) =>
    chooseForFile({ name: 'm.safetensors', bytes }, 'm.safetensors', optionValue, NO_JOB, norms);
  expect((await choose(null)).facts.unsupported).toHaveLength(1);
  const byWanda = await choose(normsOf('w'));
  expect(byWanda.facts.unsupported).toBeUndefined();
  expect(byWanda.lines[0]).toContain('50 % pruned by Wanda');
  await expect(choose(normsOf('v'))).rejects.toThrow("--norms: found no vector for 'w', expected one");
  await expect(choose(normsOf('w', 8))).rejects.toThrow(
    "--norms: found 8 numbers for 'w', expected one for each of its 16",
  );
  await expect(choose(normsOf('w'), options({ norms: 'n' }))).rejects.toThrow('--norms: found it without --prune');
});

// The tensors by name: lm_head, the embedding (which is not multiplied with), too_large, up_proj.
it.each([
  [1, 0],
  [3, 1],
  [4, 2],
])('a choice interrupted at tensor %s of 4 keeps the %s matrices before it', async (tensorNumber, matrixCount) => {
  let isReached = false;
  const job = {
    report: ({ what }: Progress) => void (isReached ||= what.endsWith(`, ${tensorNumber} of 4`)),
    get cancelled() {
      return isReached;
    },
  };
  const result = await chooseForFile(modelFile(), 'model.safetensors', options(), job);
  expect(result.inputError).toBe(`interrupted: ${5 - tensorNumber} of the matrices were not reached`);
  expect(result.rows).toHaveLength(matrixCount);
});

it('a budget below the smallest size is rejected with that size', () => {
  const { inputError } = chooseForModel('llama-2-7b', options({ prune: '50', objective: 'time', budget: '4' }));
  expect(inputError).toBe('--budget: found at least 7.82 GB, expected 4.00 GB or less');
});

it.each([
  [{ objective: 'speed' }, "--objective: found 'speed', expected one of bytes, time"],
  [{ device: 'a100' }, "--device: found 'a100', expected one of h200, h100"],
  [{ prune: '100' }, "--prune: found '100', expected a percentage from 0 to 99.99"],
  [{ prune: '' }, "--prune: found '', expected a percentage from 0 to 99.99"],
  [{ values: '2' }, "--values: found '2', expected one of 16, 8, 4"],
  [{ norms: 'n', prune: '50' }, '--norms: found it with the sizes of a model, expected a file of its weights'],
  [
    { budget: '3' },
    '--budget: found it with --objective bytes, expected --objective time: the fewest bytes need no limit',
  ],
])('%o is rejected', (values, message) => {
  expect(() => chooseForModel('llama-2-7b', options(values as Record<string, string>))).toThrow(message);
});

it('a config.json is read as a model', async () => {
  const text = JSON.stringify({
    model_type: 'llama',
    hidden_size: 4096,
    intermediate_size: 11008,
    num_hidden_layers: 2,
    num_attention_heads: 32,
    vocab_size: 32000,
  });
  const file = { name: 'config.json', bytes: new TextEncoder().encode(text) };
  expect(facts(await chooseForFile(file, 'config.json', options(), NO_JOB)).choice[0].count).toBe(2);
});
