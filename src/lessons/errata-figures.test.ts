import { beforeAll, describe, expect, it } from 'vitest';
import { formats } from '../formats/catalog.ts';
import { bitmask } from '../formats/bitmask/index.ts';
import { csr } from '../formats/csr/index.ts';
import { ecCsr } from '../formats/ec-csr/index.ts';
import { roundToBf16 } from '../core/number/index.ts';
import { Random } from '../core/number/random.ts';
import { generate } from '../generate/generate.ts';
import { DENSE_BYTES_PER_WEIGHT } from '../theory/models/model-bytes.ts';
import { embeddingWeights, KNOWN_MODELS, matricesOf } from '../theory/models/model-shape.ts';
import { expansionOf, HARDWARE_2_4, storedShare } from '../theory/sliding-sizes.ts';
import { PUBLISHED_A100_SPEEDUPS } from '../theory/sliding-windows.ts';
import { LIFTING_BY_BYTES_F16, PUBLISHED_LIFTING } from '../papers/slidesparse/lifting.ts';
import { numberText } from './expression.ts';
import { lessons } from './index.ts';
import { prepareLesson } from './prepare.ts';
import { CATALOG as catalog } from '../../test/offers.ts';

/** Recomputes what papers print wrong, and checks that the cards of the lesson state the result. */

/** The text of every card by its heading, with its numbers. */
const cards = new Map<string, string>();

beforeAll(async () => {
  const lesson = lessons.find(({ id }) => id === 'where-the-papers-err');
  if (!lesson) return;
  let heading = '';
  for (const { block, lookup } of await prepareLesson(lesson, catalog, formats)) {
    heading = block.heading ?? heading;
    if (block.kind !== 'paragraph') continue;
    const text = block.inline.map((piece) =>
      piece.kind === 'number' ? numberText(piece.expression, lookup) : 'text' in piece ? piece.text : '',
    );
    cards.set(heading, `${cards.get(heading) ?? ''}${text.join('')}\n`);
  }
  // Every card has a figure of its own to encode: on a busy machine that takes longer than a hook may by default.
}, 120_000);

const uniform = (rows: number, cols: number, density: number): ReturnType<typeof generate> =>
  generate({ pattern: 'uniform', rows, cols, density, seed: 1 });

describe('MACKO', () => {
  it('section 5.2: 262.144 MB is the embedding alone; with the head it is 524.288 MB, 3.9 % of the model', () => {
    const [llama] = KNOWN_MODELS;
    expect(llama.name).toBe('Llama-2-7B');
    const head = matricesOf(llama).find(({ names }) => names.includes('lm_head'));
    const embedding = embeddingWeights(llama) * DENSE_BYTES_PER_WEIGHT;
    const both = embedding + (head ? head.rows * head.cols * DENSE_BYTES_PER_WEIGHT : 0);
    expect([embedding, both]).toEqual([262_144_000, 524_288_000]);
    expect(((100 * both) / 13.59e9).toFixed(1)).toBe('3.9');
    expect(cards.get('MACKO: the layers that are not pruned')).toContain('524.288 megabytes: 3.9 % of the 13.59');
  });

  it('section 3.2: a bitmask grows with its matrix, and its share of dense f16 stays one bit in sixteen', () => {
    const maskBytes = (cols: number, density: number): number =>
      bitmask.encode(uniform(32, cols, density), { valueType: 'f16' }).mask.byteLength;
    expect([maskBytes(32, 0.5), maskBytes(64, 0.5), maskBytes(64, 0.1)]).toEqual([128, 256, 256]);
    for (const cols of [32, 64]) expect((8 * maskBytes(cols, 0.5)) / (32 * cols * 16)).toBe(1 / 16);
    const card = cards.get('MACKO: a mask of any size');
    expect(card).toContain('128 bytes');
    expect(card).toContain('256 bytes');
  });

  it('at 30 % zeros dense is faster for 21 of the 91 pairs whose times the authors publish', () => {
    // c_benchmarking/results_16bit/*/results.txt of their repository at density 0.7: microseconds of cuBLAS/MACKO.
    const times = [
      '59/49 166/177 524/502 362/358 562/536 507/487 82/77 174/194 179/193 122/121 173/186 167/177 148/156 149/155 508/489 121/123 295/299 178/191 168/178 343/346 134/138 447/435 449/436 548/522 202/222 720/674 723/706 951/880 337/338 1258/1149 1327/1169',
      '54/51 172/181 583/605 436/382 645/591 574/508 77/66 180/162 204/205 121/118 193/179 185/168 162/152 158/151 561/588 135/125 365/318 194/171 190/193 385/361 134/123 494/448 494/449 608/559 228/205 806/760 848/757 1137/999 396/335 1678/1274 1985/1271',
      '86/86 325/301 1128/1030 768/679 1200/1054 1081/952 132/132 351/324 357/350 223/209 340/301 330/301 275/270 288/255 1086/994 211/214 594/559 355/324 334/325 732/626 255/223 958/842 959/830 1172/1016 408/346 1534/1352 1537/1382 2017/1830 708/616',
    ].flatMap((device) => device.split(' ').map((pair) => pair.split('/').map(Number)));
    const slower = times.filter(([dense, macko]) => macko > dense);
    expect([slower.length, times.length]).toEqual([21, 91]);
    expect(cards.get('MACKO: faster than everything from thirty percent')).toContain(
      'times for 91 pairs of a GPU and a shape. In 21 of them dense is faster.',
    );
  });
});

