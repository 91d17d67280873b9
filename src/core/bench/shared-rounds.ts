import type { BenchRow } from '../report.ts';

/** Samples with the number of the round of each; rounds absent: 0, 1, 2 and so on. */
export type RoundSamples = Pick<BenchRow, 'samplesNs' | 'rounds'>;

/** The number of the round of each sample. */
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

/**
 * The time of `a` divided by the time of `b`, for each round in which both were timed and took more than 0. O(samples).
 */
export function ratiosByRound(a: RoundSamples, b: RoundSamples): readonly number[] {
  const shared = sharedRounds(a, b);
  return shared.a.flatMap((ns, i) => (ns > 0 && shared.b[i] > 0 ? [ns / shared.b[i]] : []));
}
