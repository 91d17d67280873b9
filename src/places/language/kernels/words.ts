import { counted } from '../../../core/story/words.ts';
import type { Tried } from '../service/try-types.ts';

/** A share of a size as a power of ten: '3.3 × 10⁻⁷'. */
export function power(share: number): string {
  if (share === 0) return '0';
  if (!Number.isFinite(share)) return 'no number';
  const [digits, exponent] = share.toExponential(1).split('e');
  const raised = String(Number(exponent)).replace(/\d/g, (digit) => SUPERSCRIPT[Number(digit)]);
  return `${digits} × 10${raised.replace('-', '⁻')}`;
}

const SUPERSCRIPT = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** What came of the logits, in a sentence or two. */
export function logitsWords({ ok, relativeError, bound, tokens, firstOther }: Tried): string {
  const compared = `the oracle’s behind ${counted(tokens, 'token')}`;
  if (ok) {
    return `It kept the logits: they differ from ${compared} by ${power(relativeError)} of their size, where ${power(bound)} is allowed.`;
  }
  const off = Number.isNaN(relativeError)
    ? 'It broke the model: some logits are no numbers.'
    : `It broke the model: its logits differ from ${compared} by ${power(relativeError)} of their size, where ${power(bound)} is allowed.`;
  if (firstOther === null) return off;
  const { after, found, expected } = firstOther;
  return `${off} Behind “${after.trim()}” it says “${found.trim()}” where “${expected.trim()}” comes.`;
}

/** What its larger bound is for; null where it has the usual one. */
export function roundingWords({ bound, block }: Tried): string | null {
  if (block !== null)
    return 'Its neurons, and what the block reads, are rounded to bf16: the oracle has the same weights.';
  return bound > 1e-4 ? 'It rounds what it multiplies to f16, so more is allowed than for kernels that do not.' : null;
}
