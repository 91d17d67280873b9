import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { L1_ACCURACY } from '../theory/models/published-losses.ts';
import { published as csr } from '../formats/csr/published.ts';
import { published as macko } from '../formats/macko/published.ts';
import { PUBLISHED_LIFTING } from './slidesparse/lifting.ts';
import ecSpmv from './ec-spmv/tables.json';
import { papers } from './PaperTables.tsx';
import slideSparse from './slidesparse/tables.json';
import twell from './twell/tables.json';

/** A second, independent copy of the papers' figures. */
const copied = JSON.parse(readFileSync('test/published/tables.json', 'utf8'));

describe('tables of papers', () => {
  it.each(papers)('of $paper have names, a source and every figure that they show', ({ url, tables }) => {
    expect(url).toMatch(/^https:\/\/arxiv\.org\/abs\/\d{4}\.\d{5}$/);
    for (const { title, place, on, rival, columns, rows } of Object.values(tables)) {
      expect(place, title).toMatch(/table|figure|section|abstract/);
      expect(on.length * rival.length, title).toBeGreaterThan(0);
      expect(new Set(rows.map(({ name }) => name)).size, title).toBe(rows.length);
      for (const row of rows) for (const key of Object.keys(columns)) expect(row, title).toHaveProperty(key);
    }
  });
});

describe('the medians of MACKO’s authors', () => {
  const [, ...lines] = readFileSync('test/published/macko-medians.csv', 'utf8').trim().split('\n');
  const medians = lines.map((line) => line.split(','));
  const figures = [...macko, ...csr];
  const at = (title: string, on: string, density: number): number =>
    figures
      .find((one) => one.title.startsWith(title) && one.device === on)
      ?.points.find((point) => point.density === density)?.value ?? Number.NaN;
  const cards = ['RTX 4090', 'RTX 3090', 'RTX 2080 SUPER'];

  it('equal the copy, Sputnik’s and DASP’s among them', () => {
    let found = 0;
    for (const [gpu, algorithm, sparsity, , median] of medians) {
      if (algorithm === 'cuBLAS') continue;
      expect(at(algorithm, gpu, (100 - Number(sparsity)) / 100), `${gpu} ${algorithm} ${sparsity}`).toBe(
        Number(median),
      );
      found++;
    }
    expect(found).toBe(4 * 3 * 11);
  });

  it('give the ranges of its abstract at half of the weights, to the tenth below or above', () => {
    const range = (rival: string): readonly number[] => {
      const ratios = cards.map((card) => at('MACKO', card, 0.5) / at(rival, card, 0.5));
      return [Math.floor(10 * Math.min(...ratios)) / 10, Math.round(10 * Math.max(...ratios)) / 10];
    };
    expect(range('Sputnik')).toEqual([1.9, 2.6]);
    expect(range('DASP')).toEqual([2.2, 2.5]);
  });

  it('are never drawn as speeds of a format where they are speeds of a rival', () => {
    expect(macko.map(({ title, quantity: of }) => (of === 'speed') === (title === 'MACKO'))).not.toContain(false);
  });
});

describe('EC-SpMV’s tables', () => {
  const { wholeModel, ablation } = ecSpmv.tables;

  it('equal the copy', () => {
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

  it('print the gains of their speeds', () => {
    for (const { dense, sparse, gain } of wholeModel.rows) expect(100 * (sparse / dense - 1)).toBeCloseTo(gain, 0);
  });
});

describe('SlideSparse’s tables', () => {
  const { kernels, prefill, decode, lifting, efficiency } = slideSparse.tables;

  it('have ranges that rise, of GPUs that the paper names', () => {
    for (const { name, gpu, min, max } of [...kernels.rows, ...prefill.rows, ...decode.rows]) {
      expect(min, name).toBeLessThanOrEqual(max);
      expect(gpu, name).toMatch(/^(?:A100|H100|B200|RTX 4090|RTX 5080|B200 and RTX 5080|all GPUs)$/);
    }
  });

  it('print what lifting adds, as the sum of their times', () => {
    for (const { name, alone, lifted, overhead } of lifting.rows)
      expect(Math.abs(100 * (lifted / alone - 1) - overhead), name).toBeLessThan(0.7);
    const onA100 = lifting.rows.filter(({ gpu }) => gpu === 'A100');
    expect(PUBLISHED_LIFTING.map(({ tokens, overhead }) => [tokens, Math.round(100 * (overhead - 1))])).toEqual(
      onA100.map(({ tokens, overhead }) => [tokens, overhead]),
    );
  });

  it('explain 115 %: the time outside of products is the same with 6:8 as with 2:4', () => {
    const of = (rows: typeof kernels.rows, pattern: string, model: string) =>
      rows.find((row) => row.gpu === 'A100' && row.pattern === pattern && row.model === model) ?? rows[0];
    const predicted = (['min', 'max'] as const).map((bound) => {
      const twoOfFour = of(prefill.rows, '2:4', 'Qwen2.5-7B')[bound];
      const share = (1 - 1 / twoOfFour) / (1 - 1 / of(kernels.rows, '2:4', 'models')[bound]);
      expect(share).toBeCloseTo(0.815, 1);
      const sixOfEight = 1 / (1 - share + share / of(kernels.rows, '6:8', 'models')[bound]);
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

  it('1 and 4 equal the copy', () => {
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

  it('1 has the accuracies that src has elsewhere', () => {
    const accuracy = (parameters: number, isSparse: boolean): number | undefined =>
      scales.rows.find((row) => row.parameters === parameters && row.l1 > 0 === isSparse)?.accuracy;
    for (const { parameters, without, withL1 } of L1_ACCURACY.points)
      expect([accuracy(parameters, false), accuracy(parameters, true)]).toEqual([without, withL1]);
  });

  /** Whether two printed figures, which are rounded, can differ by this percentage. */
  const fits = (from: number, to: number, percent: number, unit: number): boolean =>
    100 * ((to - unit / 2) / (from + unit / 2) - 1) < percent + 0.05 &&
    100 * ((to + unit / 2) / (from - unit / 2) - 1) > percent - 0.05;

  it.each([
    ['forward', 'forwardChange', 1],
    ['training', 'trainingChange', 0.1],
    ['memory', 'memoryChange', 0.1],
  ] as const)('1 prints the changes of its figures: %s', (of, change, unit) => {
    for (let i = 0; i < scales.rows.length; i += 2) {
      const [dense, sparse] = [scales.rows[i], scales.rows[i + 1]];
      expect(fits(dense[of], sparse[of], sparse[change], unit), sparse.name).toBe(true);
    }
  });

  it('1 names the sizes in which training is slower or needs more memory', () => {
    const worse = scales.rows.filter((row) => row.trainingChange < 0 || row.memoryChange > 0);
    expect(
      worse.map(({ parameters, trainingChange, memoryChange }) => [parameters, trainingChange, memoryChange]),
    ).toEqual([
      [0.5, -1.5, -19.2],
      [2, 21.9, 22.3],
    ]);
  });

  it('3, 4 and 5 measured the same two models', () => {
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
