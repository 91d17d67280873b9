import { describe, expect, it } from 'vitest';
import { defaultParams } from '../../../core/format.ts';
import { formats, referenceFormat } from '../../../formats/catalog.ts';
import type { MatrixSummary } from '../../../engine/matrix/matrix-types.ts';
import type { FormatParams } from '../../../state/index.ts';
import { matricesOf, weightsOf } from '../../../theory/models/model-shape.ts';
import { KNOWN_MODELS } from '../../../theory/models/known-models.ts';
import type { DeviceSpeed } from '../model/model-view.ts';
import type { CompareRow } from './compare-row.ts';
import { modelRows, type ModelRowsInput, suitedVariants } from './model-rows.ts';
import { cardsFor, marksWithSpace } from './bar-marks.ts';
import { visibleRows, sortedRows } from './table-rows.ts';
import { type StoredVariant, storedVariantOf, comparedVariants } from './stored-variants.ts';

const LLAMA_3 = KNOWN_MODELS.find(({ name }) => name === 'Llama-3.1-8B') ?? KNOWN_MODELS[0];
const LLAMA_2 = KNOWN_MODELS[0];
const SHAPE = { rows: 4096, cols: 14_336 };
const params = Object.fromEntries(formats.map((f) => [f.id, defaultParams<FormatParams>(f.params)]));
const dense = (valueType: string): StoredVariant => storedVariantOf(referenceFormat, { valueType }, SHAPE);
const variants = comparedVariants(formats, params, [], SHAPE);

const READS: DeviceSpeed = { readGBps: 4590, dispatchNs: 0, from: 'measured' };

function rowsOf(changed: Partial<ModelRowsInput> = {}): readonly CompareRow[] {
  const density = changed.density ?? 0.5;
  return modelRows({
    variants: suitedVariants(variants, [], density, SHAPE),
    summary: { ...SHAPE, source: { kind: 'model', model: 'llama-3.1-8b' } } as unknown as MatrixSummary,
    examples: formats.map(({ bestExample: { id } }) => ({ id, title: '', url: '' })),
    model: LLAMA_3,
    fusion: 'separate',
    keepHead: true,
    density,
    placement: 'independent',
    tokens: 1,
    reference: dense('f16'),
    smallest: dense('i4'),
    reports: [],
    device: 'NVIDIA H200',
    measuredHere: [],
    deviceSpeed: READS,
    sampled: new Map(),
    ...changed,
  });
}

function row(rows: readonly CompareRow[], id: string, detail = ''): CompareRow {
  const found = rows.find((row) => row.format.id === id && row.detail.startsWith(detail));
  if (!found) throw new Error(`no row of ${id} ${detail}`);
  return found;
}

const gigabytes = ({ bytes }: CompareRow): string => ((bytes ?? 0) / 1e9).toFixed(1);

