import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import kernelCases from '../src/formats/kernel-cases.json';
import { caughtBy, chooseCases, keyOf } from './mutants/cases.mjs';
import { FAULTS, LAW_6, roundsOf } from './mutants/faults.mjs';
import { FOUND_LATER, SURVIVORS } from './mutants/survivors.mjs';
import { planted } from './mutants/tree.mjs';
import { ROOT } from './packages.mjs';

describe('planted faults', () => {
  it('are 65 at least, among them the 25 that chose the first cases, each with an id of its own', () => {
    const ids = FAULTS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(65);
    expect(ids).toEqual(expect.arrayContaining(Array.from({ length: 25 }, (_, i) => `0103-${i + 1}`)));
    expect(ids).toEqual(expect.arrayContaining(Object.keys({ ...SURVIVORS, ...FOUND_LATER })));
  });

  it.each(FAULTS.map((fault) => [fault.id, fault] as const))(
    '%s can be planted, and has tests that find it',
    (_, fault) => {
      const text = readFileSync(resolve(ROOT, fault.file), 'utf8');
      expect(planted(text, fault)).not.toBe(text);
      expect(existsSync(resolve(ROOT, fault.test))).toBe(true);
      if (fault.kernels.length > 0) expect(fault.test).toBe(LAW_6);
    },
  );

  it('are refused where their text is not there once', () => {
    const fault = { id: 'a', file: 'a.ts', find: 'x', put: 'y' };
    expect(() => planted('x x', fault)).toThrow('fault a: found its text 2 times in a.ts, expected 1');
    expect(() => planted('z', fault)).toThrow('fault a: found its text 0 times in a.ts, expected 1');
  });

  it('are planted together only in different kernels and folders', () => {
    const rounds = roundsOf(FAULTS);
    expect(rounds.flat().length).toBe(FAULTS.length);
    for (const round of rounds) {
      const kernels = round.flatMap((fault) => fault.kernels);
      expect(new Set(kernels).size).toBe(kernels.length);
      const files = round.map(({ file }) => file);
      if (kernels.length === 0) expect(new Set(files).size).toBe(files.length);
    }
  });
});

describe('cases of kernels', () => {
  const one = (law: 'agrees' | 'notFinite', title: string, ms: number) => ({ kernel: 'a/b', law, title, ms });
  const cases = [
    one('agrees', '1 × 1, valueType f16', 10),
    one('agrees', '7 × 96, valueType f16', 20),
    one('agrees', '7 × 96, valueType f32', 30),
    one('agrees', '70001 × 3, valueType f16', 5000),
    one('notFinite', '1 × 1, valueType f16', 1),
    one('notFinite', '7 × 96, valueType f32', 1),
  ];
  const caughtIn = (id: string, ...at: number[]) => ({
    id,
    caught: new Map([['a/b', at.map((i) => keyOf(cases[i]))]]),
  });

  it('are chosen so that they catch what any of them catches', () => {
    const faults = [caughtIn('wide', 2, 3), caughtIn('folded', 3), caughtIn('padding', 5)];
    const chosen = chooseCases(cases, faults);
    expect(chosen['a/b'].agrees).toContain('70001 × 3, valueType f16');
    expect(chosen['a/b'].notFinite).toEqual(['7 × 96, valueType f32']);
    expect(caughtBy(chosen, faults)).toEqual(faults);
    expect(caughtBy(chooseCases(cases, []), faults).length).toBeLessThan(faults.length);
  });

  it('are those of every kernel that npm test runs', () => {
    const lists = Object.values(kernelCases);
    expect(lists.length).toBe(103);
    expect(lists.reduce((sum, { agrees }) => sum + agrees.length, 0)).toBe(311);
    expect(lists.reduce((sum, { notFinite }) => sum + notFinite.length, 0)).toBe(35);
  });
});
