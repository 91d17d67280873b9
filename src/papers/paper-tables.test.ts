import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { L1_ACCURACY } from '../theory/models/published-losses.ts';
import { published as csr } from '../formats/csr/published.ts';
import { published as macko } from '../formats/macko/published.ts';
import { PUBLISHED_LIFTING } from './slidesparse/lifting.ts';
import { bandwidthShare } from '../theory/models/published-models.ts';
import { BANDWIDTH_WORDS, WHOLE_MODEL } from './ec-spmv/bandwidth.ts';
import ecSpmv from './ec-spmv/tables.json';
import { papers } from './PaperTables.tsx';
import slideSparse from './slidesparse/tables.json';
import twell from './twell/tables.json';

/** A second, independent copy of the papers' figures. */
const copied = JSON.parse(readFileSync('test/published/tables.json', 'utf8'));

describe('tables of the papers', () => {
  it.each(papers)(
    'the tables of $paper have distinct row names, a source and every figure that they show',
    ({ url, tables }) => {
      expect(url).toMatch(/^https:\/\/arxiv\.org\/abs\/\d{4}\.\d{5}$/);
      for (const { title, place, on, rival, columns, rows } of Object.values(tables)) {
        expect(place, title).toMatch(/table|figure|section|abstract/);
        expect(on.length * rival.length, title).toBeGreaterThan(0);
        expect(new Set(rows.map(({ name }) => name)).size, title).toBe(rows.length);
        for (const row of rows) for (const key of Object.keys(columns)) expect(row, title).toHaveProperty(key);
      }
    },
  );
});

describe('the medians of MACKO’s authors', () => {
  const [, ...lines] = readFileSync('test/published/macko-medians.csv', 'utf8').trim().split('\n');
  const medians = lines.map((line) => line.split(','));
  const figures = [...macko, ...csr];
  const speedAt = (title: string, card: string, density: number): number =>
    figures
      .find((figure) => figure.title.startsWith(title) && figure.device === card)
      ?.points.find((point) => point.density === density)?.value ?? Number.NaN;
  const cards = ['RTX 4090', 'RTX 3090', 'RTX 2080 SUPER'];

  it('the published points of MACKO, CSR and the rivals equal the medians in the copy', () => {
    let compared = 0;
    for (const [gpu, algorithm, sparsity, , median] of medians) {
      if (algorithm === 'cuBLAS') continue;
      expect(speedAt(algorithm, gpu, (100 - Number(sparsity)) / 100), `${gpu} ${algorithm} ${sparsity}`).toBe(
        Number(median),
      );
      compared++;
    }
    // algorithms × cards × densities
    expect(compared).toBe(4 * 3 * 11);
  });

  it('the medians at density 0.5 give the speedup ranges in the abstract, rounded to tenths', () => {
    const range = (rival: string): readonly number[] => {
      const ratios = cards.map((card) => speedAt('MACKO', card, 0.5) / speedAt(rival, card, 0.5));
      return [Math.floor(10 * Math.min(...ratios)) / 10, Math.round(10 * Math.max(...ratios)) / 10];
    };
    expect(range('Sputnik')).toEqual([1.9, 2.6]);
    expect(range('DASP')).toEqual([2.2, 2.5]);
  });

  it('only MACKO’s own figure is a speed of the format; the rivals’ figures are not', () => {
    for (const { title, quantity } of macko) expect(quantity === 'speed', title).toBe(title === 'MACKO');
  });
});

