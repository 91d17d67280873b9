import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { L1_ACCURACY } from '../theory/models/published-losses.ts';
import { papers } from './paper-tables.ts';
import twell from './twell/tables.json';

/** A copy of what was read from the papers by another hand. */
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

describe('TwELL’s tables', () => {
  const { scales, activations, gates, deadNeurons } = twell.tables;

  it('1 and 4 are those of the copy', () => {
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

  it('1 has the accuracies that the house has elsewhere', () => {
    const accuracy = (parameters: number, isSparse: boolean): number | undefined =>
      scales.rows.find((row) => row.parameters === parameters && row.l1 > 0 === isSparse)?.accuracy;
    for (const { parameters, without, withL1 } of L1_ACCURACY.points) {
      expect([accuracy(parameters, false), accuracy(parameters, true)]).toEqual([without, withL1]);
    }
  });

  /** Whether figures as printed can have changed by so many percent before they were rounded. */
  const fits = (from: number, to: number, percent: number, unit: number): boolean =>
    100 * ((to - unit / 2) / (from + unit / 2) - 1) < percent + 0.05 &&
    100 * ((to + unit / 2) / (from - unit / 2) - 1) > percent - 0.05;

  it.each([
    ['forward', 'forwardChange', 1],
    ['training', 'trainingChange', 0.1],
    ['memory', 'memoryChange', 0.1],
  ] as const)('1 prints the changes of its own figures: %s', (of, change, unit) => {
    for (let i = 0; i < scales.rows.length; i += 2) {
      const [dense, sparse] = [scales.rows[i], scales.rows[i + 1]];
      expect(fits(dense[of], sparse[of], sparse[change], unit), sparse.name).toBe(true);
    }
  });

  it('1 says in which sizes training is slower or takes more memory', () => {
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
    for (const rows of [gates.rows, deadNeurons.rows]) {
      expect([rows[0].forward, rows[1].forward]).toEqual([dense.forward, sparse.forward]);
    }
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