describe('MACKO, section 3.2', () => {
  it('83 % zeros are for CSR with 32-bit indices to be as small as eight bits; with 16-bit ones it is 75', () => {
    const zeros = ([32, 16] as const).map((bits) => {
      for (let percent = 0; percent <= 100; percent++) {
        const share = csr.expectedEffectiveDensity?.(1 - percent / 100, { valueType: 'f16', indexBits: bits }, SHAPE);
        if (share && share.expected <= 0.5 + 1e-9) return percent;
      }
      return null;
    });
    // The first whole percent; the paper rounds 83.3.
    expect(zeros).toEqual([84, 75]);
    const card = cards.get('MACKO: eighty-three percent for CSR');
    expect(card).toContain('With indices of 32 bits it is 83 %. With 16, also in the paper’s formula, it is 75 %.');
    expect(card).toContain('Here 75 % are zeros');
    expect(card).toContain('0.50 of dense, as eight bits do');
  });
});

const SHAPE = { rows: 4096, cols: 4096 };

describe('EC-SpMV', () => {
  it('section 8.2: deltas of 4 bits alone save more than the 55.4 % of the headline, without a single block', () => {
    // Against CSR with 32-bit indices, which takes 6 bytes in f16; the padding is that of the paper’s table 2.
    expect((100 * (1 - ((2 + 4 / 8) * 1.0635) / 6)).toFixed(1)).toBe('55.7');
    const matrix = uniform(64, 8192, 0.3);
    const defaults = Object.fromEntries(Object.entries(ecCsr.params).map(([name, field]) => [name, field.default]));
    const params = { ...defaults, deltaBits: 4, maxGranularity: 1 } as Parameters<typeof ecCsr.encode>[1];
    const csr32 = matrix.nnz * 6 + (matrix.rows + 1) * 4;
    const saved = 1 - ecCsr.storage(ecCsr.encode(matrix, params)).totalBytes / csr32;
    expect((100 * saved).toFixed(1)).toBe('56.9');
    const card = cards.get('EC-CSR: the headline without a block');
    for (const figure of ['55.4 %', '55.7 %', '56.9 %', 'indices of 32 bits']) expect(card).toContain(figure);
  });

  it('table 3: 6.28 GB are 50.7 % of what is pruned, nearest to 8 bits: 6.12 GB with their blocks, 6.36 without', () => {
    const [llama] = KNOWN_MODELS;
    const head = matricesOf(llama).find(({ names }) => names.includes('lm_head'));
    const both = embeddingWeights(llama) + (head ? head.rows * head.cols : 0);
    const dense = (both * DENSE_BYTES_PER_WEIGHT) / 1e9;
    const sizeAt = (saved: number): number => (12.19 - dense) * (1 - saved) + dense;
    expect((100 * (1 - (6.28 - dense) / (12.19 - dense))).toFixed(1)).toBe('50.7');
    // Without a block, 8 bits are three bytes where CSR takes six, before bases and padding.
    const card = cards.get('EC-CSR: the headline without a block');
    expect(card).toContain('6.28 gigabytes save 50.7 %');
    expect(card).toContain(
      `With deltas of eight bits, it would be ${sizeAt(0.52).toFixed(2)} gigabytes, with four ${sizeAt(0.554).toFixed(2)}.`,
    );
    expect([0.52, 0.5, 0.554].map((saved) => sizeAt(saved).toFixed(2))).toEqual(['6.12', '6.36', '5.73']);
  });

  it('section 8.2: at 90 % zeros 4 bits take 8 % more than 8 in f16 and 17 in f32; 8-bit deltas alone would save more', () => {
    const more = (four: number, eight: number): string => (100 * ((100 - four) / (100 - eight) - 1)).toFixed(0);
    expect([more(41.3, 45.8), more(22.7, 33.7)]).toEqual(['8', '17']);
    // A value and a byte against a value and four, with the padding of table 2.
    const alone = [2, 4].map((value) => 100 * (1 - ((value + 1) * 1.0187) / (value + 4)));
    expect(alone.map((saved) => saved.toFixed(1))).toEqual(['49.1', '36.3']);
    expect([alone[0] - 45.8, alone[1] - 33.7].map((points) => points.toFixed(0))).toEqual(['3', '3']);
    const card = cards.get('EC-CSR: slightly more');
    expect(card).toContain('Four bits take 8 % more in f16, 17 % in f32.');
    expect(card).toContain('save 49.1 and 36.3 %: the rest of the format costs 3 points.');
  });

  it('the listing adds the part of one lane where it means the sum of all', () => {
    const parts = Array.from({ length: 32 }, () => 1);
    const sum = parts.reduce((total, part) => total + part, 0);
    expect(parts[0] / sum).toBe(1 / 32);
    expect(cards.get('EC-CSR: two names for one variable')).toContain('has one of 32 parts');
  });
});

