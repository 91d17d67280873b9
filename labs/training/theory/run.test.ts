// Changes of the L1 coefficient during a training run, as text in an address and as a value at a step.

import { describe, expect, test } from 'vitest';
import { coefficientAt, readL1Changes, withL1Change, l1ChangesText, WARM_UP } from './run.ts';

const L1_CHANGES = [0.03, 0].map((l1, i) => ({ step: 120 * i, l1 }));

describe('changes of L1', () => {
  test('are parsed from their own text', () => {
    expect([l1ChangesText(L1_CHANGES), readL1Changes('0.03_120-0')]).toEqual(['0.03_120-0', L1_CHANGES]);
    expect(readL1Changes('0')).toEqual([{ step: 0, l1: 0 }]);
  });

  test.each(['', '0.04', '0.03_', '0.03_120', '0.03_121-0', '0.03_120-0_120-0.1', '0.03_500-0', '0-0.03', '5-0.03'])(
    '‘%s’ means nothing',
    (text) => expect(readL1Changes(text)).toBeNull(),
  );

  test('a new change replaces later ones, and a change to the same coefficient is ignored', () => {
    expect(withL1Change(L1_CHANGES, { step: 60, l1: 0.1 })).toEqual([L1_CHANGES[0], { step: 60, l1: 0.1 }]);
    expect(withL1Change(L1_CHANGES, { step: 200, l1: 0 })).toEqual(L1_CHANGES);
  });
});

test('a coefficient is valid until the next change, and grows in a warm-up', () => {
  const coefficient = (step: number, warmsUp: boolean): number =>
    coefficientAt({ l1Changes: L1_CHANGES, warmsUp }, step);
  expect([0, 119, 120, 499].map((step) => coefficient(step, false))).toEqual([0.03, 0.03, 0, 0]);
  expect([0, WARM_UP].map((step) => coefficient(step, true))).toEqual([0, 0]);
  expect(coefficient(WARM_UP + 20, true)).toBeCloseTo((0.03 * 20) / WARM_UP, 12);
});
