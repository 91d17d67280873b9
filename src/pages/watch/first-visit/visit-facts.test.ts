import { describe, expect, it } from 'vitest';
import { CATALOG } from '../../../../test/fake-engine.ts';
import { csrMatrix } from '../../../core/matrix/index.ts';
import { namedArrays } from '../../../core/format.ts';
import { formatById, formats } from '../../../formats/registry.ts';
import { type AppDocument, defaultDocument, defaultChoice } from '../../../state/index.ts';
import { visitFacts } from './visit-facts.ts';
import { slotsOf } from './row-animation.ts';

const defaultDoc = defaultDocument({ ...CATALOG, formats });
const DOC: AppDocument = {
  ...defaultDoc,
  format: 'macko',
  formatB: defaultChoice({ formats }, 'dense'),
  source: {
    kind: 'pruned',
    base: { kind: 'model', model: 'llama-3.1-8b', layer: 12, matrix: 'down' },
    pruning: { way: 'magnitude', density: 0.5 },
  },
  window: { row: 10, col: 3169, rows: 5, cols: 32 },
};
const facts = visitFacts(DOC, formats, 32);
const sparse = visitFacts(
  {
    ...DOC,
    source: { ...DOC.source, pruning: { way: 'magnitude', density: 0.1 } } as AppDocument['source'],
    window: { row: 11, col: 3169, rows: 5, cols: 32 },
  },
  formats,
  32,
);
if (!facts || !sparse) throw new Error('found no facts, expected some of a pruned matrix of a model');

describe('the facts of the first screen', () => {
  it('have the bytes of the whole matrix in closed form, within 0.1 % of the recorded encoding', () => {
    expect(facts.shape).toEqual({ rows: 4096, cols: 14336 });
    expect(facts.b.bytes).toBe(4096 * 14336 * 2);
    // The bytes of the recorded matrix that the kernel moved, without x and y.
    const recorded = 73_474_344 - 2 * 14_336 - 4 * 4096;
    expect(Math.abs(facts.a.bytes / recorded - 1)).toBeLessThan(0.001);
    expect(facts.keptBytes).toBe(4096 * 14336);
    expect(facts.unpruned).toMatchObject({ bits: 4, bytes: (4096 * 14336 * 4.5) / 8 });
    expect(facts.slotBits).toBe(20);
  });

  it('have the weights of a row of the window with its edits, fewer at a lower density', () => {
    const factsAt = (density: number, edited: string | null = null) =>
      visitFacts(
        { ...DOC, source: { ...DOC.source, pruning: { way: 'magnitude', density } } as AppDocument['source'], edited },
        formats,
        32,
      );
    expect(factsAt(0.5)?.entries.map(({ column }) => column)).toEqual([
      2, 3, 4, 7, 8, 10, 12, 14, 16, 19, 20, 21, 24, 25, 28, 29,
    ]);
    expect([0, 0.1, 0.7, 1].map((left) => factsAt(left)?.entries.length)).toEqual([0, 3, 23, 32]);
    expect(factsAt(0.5, '0:1;3:-2,,,,')?.entries).toEqual([0, 3].map((column, i) => ({ column, value: [1, -2][i] })));
    expect([0, 1].map((left) => Math.round((factsAt(left)?.a.bytes ?? 0) / 1e5) / 10)).toEqual([0, 146.8]);
  });

  it('lead to the slots that the encoder stores, with zeros that bridge long gaps', () => {
    // At a density of 0.1 a gap is longer than 4 bits can store.
    const { entries, a } = sparse;
    const cols = 32;
    const row = csrMatrix({
      rows: 1,
      cols,
      indptr: Uint32Array.of(0, entries.length),
      indices: Uint32Array.from(entries, ({ column }) => column),
      data: Float32Array.from(entries, ({ value }) => value),
    });
    const macko = formatById('macko');
    const encoded = macko.encode(row, a.params);
    const { buffer } = namedArrays(encoded).get('deltas') ?? new Uint8Array();
    const deltas = new Uint8Array(buffer);
    const slots = slotsOf(sparse, entries);
    const stored = slots.map((_, i) => (deltas[i >> 1] >> (4 * (i & 1))) & 15);
    expect(slots.map(({ gap }) => gap)).toEqual(stored);
    const zeros = slots.filter(({ isZero }) => isZero);
    expect(zeros.map(({ gap }) => gap)).toEqual([15]);
    expect(slots).toHaveLength(entries.length + 1);
    expect(a.format.headline?.storedPerWeight?.says(a.params)).toBe('how many columns are skipped before it, 4 bits');
  });

  it('are null for a matrix that is not pruned, or of no model', () => {
    expect(visitFacts(defaultDoc, formats, 32)).toBeNull();
    expect(visitFacts({ ...DOC, source: { kind: 'model', model: 'llama-3.1-8b' } }, formats, 32)).toBeNull();
    expect(visitFacts({ ...DOC, formatB: null }, formats, 32)).toBeNull();
  });
});