describe('TwELL', () => {
  it('section 4.2: accuracy drops by 1.5 and 1.9 points at the coefficient where it supposedly does not', () => {
    const drop = (from: number, to: number): string => (from - to).toFixed(1);
    const card = cards.get('TwELL: essentially no drop');
    expect(card).toContain(`That is ${drop(46.36, 44.83)} and ${drop(46.57, 44.71)} points.`);
    expect(card).toContain(`it is ${drop(46.36, 46.2)} and ${drop(46.57, 46.46)} points`);
    expect([drop(46.36, 44.83), drop(46.57, 44.71)]).toEqual(['1.5', '1.9']);
  });

  it('table 1: peak memory falls for three models and rises for the largest', () => {
    const peaks = [
      [26.2, 21.2],
      [44.5, 33.1],
      [62.8, 45.1],
      [46.7, 57.1],
    ].map(([dense, sparse]) => Math.round(100 * (sparse / dense - 1)));
    expect(peaks).toEqual([-19, -26, -28, 22]);
    const card = cards.get('TwELL: all benefits grow');
    expect(card).toContain('Three need less: 19, 26 and 28 %. The largest needs 22 % more.');
    expect(card).toContain('trains more slowly, by 1.4 %');
  });

  it('section 4.3: a power of the position is straight on two logarithmic axes, and an exponential is not', () => {
    const slopes = (law: (at: number) => number): readonly number[] =>
      [1, 2, 4].map((at) => Math.log(law(2 * at) / law(at)) / Math.log(2));
    for (const slope of slopes((at) => at ** -0.5)) expect(slope).toBeCloseTo(-0.5, 12);
    const [first, second, third] = slopes((at) => Math.exp(-at));
    expect([second / first, third / first]).toEqual([expect.closeTo(2, 12), expect.closeTo(4, 12)]);
    expect(cards.get('TwELL: an exponential on two logarithmic axes')).toContain('An exponential bends');
  });

  it('section 4.2: several hundred non-zeros are said of some tokens, not of the first ones', () => {
    expect(cards.get('TwELL: odds of an average token')).toContain('Some tokens have that many: by section 4.2');
  });

  it('table 1 and tables 3 to 5 cannot be one measurement of one model, whatever the rounding', () => {
    const ratio = ([from, to]: readonly [number, number], half: readonly [number, number]): readonly number[] => [
      (to - half[1]) / (from + half[0]),
      (to + half[1]) / (from - half[0]),
    ];
    // Tokens per millisecond and millijoules per token, dense and sparse, as they are printed.
    const [, maxOfTable3] = ratio([117.1, 138], [0.05, 0.05]);
    expect(maxOfTable3).toBeLessThan(1.1875); // + 18.8 %
    const [minOfTable3] = ratio([5.77, 5.07], [0.005, 0.005]);
    const [minOfTable4] = ratio([5.79, 5.07], [0.005, 0.005]);
    expect(Math.min(minOfTable3, minOfTable4)).toBeGreaterThan(0.8505); // − 15.0 %
    expect(cards.get('TwELL: one model, two gains')).toContain('12.1 % less energy');
  });

  it('table 3: 5.82 mJ is at least 0.6 % more than 5.77, whatever the rounding, and not 0.1 %', () => {
    expect(5.815 / 5.775 - 1).toBeGreaterThan(0.006);
    expect(cards.get('TwELL: a tenth of a percent')).toContain('0.9 % more.');
  });

  it('section 3.3: a row of Wu has the length of the neurons, and x that of the inputs', () => {
    const card = cards.get('TwELL: rows and columns of the weights');
    expect(card).toContain('a row of it has 5\u202f632 numbers. A token has 2\u202f048');
  });

  it('appendix A: four roundings to bf16 leave 0.33 %, sums of products in f32 less than a millionth', () => {
    const [rounded, kept] = errorsOfListing2();
    expect(100 * rounded).toBeGreaterThan(0.31);
    expect(100 * rounded).toBeLessThan(0.35);
    expect(kept).toBeLessThan(1e-6);
    expect(cards.get('TwELL: an accumulator in f32')).toContain('4 roundings leave an error of 0.33 % of the result');
  });

  it('table 6: means differ by 0.3 points at most, single tasks by up to 3.6, both ways', () => {
    // Mean, HellaSwag, CQA, PIQA, Winogrande, ARC-easy, ARC-challenge and OpenBookQA; dense and sparse by size.
    const table = [
      [40.4, 33.7, 20.9, 64.5, 50.9, 64.1, 28.1, 20.8],
      [40.4, 34.0, 22.3, 66.4, 53.8, 60.5, 27.5, 18.0],
      [44.6, 39.2, 20.0, 68.7, 54.4, 72.6, 34.0, 23.6],
      [44.7, 39.8, 18.6, 68.1, 54.8, 71.6, 35.3, 24.4],
      [46.4, 41.0, 20.8, 70.2, 55.9, 72.5, 36.7, 27.4],
      [46.2, 41.1, 21.0, 69.1, 54.4, 74.3, 37.5, 26.0],
      [49.1, 45.7, 21.0, 72.0, 57.8, 77.2, 41.7, 28.6],
      [48.8, 45.0, 21.3, 70.9, 57.5, 75.6, 42.2, 28.8],
    ];
    const changes = [0, 2, 4, 6].map((row) => table[row].map((dense, task) => table[row + 1][task] - dense));
    const largest = (of: readonly number[]): string => Math.max(...of.map(Math.abs)).toFixed(1);
    expect([largest(changes.map(([mean]) => mean)), largest(changes.flatMap((row) => row.slice(1)))]).toEqual([
      '0.3',
      '3.6',
    ]);
    const card = cards.get('TwELL: no significant differences');
    expect(card).toContain('differ by 0.3 points at most, single tasks by up to 3.6');
    expect(card).toContain('ARC-easy falls from 64.1 to 60.5 %, OpenBookQA from 20.8 to 18.0');
  });

  it('table 2: the card quotes both bases, and says what it assumes', () => {
    const card = cards.get('TwELL: settings of training');
    expect(card).toContain('a base of 10\u202f000');
    expect(card).toContain('a base of 100\u202f000, and name SiLU');
    expect(card).toContain('we assume that');
  });

  it('figure 11: the printed coefficient is ten to the eight times the one of the text', () => {
    expect(Math.round(1e4 / 1e-4)).toBe(1e8);
    expect(cards.get('TwELL: powers of ten')).toContain('Figure 11 has one of ten to the four.');
  });

  it('the card on the L1 term separates what the code does from our assumptions', () => {
    const card = cards.get('TwELL: what the term divides by') ?? '';
    expect(card).toContain('It does not divide by the neurons.');
    expect(card).toContain('we assume that');
    expect(card).not.toContain('The coefficients of the paper belong to its code.');
  });
});