describe('rows of a model', () => {
  const rows = rowsOf();

  it.each([
    ['bitmask', 'i4', '4.9', '50\u202f% left', 0.78],
    ['macko', 'i4', '5.8', '50\u202f% left', 0.53],
    ['dense', 'i4', '6.0', 'no pruning', undefined],
    ['slidesparse', 'i8', '6.5', '2 of every 4', null],
    ['dense', 'i8', '9.1', 'no pruning', undefined],
    ['slidesparse', 'f16', '10.0', '2 of every 4', null],
    ['bitmask', 'f16', '10.0', '50\u202f% left', 0.22],
    ['macko', 'f16', '10.8', '50\u202f% left', 0.22],
    ['dense', 'f16', '16.1', 'no pruning', undefined],
    ['csr', 'f16', '16.1', '50\u202f% left', 0.14],
    ['ell', 'f16', '16.8', '50\u202f% left', 0.12],
  ])('a row of Llama-3.1-8B at density 0.5: %s %s has %s GB with %s', (id, detail, size, needs, evenDensity) => {
    const found = row(rows, id, detail);
    expect([gigabytes(found), found.needs, found.state]).toEqual([size, needs, 'known']);
    expect(found.evenWithI4 && Math.round(found.evenWithI4 * 100) / 100).toBe(evenDensity);
    const sum = (found.parts ?? []).reduce((bytes, part) => bytes + part.bytes, 0);
    expect(Math.abs(sum - (found.bytes ?? 0)) / (found.bytes ?? 1)).toBeLessThan(1e-6);
  });

  it('dense, which needs no pruning, has no zeros as padding; BSR has', () => {
    expect(row(rows, 'dense', 'f16').parts?.find(({ role }) => role === 'padding')?.bytes).toBe(0);
    expect(row(rows, 'bsr').parts?.find(({ role }) => role === 'padding')?.bytes).toBeGreaterThan(1e9);
  });

  it('formats that cannot store the weights have one row each, and rows with fewer bits are shown on request', () => {
    expect(row(rows, 'twell')).toMatchObject({ state: 'refused', remedy: { kind: 'open' } });
    expect(row(rows, 'ec-csr')).toMatchObject({ state: 'open', bytes: null });
    const namesOf = (shown: readonly CompareRow[]): readonly string[] =>
      shown.map(({ format, detail }) => `${format.id} ${detail}`);
    const sides = { rows, a: row(rows, 'ec-csr'), b: null };
    const usual = visibleRows(sides, false);
    expect(namesOf(usual).filter((name) => /\bi[48]\b/.test(name))).toEqual(['dense i4']);
    for (const id of ['twell', 'hybrid']) expect(usual.filter(({ format }) => format.id === id)).toHaveLength(1);
    const names = namesOf(visibleRows(sides, true));
    expect(names).toEqual(expect.arrayContaining(['dense i8', 'bitmask i4', ...namesOf(usual)]));
    // Format B has rows too.
    expect(namesOf(visibleRows({ ...sides, a: row(rows, 'dense', 'i4') }, false))).toEqual(names);
  });

  it('rows of a model have the bytes from encoding a matrix of each shape', () => {
    const variant = row(rows, 'ec-csr');
    const shapes = matricesOf(LLAMA_3).filter(({ names }) => !names.includes('lm_head'));
    const sampled = new Map(shapes.map(({ rows: height, cols }) => [`${height}x${cols}`, height * cols]));
    const found = row(rowsOf({ sampled: new Map([[variant.key, sampled]]) }), 'ec-csr');
    const inBlocks = shapes.reduce((sum, { rows: height, cols, count }) => sum + height * cols * count, 0);
    const keptDenseBytes = (weightsOf(LLAMA_3) - inBlocks) * 2;
    expect(found).toMatchObject({ state: 'known', bytes: inBlocks + keptDenseBytes, isExpected: true });
  });

  it('a row is rejected if the density is too high, with the pruning that helps', () => {
    expect(row(rowsOf({ density: 0.95 }), 'slidesparse', 'f16')).toMatchObject({
      state: 'refused',
      remedy: { kind: 'prune', kept: 6, group: 8 },
    });
    expect(row(rowsOf({ density: 0.75 }), 'slidesparse', 'f16').detail).toBe('f16, 6:8');
  });

  it('rows of a model of a mixture have the bytes of all experts, and a token reads only its active experts', () => {
    const model = KNOWN_MODELS.find(({ name }) => name === 'Mixtral-8x7B') ?? LLAMA_3;
    const found = row(
      rowsOf({ model, deviceSpeed: { readGBps: 1000, dispatchNs: 0, from: 'published' } }),
      'dense',
      'f16',
    );
    expect([found.bytes, found.readBytes]).toEqual([2 * 46_702_526_464, 2 * 12_748_587_008]);
    expect(found.minNs).toBeCloseTo((2 * 12_748_587_008) / 1000, -2);
    const macko = row(rowsOf({ model, density: 0.5 }), 'macko', 'f16');
    expect([(macko.bytes ?? 0) / 1e9, (macko.readBytes ?? 0) / 1e9].map((size) => size.toFixed(1))).toEqual([
      '58.6',
      '16.0',
    ]);
    expect(sortedRows(rowsOf({ model }), 'read', false)[0].format.id).toBe('bitmask');
  });

  // Numbers of weights that a token reads, from the sizes in each config.json: weights that are stored in a format, and weights
  // that stay dense (routers and lm_head). A weight has 2 bytes in f16; in i4 it has 0.5 + 2 / 32, with an f16 scale for 32.
  it.each([
    ['Llama-3.1-8B', 32 * (2 * 4096 * 4096 + 2 * 1024 * 4096 + 3 * 14_336 * 4096), 128_256 * 4096],
    ['Qwen2.5-0.5B', 24 * (2 * 896 * 896 + 2 * 128 * 896 + 3 * 4864 * 896), 151_936 * 896],
    ['GPT-2', 12 * (4 * 768 * 768 + 2 * 3072 * 768), 50_257 * 768],
    ['Mixtral-8x7B', 32 * (2 * 4096 * 4096 + 2 * 1024 * 4096 + 2 * 3 * 14_336 * 4096), 32 * 8 * 4096 + 32_000 * 4096],
    [
      'Qwen3-30B-A3B',
      48 * (2 * 4096 * 2048 + 2 * 512 * 2048 + 8 * 3 * 768 * 2048),
      48 * 128 * 2048 + 151_936 * 2048, // 743 tokens a second in f16, 2077 in i4
    ],
    [
      'DeepSeek-V2-Lite',
      27 * (3072 * 2048 + 576 * 2048 + 4096 * 512 + 2048 * 2048) +
        3 * 10_944 * 2048 +
        26 * (6 * 3 * 1408 * 2048 + 3 * 2816 * 2048),
      26 * 64 * 2048 + 102_400 * 2048,
    ],
  ])(
    'the time of %s is bounded by the bytes that a token reads, not by starts of kernels',
    (name, inFormat, keptDense) => {
      const model = KNOWN_MODELS.find((model) => model.name === name) ?? LLAMA_3;
      const rows = rowsOf({ model, deviceSpeed: { readGBps: 4520, dispatchNs: 1260, from: 'measured' } });
      const perSecond = (detail: string): number => 1e9 / (row(rows, 'dense', detail).minNs ?? 0);
      expect(perSecond('f16') / (4520e9 / (2 * (inFormat + keptDense)))).toBeCloseTo(1, 4);
      expect(perSecond('i4') / (4520e9 / (0.5625 * inFormat + 2 * keptDense))).toBeCloseTo(1, 4);
    },
  );

  it.each(KNOWN_MODELS)('the bound on the speed of $name is lower at a higher density', (model) => {
    const deviceSpeed: DeviceSpeed = { readGBps: 4520, dispatchNs: 1260, from: 'measured' };
    for (const id of ['macko', 'csr', 'bitmask']) {
      const times = [0.02, 0.1, 0.5, 0.9].map(
        (density) => row(rowsOf({ model, density, deviceSpeed }), id, 'f16').minNs ?? 0,
      );
      expect(new Set(times).size, id).toBe(4);
      expect(times, id).toEqual(times.toSorted((x, y) => x - y));
    }
  });
});

