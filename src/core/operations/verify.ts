import type { Expected } from './operation.ts';
import { F32_MAX } from '../oracle.ts';
import { reportNumber, type Verification } from '../report.ts';

/**
 * Bits that fill an output before a kernel runs: a NaN whose payload no arithmetic produces, so that an output that was
 * never written is distinguishable from a legitimate NaN.
 */
export const POISON_BITS = 0x7fc5a5a5;

/** Maximum number of failures that a verification lists; further ones are only counted. */
const LISTED_FAILURES = 64;

/** Options of `verifyOutputs`. */
export interface VerifyOptions {
  /** copied to the result */
  readonly checkedAfterTiming?: boolean;
  /** receives a 1 at the index of each wrong output; may be shorter than the outputs */
  readonly wrongOutputs?: Uint8Array;
}

/**
 * Compares each output of a kernel with the oracle. An output is right if it is within the bound, is NaN where NaN is
 * expected, or is the same infinity where one is expected or where |expected| + bound exceeds f32. If the bound is infinite and the expected
 * value is not (intermediate overflow is possible), it is enough that the output was written.
 *
 * If the expectation is a sample, the other outputs only need to have been written.
 *
 * `kernelOutputs` may be longer than the number of outputs; the rest is ignored. Throws RangeError if it is shorter. O(outputs).
 */
export function verifyOutputs(
  kernelOutputs: Float32Array,
  expected: Expected,
  { checkedAfterTiming = false, wrongOutputs }: VerifyOptions = {},
): Verification {
  const { output, bound, sample } = expected;
  const outputs = sample?.of ?? output.length;
  if (kernelOutputs.length < outputs)
    throw new RangeError(`outputs: found ${kernelOutputs.length}, expected at least ${outputs}`);
  const bits = new Uint32Array(kernelOutputs.buffer, kernelOutputs.byteOffset, kernelOutputs.length);
  const failures: Verification['failures'][number][] = [];
  let failureCount = 0;
  let worstShare = 0;
  let next = 0;
  for (let index = 0; index < outputs; index++) {
    const written = bits[index] !== POISON_BITS;
    // Index of the expectation of this output; -1 if the output is not in the sample.
    const i = sample && sample.at[next] !== index ? -1 : next++;
    if (i < 0 && written) continue;
    const share = written ? shareOfBound(kernelOutputs[index], output[i], bound[i]) : Number.MAX_VALUE;
    if (share > worstShare) worstShare = share;
    if (share <= 1) continue;
    failureCount++;
    if (wrongOutputs && index < wrongOutputs.length) wrongOutputs[index] = 1;
    if (failures.length === LISTED_FAILURES) continue;
    failures.push({
      row: index, // index of the output; of y = A x that is the row
      found: written ? reportNumber(kernelOutputs[index]) : 'unwritten',
      expected: i < 0 ? 'any' : reportNumber(output[i]),
      bound: i < 0 ? 'any' : reportNumber(bound[i]),
    });
  }
  return {
    ok: failureCount === 0,
    outputs,
    ...(sample ? { compared: output.length } : {}),
    worstShare,
    failures,
    failureCount,
    checkedAfterTiming,
  };
}

/** |found - expected| / bound; if one is not finite, 0 for a right output, Number.MAX_VALUE for a wrong one. */
function shareOfBound(found: number, expected: number, bound: number): number {
  if (Number.isNaN(expected)) return Number.isNaN(found) ? 0 : Number.MAX_VALUE;
  if (!Number.isFinite(expected)) return found === expected ? 0 : Number.MAX_VALUE;
  if (!Number.isFinite(bound)) return 0;
  if (Math.abs(found) === Number.POSITIVE_INFINITY) {
    const mayOverflow = Math.abs(expected) + bound > F32_MAX && found > 0 === expected > 0;
    return mayOverflow ? 0 : Number.MAX_VALUE;
  }
  const error = Math.abs(found - expected);
  if (error === 0) return 0;
  const share = error / bound;
  // NaN found, or any error against a bound of 0
  return Number.isFinite(share) ? share : Number.MAX_VALUE;
}

/** The message of a failed verification: how many outputs, of how many compared if not all were, and the first. */
export function describeFailure(v: Verification): string {
  const first = v.failures[0];
  const where = first
    ? `; the first is output ${first.row}: found ${first.found}, expected ${first.expected} within ${first.bound}`
    : '';
  const compared = v.compared === undefined ? '' : `, of which ${v.compared} were compared,`;
  return `${v.failureCount} of ${v.outputs} outputs${compared} are wrong${where}`;
}