/** Relative errors (rms) of y by listing 2, which rounds to bf16 four times, and with products in f32; y in f64 is right. */
function errorsOfListing2(): readonly [rounded: number, kept: number] {
  const random = new Random(1);
  const draw = (): number => roundToBf16(random.normal());
  const vector = (): readonly number[] => Array.from({ length: WIDTH }, draw);
  const error = { rounded: 0, kept: 0 };
  let size = 0;
  for (let token = 0; token < 4; token++) {
    const x = vector();
    const y = Array.from({ length: WIDTH }, () => ({ right: 0, rounded: 0, kept: 0 }));
    for (let neuron = 0; neuron < 29; neuron++) {
      const h = Math.abs(draw());
      const [up, down] = [vector(), vector()];
      const u = { right: 0, rounded: 0, kept: 0 };
      for (let k = 0; k < WIDTH; k++) {
        u.right += x[k] * up[k];
        u.rounded = Math.fround(u.rounded + roundToBf16(x[k] * up[k]));
        u.kept = Math.fround(u.kept + x[k] * up[k]);
      }
      const scaled = roundToBf16(h * roundToBf16(u.rounded));
      for (let k = 0; k < WIDTH; k++) {
        y[k].right += h * u.right * down[k];
        y[k].rounded = Math.fround(y[k].rounded + roundToBf16(scaled * down[k]));
        y[k].kept = Math.fround(y[k].kept + Math.fround(h * u.kept) * down[k]);
      }
    }
    for (const { right, rounded, kept } of y) {
      error.rounded += (rounded - right) ** 2;
      error.kept += (kept - right) ** 2;
      size += right ** 2;
    }
  }
  return [Math.sqrt(error.rounded / size), Math.sqrt(error.kept / size)];
}

