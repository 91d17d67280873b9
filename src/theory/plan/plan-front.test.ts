import { describe, expect, it } from 'vitest';
import { planFront, withinCost, withinLoss, type PlanCost, type PlanMatrix } from './plan-front.ts';

/** Small whole numbers from a fixed seed, so that sums are exact. */
function made(seed: number): readonly PlanMatrix[] {
  let state = seed;
  const below = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  return Array.from({ length: 5 }, (_, m) => ({
    id: `m${m}`,
    options: Array.from({ length: 4 }, (_, o) => ({
      id: `o${o}`,
      us: o > 0 && below(5) === 0 ? null : below(40),
      bytes: below(1000),
      loss: below(30) - 3,
    })),
  }));
}

function every(matrices: readonly PlanMatrix[], cost: PlanCost): readonly (readonly [number, number])[] {
  let sums: (readonly [number, number])[] = [[0, 0]];
  for (const { options } of matrices) {
    sums = options.flatMap((option) => {
      const [spent, loss] = [option[cost], option.loss];
      return spent === null || loss === null ? [] : sums.map(([a, b]) => [a + spent, b + loss] as const);
    });
  }
  return sums;
}

describe('the front of plans', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is what all plans tried give, seed %i', (seed) => {
    const matrices = made(seed);
    for (const cost of ['us', 'bytes'] as const) {
      const all = every(matrices, cost);
      const front = planFront(matrices, cost);
      const best = all.filter(([a, b]) => !all.some(([c, d]) => c <= a && d <= b && (c < a || d < b)));
      const expected = [...new Set(best.map(String))].toSorted();
      expect(front.points.map((p) => `${p.cost},${p.loss}`).toSorted()).toEqual(expected);
      expect(front.isExact).toBe(true);
      for (const { choices, cost: spent, loss } of front.points) {
        const chosen = matrices.map((m, i) => m.options.find(({ id }) => id === choices[i]));
        expect(chosen.reduce((sum, option) => sum + (option?.[cost] ?? NaN), 0)).toBe(spent);
        expect(chosen.reduce((sum, option) => sum + (option?.loss ?? NaN), 0)).toBe(loss);
      }
    }
  });

  it('chooses within a budget, or nothing', () => {
    const front = planFront(made(3), 'bytes');
    const all = every(made(3), 'bytes');
    const middle = front.points[Math.floor(front.points.length / 2)];
    expect(withinCost(front, middle.cost)?.loss).toBe(
      Math.min(...all.filter(([a]) => a <= middle.cost).map(([, b]) => b)),
    );
    expect(withinLoss(front, middle.loss)?.cost).toBe(
      Math.min(...all.filter(([, b]) => b <= middle.loss).map(([a]) => a)),
    );
    expect(withinCost(front, front.points[0].cost - 1)).toBeNull();
    expect(withinLoss(front, (front.points.at(-1)?.loss ?? 0) - 1)).toBeNull();
  });

  it('names what was not measured and makes no plan without it', () => {
    const front = planFront([{ id: 'q', options: [{ id: 'dense', us: null, bytes: 8, loss: 0 }] }], 'us');
    expect(front).toEqual({ points: [], isExact: true, unmeasured: [{ matrix: 'q', option: 'dense' }] });
  });

  it('stays within its bound, keeps both ends and says so', () => {
    const whole = planFront(made(5), 'bytes');
    const front = planFront(made(5), 'bytes', { most: 4 });
    expect(whole.points.length).toBeGreaterThan(4);
    expect(front.points.length).toBeLessThanOrEqual(4);
    expect(front.isExact).toBe(false);
    expect(front.points[0].cost).toBe(whole.points[0].cost);
    expect(front.points.at(-1)?.loss).toBe(whole.points.at(-1)?.loss);
    expect(() => planFront([], 'us', { most: 1 })).toThrow('at least 2');
  });

  it('stops when it is told to', () => {
    const signal = {
      throwIfAborted() {
        throw new Error('aborted');
      },
    };
    expect(() => planFront(made(1), 'us', { signal })).toThrow('aborted');
  });
});
