import { useApp } from '../../../kit/app-context.ts';
import { useJob } from '../../../kit/use-job.ts';
import type { LosslessBits } from '../../../theory/lossless-bits.ts';
import type { MatrixSummary } from '../../../engine/matrix/matrix-types.ts';
import { losslessText, shareOfF16 } from './chart-words.ts';
import type { compareFormats } from '../service/service.ts';

/**
 * What the unpruned weights of the open matrix take in a lossless code; null until they are counted, without weights,
 * and for random weights, whose exponents are nobody's.
 */
export function useLossless(summary: MatrixSummary | null): LosslessBits | null {
  const { engine } = useApp();
  const base = summary === null || summary.sampledRows !== undefined ? null : summary.baseNumber;
  const counting = useJob(base === null ? null : ['Counting exponents', base], (watch) =>
    engine.service<typeof compareFormats>('compare').lossless(watch, base ?? 0),
  );
  return counting.data !== null && Number.isFinite(counting.data.bits) ? counting.data : null;
}

/** The horizontal line of dense weights in a lossless code. */
export const losslessRule = ({ bits }: LosslessBits) => ({
  id: 'lossless',
  title: 'dense, lossless',
  size: shareOfF16(bits),
});

/** Where the line 'dense, lossless' comes from, and what it leaves out. */
export function LosslessNote({ lossless }: { readonly lossless: LosslessBits }) {
  return (
    <p className="field-hint">
      {losslessText(lossless)}{' '}
      <a href="https://arxiv.org/abs/2504.11651" rel="noreferrer">
        DFloat11
      </a>{' '}
      stores models so.
    </p>
  );
}