/** Inputs and outputs of the block. */
const WIDTH = 2048;

describe('SlideSparse', () => {
  /** Table 1 of appendix D.2, microseconds of quantising alone and with lifting, 6:8: A100, H100, B200. */
  const LATENCIES = [
    [18.4, 27.7],
    [30.7, 44],
    [60.4, 77.8],
    [109.6, 141.3],
    [26.6, 34.7],
    [47.3, 64.2],
    [95.7, 119.3],
    [18.4, 25.5],
    [27.4, 40.8],
    [46.2, 70.6],
  ] as const;

  it('appendix D.2: lifting adds up to 3.2 % of a millisecond, not below 3 %', () => {
    const max = Math.max(...LATENCIES.map(([alone, lifted]) => lifted - alone));
    expect((max / 10).toFixed(1)).toBe('3.2');
    expect(cards.get('SlideSparse: what lifting costs')).toContain('up to 31.7 microseconds: 3.2 % of a millisecond');
  });

  it('section 4.2: lifting writes half as much again, moves a sixth more, and takes 29 to 50 % longer on an A100', () => {
    expect(LIFTING_BY_BYTES_F16 - 1).toBeCloseTo(1 / 6, 10);
    const longer = PUBLISHED_LIFTING.map(({ overhead }) => Math.round(100 * (overhead - 1)));
    expect([Math.min(...longer), Math.max(...longer)]).toEqual([29, 50]);
    const card = cards.get('SlideSparse: what lifting costs');
    expect(card).toContain('17 % more bytes are moved');
    expect(card).toContain('29 to 50 % longer');
  });

  it('sections 5.3 and D.4.2: 6:8 reads a sixteenth less in i8, which is neither a quarter nor nothing', () => {
    expect(storedShare(8, HARDWARE_2_4, 8)).toBe(15 / 16);
    expect(storedShare(8, HARDWARE_2_4, 16)).toBe(27 / 32);
    const card = cards.get('SlideSparse: what decoding reads');
    expect(card).toContain('7.5 bytes, where dense takes 8');
    expect(card).toContain('at most 1.07 times');
  });

  it('theorem 2 and section C.1.7: the cards say the ranges that the tests of the theorems find', () => {
    const room = cards.get('SlideSparse: room for all, and still no place') ?? '';
    expect(room).toContain('at least half of a window, or if one window can take all weights');
    expect(room).not.toContain('no proof');
    const single = cards.get('SlideSparse: one of four for any pattern') ?? '';
    expect(single).toContain('at most 3 zeros, and so all patterns of this paper');
  });

  it('appendix D.5: Amdahl’s law gives 116 % from the kernels and the 2:4 model that the paper prints, and 114 to 116 over its range', () => {
    // Kernels in int8 on an A100 from section 5.2, prefill of the 7B with 2:4 from appendix D.4.1.
    const [two, six] = ['2:4', '6:8'].map((pattern) => PUBLISHED_A100_SPEEDUPS.get(pattern) ?? Number.NaN);
    const efficiencyOf = (model: number): number => {
      const share = (1 - 1 / model) / (1 - 1 / two);
      return (expansionOf(8, HARDWARE_2_4) * (1 / (1 - share * (1 - 1 / six)))) / model;
    };
    expect([1.69, 1.75].map((model) => Math.round(100 * efficiencyOf(model)))).toEqual([116, 114]);
    const card = cards.get('SlideSparse: more than all of it');
    expect(card).toContain('products are 79 % of its time. With six of eight it then gains 1.30.');
    expect(card).toContain('an efficiency of 116 %');
    expect(card).not.toContain('20 %');
  });

  it('appendix D.4.3: of the gain of kernels 62 to 71 % arrive in the 14B on an A100, of their speed 79 to 85', () => {
    const [kernels, models] = [
      [2.18, 2.08],
      [1.73, 1.77],
    ];
    const gain = models.map((model, i) => Math.round((100 * (model - 1)) / (kernels[i] - 1)));
    const speed = models.map((model, i) => Math.round((100 * model) / kernels[i]));
    const card = cards.get('SlideSparse: what arrives in a model');
    expect([gain, speed]).toEqual([
      [62, 71],
      [79, 85],
    ]);
    expect(card).toContain(`${gain.join(' to ')} % of the gain arrive`);
    expect(card).toContain(`${speed.join(' to ')} % of the speed`);
  });

  it('appendix D.4: on an H100 decoding gains up to 1.49, more than prefill ever does there', () => {
    const card = cards.get('SlideSparse: prefill before decoding');
    expect(card).toContain('prefill at 1.34 to 1.45, decoding at 1.21 to 1.49');
    expect(card).toContain('1.73 to 1.77 against 1.24 to 1.40');
  });

  it('section 3.2: twelve slots for eight columns are an expansion; that of 8:10 leaves 1.25 of an alpha of 2', () => {
    const card = cards.get('SlideSparse: how much longer a row gets');
    expect(card).toContain(`twelve slots for eight columns a speedup of ${expansionOf(8, HARDWARE_2_4).toFixed(1)}.`);
    expect(card).toContain(`It gets ${expansionOf(10, HARDWARE_2_4).toFixed(2)} times as long.`);
    expect(card).toContain(
      `With an alpha of 2, a speedup of ${(2 / expansionOf(10, HARDWARE_2_4)).toFixed(2)} remains`,
    );
  });

  it('theorem 1: the last of the windows is left with no more than it takes', () => {
    // Of 6 non-zeros in 8 columns, two full windows leave 2.
    const card = cards.get('SlideSparse: the last window');
    expect(card).toContain('With 8 columns there are 3 windows');
    expect(card).toContain('If all are full, 2 are left for the last');
  });

  it('appendix D.5.3 and section 5.1: statements that contradict each other are quoted with their numbers', () => {
    const near = cards.get('SlideSparse: what arrives in a model');
    for (const figures of ['95 to 105 %', '84 to 105 %', '100 to 120 %', '115 to 134 %'])
      expect(near).toContain(figures);
    expect(cards.get('SlideSparse: how many GPUs')).toContain('Six GPUs of four generations, four of them in figure 6');
  });
});