describe('EC-SpMV’s tables', () => {
  const { wholeModel, ablation } = ecSpmv.tables;

  it('the tables of EC-SpMV equal the copy', () => {
    const copy = copied.ec_spmv;
    const { pred_len: tokens, ...speeds } = copy.llama2_7b_70pct_rtx3090_tok_s;
    expect(wholeModel.rows.map((row) => row.tokens)).toEqual(tokens);
    expect([
      wholeModel.rows.map(({ dense }) => dense),
      wholeModel.rows.map((row) => row.csr),
      wholeModel.rows.map(({ sparse }) => sparse),
    ]).toEqual(Object.values(speeds));
    expect(ablation.rows.map(({ gain }) => gain)).toEqual(Object.values(copy.ablation_fp32_3080ti_pct));
    expect(ecSpmv.tables.best.rows[0].speed).toBe(copy.max_speedup);
  });

  it('from its bytes and speeds, EC-SpMV reads 328 GB/s, 35 % of an RTX 3090, and dense 611 GB/s, 65 %', () => {
    const [first] = WHOLE_MODEL.rows;
    expect([first.sparseRead, first.csrRead, first.denseRead]).toEqual([35, 58, 65]);
    for (const words of ['reads 328 GB/s, 35\u202f%', 'reads 611 GB/s, 65\u202f%'])
      expect(BANDWIDTH_WORDS).toContain(words);
    // Table 1 of MACKO: both kernels read most of what the card can.
    expect(bandwidthShare(8.87, 98.6, 'RTX 4090')).toBeCloseTo(0.87, 2);
    expect(bandwidthShare(13.59, 66.53, 'RTX 4090')).toBeCloseTo(0.9, 2);
    expect(bandwidthShare(1, 1, 'a card of another paper')).toBeNull();
  });

  it('each gain is the ratio of the two printed speeds, to 0.5 percentage points', () => {
    for (const { dense, sparse, gain } of wholeModel.rows) expect(100 * (sparse / dense - 1)).toBeCloseTo(gain, 0);
  });
});

describe('SlideSparse’s tables', () => {
  const { kernels, prefill, decode, lifting, efficiency } = slideSparse.tables;

  it('every range has min ≤ max and a GPU that the paper names', () => {
    for (const { name, gpu, min, max } of [...kernels.rows, ...prefill.rows, ...decode.rows]) {
      expect(min, name).toBeLessThanOrEqual(max);
      expect(gpu, name).toMatch(/^(?:A100|H100|B200|RTX 4090|RTX 5080|B200 and RTX 5080|all GPUs)$/);
    }
  });

  it('each overhead of lifting is the ratio of the printed times, and PUBLISHED_LIFTING has those on the A100', () => {
    for (const { name, alone, lifted, overhead } of lifting.rows)
      expect(Math.abs(100 * (lifted / alone - 1) - overhead), name).toBeLessThan(0.7);
    const onA100 = lifting.rows.filter(({ gpu }) => gpu === 'A100');
    expect(PUBLISHED_LIFTING.map(({ tokens, overhead }) => [tokens, Math.round(100 * (overhead - 1))])).toEqual(
      onA100.map(({ tokens, overhead }) => [tokens, overhead]),
    );
  });

  /*
   * The paper prints an efficiency of 115 %: the speedup of 6:8 as a percentage of what its bound, 4/3, promises relative
   * to 2:4, whose bound is 2; 2 / (4/3) = 1.5. With products a share s of dense time, and kernel speedups k, the speedup
   * of a model is 1 / (1 - s + s / k). s follows from 2:4: s = (1 - 1 / speedup) / (1 - 1 / k).
   */
  it('the efficiency of 115 % follows if the time outside of products is the same with 6:8 as with 2:4', () => {
    const rowFor = (rows: typeof kernels.rows, pattern: string, model: string) =>
      rows.find((row) => row.gpu === 'A100' && row.pattern === pattern && row.model === model) ?? rows[0];
    const predicted = (['min', 'max'] as const).map((bound) => {
      const twoOfFour = rowFor(prefill.rows, '2:4', 'Qwen2.5-7B')[bound];
      const share = (1 - 1 / twoOfFour) / (1 - 1 / rowFor(kernels.rows, '2:4', 'models')[bound]);
      expect(share).toBeCloseTo(0.815, 1);
      const sixOfEight = 1 / (1 - share + share / rowFor(kernels.rows, '6:8', 'models')[bound]);
      return (100 * sixOfEight) / (twoOfFour / 1.5);
    });
    const printed = efficiency.rows[0].efficiency;
    expect(Math.min(...predicted)).toBeLessThan(printed);
    expect(Math.max(...predicted)).toBeGreaterThan(printed);
    expect(Math.max(...predicted) - Math.min(...predicted)).toBeLessThan(3);
  });
});

