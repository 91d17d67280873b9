import { describe, expect, it } from 'vitest';
import { cases } from '../../test/scheduled.ts';
import { archive, floats } from '../../test/io/zip.ts';
import { matrixOf } from '../../test/matrices.ts';
import { SparseScopeError } from '../core/errors.ts';
import { toDense } from '../core/matrix/index.ts';
import { formats } from '../formats/registry.ts';
import { encode } from './on-demand.ts';
import { readStored, STORED_KINDS, writeStored } from './files.ts';

/** A matrix with at most two non-zeros in every four neighbours, which every format can store. */
const MATRIX = matrixOf([1, 0, 2, 0, 0, 3, 0, 4], [0, 0, 0, 5, 0, 0, 6, 0], [0, 7, 0, 0, 8, 0, 0, 0]);

const filesOfFormats = formats.flatMap((format) => STORED_KINDS.map((kind) => [format.id, kind, format] as const));

describe('readStored of a file with one bit changed', () => {
  it.each(filesOfFormats)('%s as .%s: returns the same cells or rejects with a message', async (_, kind, format) => {
    const pieces = await writeStored(encode(MATRIX, format), kind);
    const whole = new Uint8Array(await new Blob([...pieces]).arrayBuffer());
    const cellsOf = async (bytes: Uint8Array): Promise<string> =>
      toDense((await readStored({ name: 'a', bytes })).decode()).join(' ');
    const expected = await cellsOf(whole);
    const bits = 8 * whole.length;
    // An odd step, so that all eight bits of a byte are tried.
    const step = Math.max(1, Math.floor(bits / cases(80, 6000))) | 1;
    let rejected = 0;
    for (let bit = 0; bit < bits; bit += step) {
      const bytes = whole.slice();
      bytes[bit >> 3] ^= 1 << (bit & 7);
      const result: unknown = await cellsOf(bytes).catch((error: unknown) => error);
      if (result instanceof Error) {
        rejected++;
        expect(result, `bit ${bit}: ${result.stack ?? ''}`).toBeInstanceOf(SparseScopeError);
        expect(result.message, `bit ${bit}`).toMatch(/^a: .*(found|expected) /);
        // Only .npz has checksums, so a changed value in safetensors is not detected.
      } else if (kind === 'npz') expect(result, `bit ${bit}`).toBe(expected);
    }
    expect(rejected).toBeGreaterThan(0);
  });
});

const stored = (facts: object, arrays: Readonly<Record<string, Uint8Array>>): ReturnType<typeof readStored> =>
  readStored({
    name: 'a.npz',
    bytes: archive({ 'meta.json': new TextEncoder().encode(JSON.stringify(facts)), ...arrays }),
  });
const FACTS = { format: 'macko', params: '{}', rows: '1', cols: '1', nnz: '1', deltaBits: '4', valueType: 'f16' };

it.each([
  ['an unknown format', { ...FACTS, format: 'sell' }, /^a\.npz: found the format 'sell', expected one of dense, csr, /],
  ['no rows', { ...FACTS, rows: undefined }, /^a\.npz: found no format with rows in its metadata, expected /],
  ['rows that are no number', { ...FACTS, rows: '1e999' }, /^a\.npz: rows: found '1e999', expected a whole number$/],
  [
    'an array under another name',
    FACTS,
    /^a\.npz: found velues, which do not make a matrix in macko; expected what writeStored writes$/,
  ],
])('readStored rejects a file with %s', async (_, facts, text) => {
  await expect(stored(facts, { 'velues.npy': floats([1], [1]) })).rejects.toThrow(text);
});

it('readStored rejects a file of another kind with its name', async () => {
  const bytes = new TextEncoder().encode('# An essay on weights');
  await expect(readStored({ name: 'a.md', bytes })).rejects.toThrow(
    'a.md: found a file of another kind, expected the arrays of a format in .npz or .safetensors',
  );
});
