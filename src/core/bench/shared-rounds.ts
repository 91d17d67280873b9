import type { BenchRow } from '../report.ts';

/** Samples with their rounds; absent: 0, 1, 2 and so on. */
export type RoundSamples = Pick<BenchRow, 'samplesNs' | 'rounds'>;

/** The rounds of all samples. */
export function roundsOf({ samplesNs, rounds }: RoundSamples): readonly number[] {
  return rounds ?? samplesNs.map((_, i) => i);
}

/** Samples of the rounds in which both were timed, and of no others: only these can be compared. O(samples). */
export function sharedRounds(a: RoundSamples, b: RoundSamples): { readonly a: number[]; readonly b: number[] } {
  const shared: { readonly a: number[]; readonly b: number[] } = { a: [], b: [] };
  const [inA, inB] = [roundsOf(a), roundsOf(b)];
  for (let i = 0, k = 0; i < inA.length && k < inB.length;) {
    if (inA[i] === inB[k]) {
      shared.a.push(a.samplesNs[i++]);
      shared.b.push(b.samplesNs[k++]);
    } else if (inA[i] < inB[k]) i++;
    else k++;
  }
  return shared;
}

/** Ratio of the times of `a` and `b` in each such round where the clock read more than 0 for both. O(samples). */
export function ratiosByRound(a: RoundSamples, b: RoundSamples): readonly number[] {
  const shared = sharedRounds(a, b);
  return shared.a.flatMap((ns, i) => (ns > 0 && shared.b[i] > 0 ? [ns / shared.b[i]] : []));
}
