import { BYTE_CLASSES, type StorageLedger } from '../core/encoded/ledger.ts';
import { density } from '../core/matrix/index.ts';
import { denseBytes } from './first-frame.ts';
import type { Picture } from './flow/picture.ts';
import { type CountedBytes, counterBar } from './flow/counter-bar.ts';
import type { StoryFrame } from './flow/story-frames.ts';
import { bytesPicture, timesPicture } from './flow/verdict.ts';
import { type FrameContext, type RecordedMatrix, VERDICT } from './frames.ts';
import { shareText } from '../core/text/rounded.ts';
import { fact, type Stated, stated } from '../core/text/stated.ts';
import type { Trace } from './trace.ts';
import { capitalised, shapeText } from '../core/text/words.ts';

/* The last frame of a plain story, one without a script: the bytes and the speed of its format against dense. */

/**
 * The recorded y = A x of random weights whose density is nearest to the matrix's; among equals, a record with a
 * time of dense 4-bit weights, then the largest. The time of dense 4-bit weights does not depend on density: if this
 * record has none, the time comes from another record of the same shape.
 */
function nearestTimed({ window }: Trace, { recordedTimes, whole }: FrameContext): RecordedMatrix | null {
  /** in steps of 0.02, so that densities as near as that count as equal */
  const distance = (matrix: RecordedMatrix): number =>
    Math.round(50 * Math.abs(matrix.density - density(whole ?? window)));
  const timed4Bits = ({ dense4 }: RecordedMatrix): number => (dense4 ? 1 : 0);
  const products = (recordedTimes?.matrices ?? []).filter(
    ({ pattern, operation, format, dense }) => pattern === 'uniform' && operation === 'spmv' && format && dense,
  );
  const order = (a: RecordedMatrix, b: RecordedMatrix): number =>
    distance(a) - distance(b) || timed4Bits(b) - timed4Bits(a) || b.rows * b.cols - a.rows * a.cols;
  const best = products.toSorted(order).at(0);
  if (!best) return null;
  const dense4 = [best, ...products].find(
    (matrix) => matrix.dense4 && matrix.rows === best.rows && matrix.cols === best.cols,
  )?.dense4;
  return { ...best, dense4: dense4 ?? null };
}

/** The format that the verdict compares with dense. */
interface UserFormat {
  readonly title: string;
  /** the noun for a cell of the matrix */
  readonly cellNoun: 'weight' | 'activation';
  /** bytes of the window, and the reason for them, as a clause */
  readonly ledger: StorageLedger;
  readonly reason: string;
}

/** Bytes of the matrix, or of the window if the matrix is unknown. `reason`: '' if the format has none. */
interface Sizes {
  readonly ledger: StorageLedger;
  readonly reason: string;
  readonly stored: number;
  readonly dense: number;
  /** bytes of the non-zeros in dense */
  readonly kept: number;
  readonly of: 'matrix' | 'cut'; // 'cut': the window, as the page calls it
}

function sizesOf(t: Trace, format: UserFormat, { whole }: FrameContext): Sizes {
  const isWhole = whole && whole.ledger.effectiveDensity > 0;
  const { ledger, reason } = isWhole ? whole : format;
  const window = isWhole ? whole : t.window;
  const dense = denseBytes({ window }, ledger);
  return {
    ledger,
    reason: reason ?? '',
    stored: ledger.totalBytes,
    dense,
    kept: dense * density(window),
    of: isWhole ? 'matrix' : 'cut',
  };
}

/** The last frame of a plain story. */
export function plainVerdict(t: Trace, format: UserFormat): StoryFrame {
  return {
    id: VERDICT,
    chapter: 'So what',
    step: t.steps.length,
    moves: [0, 900],
    text: (context) => verdictText(nearestTimed(t, context), sizesOf(t, format, context)),
    show: (context) => verdictPicture(nearestTimed(t, context), sizesOf(t, format, context), format, context),
  };
}

function verdictText(matrix: RecordedMatrix | null, { ledger, dense }: Sizes): Stated {
  if (dense === 0) return stated`*Not timed on this device*, and this region has no cells.`;
  if (!matrix?.format) {
    const share = fact('share of dense', ledger.totalBytes / dense, 'share');
    return ledger.totalBytes > dense
      ? stated`*Not timed on this device.* It takes *${share}* of dense: here it loses.`
      : stated`*Not timed on this device.* It takes *${share}* of the bytes of dense.`;
  }
  const { format: formatTime, dense: denseTime, dense4: dense4Time } = matrix;
  const of4Bits = dense4Time
    ? stated` 4-bit weights, nothing pruned: *${fact('times dense of 4 bits', dense4Time.timesDense, 2)}*.`
    : '';
  if (formatTime === denseTime) return stated`*Dense is what others are compared with.*${of4Bits}`;
  const left = fact('share left', matrix.density, 'left');
  const times = fact('times dense', formatTime.timesDense, 2);
  return formatTime.timesDense < 1
    ? stated`${left} left: slower, *${times} times as fast* as dense.${of4Bits}`
    : stated`${left} left: *${times} times as fast* as dense.${of4Bits}`;
}

function verdictPicture(
  matrix: RecordedMatrix | null,
  sizes: Sizes,
  { title, cellNoun }: UserFormat,
  { whole, recordedTimes }: FrameContext,
): Picture {
  const { ledger, reason, stored, dense, kept, of } = sizes;
  const names = { values: `${cellNoun}s`, indices: 'indices', metadata: 'bookkeeping', padding: 'zeros' } as const;
  const parts = BYTE_CLASSES.map((tone): CountedBytes => {
    const bytes = ledger.totalBits[tone] / 8;
    // Zeros that a format stores among its values count as padding.
    const zeros = Math.max(0, ledger.totalBits.values / 8 - kept);
    const shownBytes = tone === 'values' ? bytes - zeros : tone === 'padding' ? bytes + zeros : bytes;
    return { tone, bytes: shownBytes, name: names[tone] };
  });
  const text = reason === '' ? `${shareText(dense > 0 ? stored / dense : 0)} of dense.` : `${capitalised(reason)}.`;
  const below = counterBar({ title: of, parts, dense, text });
  if (!matrix?.dense) return { ...bytesPicture({ title, stored, dense, of, whole }), below };
  const simple = matrix.format?.isSimple ? ', one simple kernel' : '';
  const source = `${shapeText(matrix.rows, matrix.cols)}, random weights, ${recordedTimes?.device ?? ''}, empty cache, timed ${matrix.date}${simple}.`;
  const { format: time, dense: denseTime, dense4: rival } = matrix;
  const userTimes = time === denseTime ? [] : [{ id: 'format', title, time }];
  return { ...timesPicture({ dense: denseTime, rival, own: userTimes, source, hasBytes: true }), below };
}
