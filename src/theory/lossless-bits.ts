import type { Steps } from '../core/job.ts';
import { rowsPerYield } from '../core/job.ts';
import { type Matrix, rowBuffer } from '../core/matrix/index.ts';
import { f16FromF32Bits } from '../core/number/f16.ts';

/** Bits of a number type besides its exponent: the sign and the mantissa, which hardly compress. */
const SIGN_AND_MANTISSA = { bf16: 1 + 7, f16: 1 + 10 } as const;

/** What dense weights take, without loss, if only their exponents are compressed. */
export interface LosslessBits {
  /** bf16 if every weight is one; else f16, to which formats round */
  readonly type: 'bf16' | 'f16';
  /** entropy of the exponents, in bits for each weight: no code of single exponents takes less on average */
  readonly exponentBits: number;
  /** bits of a weight: those of the exponent, the sign and the mantissa */
  readonly bits: number;
  /** the same after rounding to bf16, in which most models are published; equal to `bits` for bf16 */
  readonly bitsAsBf16: number;
}

/**
 * Counts the exponents of all weights of some matrices, zeros too; the exponents of f32 and bf16 are the same, apart
 * from rounding upwards to a power of two. No weights: NaN bits. One pass, O(stored entries). Source: DFloat11 (T. Zhang
 * and others, 2025), which codes the exponents of bf16 by their frequency.
 */
export function* losslessSteps(matrices: readonly Matrix[]): Steps<LosslessBits> {
  const exponents = new Float64Array(2 ** 8);
  const exponentsF16 = new Float64Array(2 ** 5);
  let anyLowBits = 0;
  for (const m of matrices) {
    const buffer = rowBuffer(m.cols);
    const bits = new Uint32Array(buffer.values.buffer);
    const pause = rowsPerYield(m.cols);
    for (let r = 0; r < m.rows; r++) {
      const n = m.readRow(r, buffer);
      exponents[0] += m.cols - n;
      exponentsF16[0] += m.cols - n;
      for (let i = 0; i < n; i++) {
        exponents[(bits[i] >>> 23) & 0xff]++;
        exponentsF16[(f16FromF32Bits(bits[i]) >>> 10) & 0x1f]++;
        anyLowBits |= bits[i] & 0xffff;
      }
      if (r % pause === pause - 1) yield { what: 'Counting exponents', done: r + 1, total: m.rows };
    }
  }
  const type = anyLowBits === 0 ? 'bf16' : 'f16';
  const bitsAsBf16 = entropy(exponents) + SIGN_AND_MANTISSA.bf16;
  const exponentBits = entropy(type === 'bf16' ? exponents : exponentsF16);
  return { type, exponentBits, bits: exponentBits + SIGN_AND_MANTISSA[type], bitsAsBf16 };
}

/** Entropy of the shares of some counts, in bits; NaN if there are none. */
function entropy(counts: Float64Array): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return Number.NaN;
  return counts.reduce((sum, count) => (count === 0 ? sum : sum - (count / total) * Math.log2(count / total)), 0);
}