describe('TwELL’s tables', () => {
  const { scales, activations, gates, deadNeurons } = twell.tables;

  it('tables 1 and 4 of TwELL equal the copy', () => {
    expect(
      scales.rows.map((row) => [
        `${row.parameters}B`,
        row.l1 > 0 ? 1 : 0,
        row.accuracy,
        row.forward,
        row.energy,
        row.training,
        row.memory,
      ]),
    ).toEqual(copied.twell_table1_h100.rows);
    expect(
      gates.rows.map((row) => [
        row.gated ? 'gated' : 'nongated',
        row.l1 === 0 ? '0' : row.l1.toExponential(),
        row.forward,
        row.energy,
      ]),
    ).toEqual(copied.twell_table4_15B);
  });

  it('table 1 has the accuracies of L1_ACCURACY', () => {
    const accuracy = (parameters: number, isSparse: boolean): number | undefined =>
      scales.rows.find((row) => row.parameters === parameters && row.l1 > 0 === isSparse)?.accuracy;
    for (const { parameters, without, withL1 } of L1_ACCURACY.points)
      expect([accuracy(parameters, false), accuracy(parameters, true)]).toEqual([without, withL1]);
  });

  /** Whether two printed figures, rounded to `unit`, can differ by this percentage, rounded to 0.1. */
  const fits = (from: number, to: number, percent: number, unit: number): boolean =>
    100 * ((to - unit / 2) / (from + unit / 2) - 1) < percent + 0.05 &&
    100 * ((to + unit / 2) / (from - unit / 2) - 1) > percent - 0.05;

  it.each([
    ['forward', 'forwardChange', 1],
    ['training', 'trainingChange', 0.1],
    ['memory', 'memoryChange', 0.1],
  ] as const)('table 1: the printed change of %s fits the two printed figures', (quantity, change, unit) => {
    for (let i = 0; i < scales.rows.length; i += 2) {
      const [dense, sparse] = [scales.rows[i], scales.rows[i + 1]];
      expect(fits(dense[quantity], sparse[quantity], sparse[change], unit), sparse.name).toBe(true);
    }
  });

  it('in table 1, training is slower or needs more memory at 0.5 and 2 billion parameters only', () => {
    const worse = scales.rows.filter((row) => row.trainingChange < 0 || row.memoryChange > 0);
    expect(
      worse.map(({ parameters, trainingChange, memoryChange }) => [parameters, trainingChange, memoryChange]),
    ).toEqual([
      [0.5, -1.5, -19.2],
      [2, 21.9, 22.3],
    ]);
  });

  it('tables 3, 4 and 5 have the same figures for the same two models, and each change fits its figures', () => {
    const [dense, , sparse] = activations.rows;
    for (const rows of [gates.rows, deadNeurons.rows])
      expect([rows[0].forward, rows[1].forward]).toEqual([dense.forward, sparse.forward]);
    expect(deadNeurons.rows.slice(0, 2).map(({ nonZeros, loss }) => [nonZeros, loss])).toEqual([
      [dense.nonZeros, dense.loss],
      [sparse.nonZeros, sparse.loss],
    ]);
    for (const rows of [activations.rows, gates.rows, deadNeurons.rows]) {
      let base = rows[0].forward;
      for (const { l1, forward, forwardChange, name } of rows) {
        if (l1 === 0 && forwardChange === 0) base = forward;
        expect(fits(base, forward, forwardChange, 0.1), name).toBe(true);
      }
    }
  });
});
