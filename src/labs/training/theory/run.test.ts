import { describe, expect, test } from 'vitest';
import { coefficientAt, readTurns, withTurn, turnsText, WARM_UP } from './run.ts';

const TURNS = [0.03, 0].map((l1, i) => ({ step: 120 * i, l1 }));

describe('turns', () => {
  test('are read as they are written', () => {
    expect([turnsText(TURNS), readTurns('0.03_120-0')]).toEqual(['0.03_120-0', TURNS]);
    expect(readTurns('0')).toEqual([{ step: 0, l1: 0 }]);
  });

  test.each(['', '0.04', '0.03_', '0.03_120', '0.03_121-0', '0.03_120-0_120-0.1', '0.03_500-0', '0-0.03', '5-0.03'])(
    '‘%s’ means nothing',
    (text) => expect(readTurns(text)).toBeNull(),
  );

  test('a new one takes the place of those behind it, and one to the same coefficient is none', () => {
    expect(withTurn(TURNS, { step: 60, l1: 0.1 })).toEqual([TURNS[0], { step: 60, l1: 0.1 }]);
    expect(withTurn(TURNS, { step: 200, l1: 0 })).toEqual(TURNS);
  });
});

test('a coefficient holds until the next turn, and grows in a warm-up', () => {
  const at = (step: number, warmsUp: boolean): number => coefficientAt({ turns: TURNS, warmsUp }, step);
  expect([0, 119, 120, 499].map((step) => at(step, false))).toEqual([0.03, 0.03, 0, 0]);
  expect([0, WARM_UP].map((step) => at(step, true))).toEqual([0, 0]);
  expect(at(WARM_UP + 20, true)).toBeCloseTo((0.03 * 20) / WARM_UP, 12);
});