it('sorts a model by the pruning, the cards, and the density at which it is as small as dense i4', () => {
  const rows = rowsOf().filter(({ state }) => state === 'known');
  const evenDensities = sortedRows(rows, 'same', true).map(({ evenWithI4 }) => evenWithI4 ?? 0);
  expect(evenDensities).toEqual(evenDensities.toSorted((a, b) => b - a));
  expect(sortedRows(rows, 'fits', false).map(gigabytes)).toEqual(sortedRows(rows, 'bytes', false).map(gigabytes));
});

it('sorts a model by whole tokens if they are shown instead of its matrices', () => {
  const [a, b] = rowsOf().filter(({ state }) => state === 'known');
  const rows = [
    { ...a, tokenNs: 2, measuredNs: 1 },
    { ...b, tokenNs: 1, measuredNs: null },
  ];
  expect(sortedRows(rows, 'measured', false)[0].key).toBe(b.key);
});

it('shows four cards, the largest of which fits the model if one does', () => {
  expect([1e9, 16.1e9, 30e9, 140e9].map(cardsFor)).toEqual([
    [8, 12, 16, 24],
    [8, 12, 16, 24],
    [12, 16, 24, 48],
    [16, 24, 48, 80],
  ]);
});

it('names the marks with enough space, from the right', () => {
  const marks = [16, 24, 48, 80].map((bytes) => ({ bytes }));
  expect(marksWithSpace(marks, 160).map(({ bytes }) => bytes)).toEqual([24, 48, 80]);
  expect([marksWithSpace(marks, 80).map(({ bytes }) => bytes), marksWithSpace([], 1)]).toEqual([[24, 48, 80], []]);
});

describe('whole tokens', () => {
  it('whole tokens have their matrices as a part, measured in the same tokens, and never more than the whole', () => {
    const [dense] = rowsOf({ model: LLAMA_2, density: 0.5 });
    expect([Math.round(dense.tokenNs ?? 0), dense.matricesNs]).toEqual([3_875_969, 3_511_514]);
    for (const density of [0.5, 0.3, 0.1]) {
      for (const modelRow of rowsOf({ model: LLAMA_2, density })) {
        expect(modelRow.matricesNs === undefined).toBe(modelRow.tokenNs === null);
        if (modelRow.tokenNs !== null) expect(modelRow.tokenNs - (modelRow.matricesNs ?? 0)).toBeGreaterThan(0);
      }
    }
  });
});
