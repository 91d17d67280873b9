import { describe, expect, it } from 'vitest';
import { ABSENT } from '../../../core/kernel/loads.ts';
import { formats } from '../../../formats/catalog.ts';
import type { ListedKernel } from '../kernel-list.ts';
import { countsOf, type KindCounts } from './kinds.ts';
import { lanePicture } from './lane-picture.ts';
import { kernelBeside, modelledKernels, nameBeside } from './memory-choices.ts';
import { memoryWords, rangesText } from './memory-words.ts';

const counts = (change: Partial<KindCounts> = {}): KindCounts => ({
  arrays: ['x'],
  space: 'storage',
  histogram: Float64Array.of(0, 2, 3),
  loads: 5,
  asked: 64,
  cost: 8,
  usedBytes: 256,
  ...change,
});

const text = (...of: Parameters<typeof memoryWords>): string =>
  memoryWords(...of).reduce((all, word) => all + word.text, '');

describe('the sentence about loads', () => {
  it('compares the lines that as many lanes touch as a subgroup has, and what is used of them', () => {
    const other = { name: 'CSR', counts: counts({ cost: 16 }) };
    expect(text('x', 32, { name: 'bitmask', counts: counts() }, other)).toBe(
      'Bitmask’s gathers of x touch 4.0 lines of 128 bytes for every 32 lanes, where CSR’s touch 8.0; they use 25\u202f% of the bytes in them, and CSR’s 13\u202f%.',
    );
  });

  it('stands without another, and says where one loads nothing of the kind', () => {
    const own = { name: 'ELL', counts: counts() };
    expect(text('values', 32, own, null)).toBe(
      'ELL’s loads of values touch 4.0 lines of 128 bytes for every 32 lanes, and use 25\u202f% of the bytes in them.',
    );
    expect(text('indices', 32, own, { name: 'dense', counts: null })).toMatch(/; dense loads no indices\.$/);
    expect(text('indices', 32, { name: 'dense', counts: null }, own)).toBe('Dense loads no indices.');
    expect(text('x', 32, { name: 'ELL', counts: counts({ asked: 0 }) }, null)).toBe('ELL loads no x.');
  });

  it('tells turns of workgroup memory apart from lines', () => {
    const staged = { name: 'MACKO', counts: counts({ space: 'workgroup' }) };
    expect(text('x', 32, staged, { name: 'CSR', counts: counts() })).toMatch(
      /^MACKO’s gathers of x take 4.0 turns of 128 bytes for every 32 lanes, where CSR’s touch 4.0 lines;/,
    );
    expect(text('copy', 32, { name: 'CSR', counts: null }, staged)).toBe('CSR makes no copy of x.');
  });

  it('tells rows as a range, or one by one', () => {
    expect([[4], [3, 4, 5], [0, 384]].map(rangesText)).toEqual(['4', '3 to 5', '0, 384']);
    expect(rangesText([0, 2, 4, 6, 8, 10, 12, 14, 16, 18])).toBe('0, 2, 4, 6, 8, 10, 12, 14 and 2 more');
  });
});

describe('counts of a kind', () => {
  it('are those of all its arrays together', () => {
    const array = { of: 'indices', bytes: 8, ...counts() } as const;
    expect(
      countsOf(
        [
          { ...array, name: 'a' },
          { ...array, name: 'b' },
        ],
        'indices',
      ),
    ).toMatchObject({
      arrays: ['a', 'b'],
      histogram: Float64Array.of(0, 4, 6),
      loads: 10,
      cost: 16,
    });
    expect(countsOf([{ ...array, name: 'a' }], 'x')).toBeNull();
  });
});

describe('the picture of a load', () => {
  it('has a row for each line that is touched, in the order of the array', () => {
    expect(lanePicture('storage', { itemBytes: 8 }, [17, ABSENT, 1, 16])).toEqual({
      space: 'storage',
      lanes: 4,
      rows: [
        { at: 0, words: [2, 3] },
        { at: 128, words: [0, 1, 2, 3] },
      ],
      links: [
        { lane: 0, row: 1, word: 2, words: 2, byte: 136 },
        { lane: 2, row: 0, word: 2, words: 2, byte: 8 },
        { lane: 3, row: 1, word: 0, words: 2, byte: 128 },
      ],
    });
  });

  it('has of workgroup memory a row for each turn of the banks; lanes at one word share it', () => {
    const { rows, links } = lanePicture('workgroup', { itemBytes: 4 }, [0, 32, 0, 33]);
    expect(rows).toEqual([
      { at: 1, words: [0, 1] },
      { at: 2, words: [0] },
    ]);
    expect(links.map(({ row }) => row)).toEqual([0, 1, 0, 0]);
  });
});

describe('kernels side by side', () => {
  const modelled = modelledKernels(formats);
  const kernel = (id: string): ListedKernel => modelled.find((one) => one.kernel.id === id) ?? modelled[0];

  it('are those with a model: some of y = A x for each of six formats', () => {
    expect(modelled.every((one) => one.kernel.operation === 'spmv')).toBe(true);
    expect(new Set(modelled.map(({ format }) => format.id)).size).toBe(6);
  });

  it('are the one that was chosen, or one of another format', () => {
    const shown = modelled[0];
    for (const one of modelled) {
      expect(kernelBeside(modelled, one, '')?.format.id).not.toBe(one.format.id);
      if (one !== shown) expect(kernelBeside(modelled, shown, one.kernel.id)).toBe(one);
    }
    expect(kernelBeside(modelled, shown, 'none')).toBeNull();
  });

  it('are told apart by their formats, or by their names where those are the same', () => {
    const [a, b] = modelled.filter(({ format }) => format.id === modelled[0].format.id);
    expect(nameBeside(a, b)).toBe(a.kernel.id);
    expect(nameBeside(a, kernel(modelled.at(-1)?.kernel.id ?? ''))).toBe(a.format.title);
  });
});
