import { expect, it } from 'vitest';
import type { NetworkChoice, NetworkPruning, NetworkResult } from '../../service/network/types.ts';
import { answerWords, changedAnswers, errorShare, linesOf, nearest, type Run, runOf, smallestGood } from './figures.ts';

function result(
  format: string,
  valueType: string,
  pruning: NetworkPruning | null,
  right: number,
  bytes: number,
): NetworkResult & { readonly kind: 'ran' } {
  const choice: NetworkChoice = { format, params: { valueType }, pruning, layers: 'all', where: 'cpu' };
  const density = pruning === null ? 1 : pruning.way === 'n-of-m' ? pruning.kept / pruning.group : pruning.density;
  return {
    index: 0,
    choice,
    kind: 'ran',
    layers: [],
    bytes,
    nnz: 0,
    density,
    images: 1000,
    right,
    answers: new Uint8Array(1000),
    samplesNs: [3000, 1000, 2000],
  };
}

const run = (...of: Parameters<typeof result>): Run => {
  const made = runOf(result(...of));
  if (!made) throw new Error('refused');
  return made;
};

const whole = run('dense', 'f16', null, 990, 1000);
const magnitude = (density: number): NetworkPruning => ({ way: 'magnitude', density });

it('reads accuracy and times off a result, and nothing off a refusal', () => {
  expect(whole).toMatchObject({ accuracy: 0.99, way: null, valueType: 'f16', time: { median: 2000 } });
  const { choice } = whole;
  expect(runOf({ index: 0, choice, kind: 'refused', reason: 'no' })).toBeNull();
  expect(runOf({ ...result('a', 'f16', null, 1, 1), samplesNs: [] })).toMatchObject({ time: null });
});

it('makes a line of each format, value type and way, by rising density', () => {
  const runs = [
    run('a', 'f16', magnitude(0.5), 980, 600),
    run('a', 'i8', magnitude(0.5), 980, 400),
    run('a', 'f16', magnitude(0.1), 800, 200),
    run('a', 'f16', { way: 'random', density: 0.5 } as NetworkPruning, 400, 600),
  ];
  const lines = linesOf(runs);
  expect(lines.map((l) => [l.id, l.runs.map((r) => r.outcome.density)])).toEqual([
    ['a f16 magnitude', [0.1, 0.5]],
    ['a i8 magnitude', [0.5]],
    ['a f16 random', [0.5]],
  ]);
  expect(nearest(lines, 0.2).map((r) => r.outcome.density)).toEqual([0.1, 0.5, 0.5]);
});

it('has a place for no errors at all', () => {
  expect(errorShare(run('a', 'f16', null, 1000, 1))).toBe(0.0005);
  expect(errorShare(whole)).toBeCloseTo(0.01, 12);
});

it('names the smallest network within a point, of pruned, quantised and both', () => {
  const runs = [
    whole,
    run('dense', 'i8', null, 989, 500),
    run('dense', 'i4', null, 985, 281),
    run('a', 'f16', magnitude(0.3), 981, 380),
    run('a', 'f16', magnitude(0.1), 700, 150),
    run('a', 'i8', magnitude(0.3), 980, 200),
  ];
  expect(smallestGood(runs, whole)).toBe(runs[5]);
  const words = (list: readonly Run[], of: Run | null): string =>
    answerWords(list, of, (id) => id.toUpperCase())
      .map((w) => w.text)
      .join('');
  expect(words(runs, whole)).toBe(
    'Within a point of the whole network’s 99.00\u202f%, the smallest is A with i8, magnitude 0.30: 200\u202fB, 20\u202f% of dense f16; quantised only, to i4, it is 28\u202f%; pruned only, to density 0.30, 38\u202f%.',
  );
  expect(words([whole], whole)).toContain('nothing smaller');
  expect(words([], null)).toContain('What does pruning cost?');
});

it('lists the images that are taken for another digit', () => {
  const pruned = run('a', 'f16', magnitude(0.1), 700, 150);
  pruned.outcome.answers[3] = 7;
  pruned.outcome.answers[9] = 1;
  expect(changedAnswers(pruned, whole)).toEqual([
    { image: 3, before: 0, after: 7 },
    { image: 9, before: 0, after: 1 },
  ]);
  expect(changedAnswers(whole, whole)).toEqual([]);
});
