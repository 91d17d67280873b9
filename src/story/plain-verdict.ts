import { BYTE_CLASSES, sizeOf, type StorageLedger } from '../core/encoded/ledger.ts';
import { density } from '../core/matrix/index.ts';
import { shareText } from '../core/text/rounded.ts';
import { capitalised } from '../core/text/words.ts';
import { denseBytes } from './first-frame.ts';
import { type CountedBytes, counterBar } from './flow/counter-bar.ts';
import type { Part } from './flow/layout-space.ts';
import type { StoryFrame } from './flow/story-frames.ts';
import { verdict } from './flow/verdict.ts';
import type { FrameContext } from './frames.ts';
import type { Trace } from './trace.ts';

/** The format that the last frame compares with dense. */
interface UserFormat {
  readonly title: string;
  /** the noun for a cell of the matrix */
  readonly cellNoun: 'weight' | 'activation';
  /** bytes of the window, and the reason for them, as a clause; '' if the format has none */
  readonly ledger: StorageLedger;
  readonly reason: string;
  /** it is dense itself */
  readonly isReference?: boolean;
}

/** The last frame of a story that declares no frames: the bytes and times of the reader's matrix against dense. */
export function plainVerdict(t: Trace, format: UserFormat): StoryFrame {
  const { title, ledger, isReference = false } = format;
  const { rows, cols, nnz } = t.window;
  const frame = verdict({
    title,
    step: t.steps.length,
    timedProduct: 'one matrix \u00d7 vector',
    isRelevant: ({ pattern, operation }) => pattern === 'uniform' && operation === 'spmv',
    window: { rows, cols, nnz, stored: sizeOf(ledger), dense: denseBytes(t, ledger) },
    // Nothing is compared with itself.
    ...(isReference && { isReference, otherMatrices: { part: () => null } }),
  });
  return { ...frame, show: (context) => ({ ...frame.show(context), below: purposesBar(t, format, context) }) };
}

/** A bar of the stored bytes by purpose, with their reason: of the matrix or, if it is not known, of the window. */
function purposesBar({ window }: Trace, format: UserFormat, { wholeMatrix }: FrameContext): Part {
  const isWhole = wholeMatrix && wholeMatrix.ledger.effectiveDensity > 0;
  const { ledger, reason } = isWhole ? wholeMatrix : format;
  const counts = isWhole ? wholeMatrix : window;
  const dense = denseBytes({ window: counts }, ledger);
  const nonZeroBytes = dense * density(counts);
  const names = {
    values: format.cellNoun === 'weight' ? 'weights' : 'activations',
    indices: 'indices',
    metadata: 'bookkeeping',
    padding: 'zeros',
  } as const;
  // Zeros that a format stores among its values count as padding.
  const zeros = Math.max(0, ledger.totalBits.values / 8 - nonZeroBytes);
  const alignment = ledger.totalBytes - sizeOf(ledger);
  const parts = BYTE_CLASSES.map((tone): CountedBytes => {
    const bytes = ledger.totalBits[tone] / 8;
    const shownBytes = tone === 'values' ? bytes - zeros : tone === 'padding' ? bytes + zeros - alignment : bytes;
    return { tone, bytes: shownBytes, name: names[tone] };
  });
  const share = `${shareText(dense > 0 ? sizeOf(ledger) / dense : 0)} of dense`;
  const text = `${reason === null || reason === '' ? share : capitalised(reason)}.`;
  return counterBar({ title: isWhole ? 'matrix' : 'region', parts, dense, text });
}
