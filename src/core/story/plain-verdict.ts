import { BYTE_CLASSES, type StorageLedger } from '../encoded/ledger.ts';
import { density } from '../matrix/index.ts';
import { largest } from '../number/statistics.ts';
import {
  counter,
  type CounterPart,
  type DrawingLayout,
  sizeOf,
  type VerdictBar,
  verdictBars,
  words,
} from './drawing.ts';
import { denseBytes } from './first-frame.ts';
import { type Frame, type FrameContext, type RecordedMatrix, VERDICT, verdictOf } from './frames.ts';
import { shareText } from './rounded.ts';
import type { Drawing, DrawnMark, TextRun } from './scene.ts';
import { fact, type Stated, stated } from './stated.ts';
import type { Trace } from './trace.ts';
import { bytesText, capitalised, shapeText, threeDigits } from './words.ts';

/** Bars of bytes where no time is known. `share`: how far they have grown at one speed, 0 to 1. */
function bytesBars(
  layout: DrawingLayout,
  { title, dense, stored }: { readonly title: string; readonly dense: number; readonly stored: number },
  share: number,
): readonly DrawnMark[] {
  const max = Math.max(dense, stored, 1);
  const bar = (id: string, name: string, look: VerdictBar['look'], bytes: number): VerdictBar => {
    const text = max * share >= bytes ? bytesText(bytes) : '';
    return { id, title: name, look, value: Math.min(max * share, bytes), text };
  };
  const bars = [bar('reference', 'dense, zeros too', 'reference', dense), bar('format', title, 'format', stored)];
  return verdictBars(layout, bars, { y: layout === 'wide' ? 40 : 20, max, share: 1 });
}

/**
 * The recorded product of random weights with about as much left as the matrix; of these one with 4 bits, the largest.
 * Weights of 4 bits take as long whatever is left: another share of its shape may have their time.
 */
function timedLike({ window }: Trace, { recorded, whole }: FrameContext): RecordedMatrix | null {
  const far = (one: RecordedMatrix): number => Math.round(50 * Math.abs(one.density - density(whole ?? window)));
  const has4 = ({ dense4 }: RecordedMatrix): number => (dense4 ? 1 : 0);
  const products = (recorded?.matrices ?? []).filter(
    ({ pattern, operation, format, dense }) => pattern === 'uniform' && operation === 'spmv' && format && dense,
  );
  const order = (a: RecordedMatrix, b: RecordedMatrix): number =>
    far(a) - far(b) || has4(b) - has4(a) || b.rows * b.cols - a.rows * a.cols;
  const best = products.toSorted(order).at(0);
  if (!best) return null;
  const dense4 = [best, ...products].find(
    (one) => one.dense4 && one.rows === best.rows && one.cols === best.cols,
  )?.dense4;
  return { ...best, dense4: dense4 ?? null };
}

/** Two lines of further facts, with their source. */
function verdictNotes(
  layout: DrawingLayout,
  [first, second, source]: readonly [first: string | readonly TextRun[], second: string, source: string],
): readonly DrawnMark[] {
  const [y1, y2, y3, size] = layout === 'wide' ? [186, 212, 246, 13] : [206, 270, 340, 12];
  const { width: w } = sizeOf(layout);
  return [
    words('note 1', { x: 0, y: y1, w }, first, { tone: 'ink', size }),
    ...(second === '' ? [] : [words('note 2', { x: 0, y: y2, w }, second, { tone: 'ink', size })]),
    words('source', { x: 0, y: y3, w }, source, { size: 11 }),
  ];
}

/** The format that is compared with dense. */
interface Judged {
  readonly title: string;
  readonly one: 'weight' | 'activation';
  /** bytes of the window, and the reason for them, as a clause */
  readonly ledger: StorageLedger;
  readonly reason: string;
}

/** Bytes of the matrix, or of the window where the matrix is not known. `reason`: empty where its format says none. */
interface Sizes {
  readonly ledger: StorageLedger;
  readonly reason: string;
  readonly dense: number;
  /** bytes of the non-zeros in dense */
  readonly kept: number;
  readonly of: 'matrix' | 'cut';
}

function sizesOf(t: Trace, own: Judged, { whole }: FrameContext): Sizes {
  const isWhole = whole && whole.ledger.effectiveDensity > 0;
  const { ledger, reason } = isWhole ? whole : own;
  const window = isWhole ? whole : t.window;
  const dense = denseBytes({ window }, ledger);
  return { ledger, reason: reason ?? '', dense, kept: dense * density(window), of: isWhole ? 'matrix' : 'cut' };
}

/** The last frame of a story without a script: what the format is worth. */
export function plainVerdict(t: Trace, own: Judged): Frame {
  return {
    id: VERDICT,
    chapter: 'So what',
    step: t.steps.length,
    moves: [0, 900],
    sentence: (given) =>
      verdictOf(given, (context) => verdictSentence(timedLike(t, context), sizesOf(t, own, context))),
    draw: (picture, context) => verdictPicture(timedLike(t, context), sizesOf(t, own, context), own, picture, context),
  };
}

function verdictSentence(matrix: RecordedMatrix | null, { ledger, dense }: Sizes): Stated {
  if (dense === 0) return stated`*Not timed on this device*, and this cut has no cells.`;
  if (!matrix?.format) {
    const share = fact('share of dense', ledger.totalBytes / dense, 'share');
    return ledger.totalBytes > dense
      ? stated`*Not timed on this device.* It takes *${share}* of dense: here it loses.`
      : stated`*Not timed on this device.* It takes *${share}* of the bytes of dense.`;
  }
  const { format, dense: reference, dense4 } = matrix;
  const rival = dense4
    ? stated` 4-bit weights, nothing pruned: *${fact('times dense of 4 bits', dense4.timesDense, 2)}*.`
    : '';
  if (format === reference) return stated`*Dense is what others are compared with.*${rival}`;
  const left = fact('share left', matrix.density, 'left');
  const times = fact('times dense', format.timesDense, 2);
  return format.timesDense < 1
    ? stated`${left} left it loses: *${times} times as fast* as dense.${rival}`
    : stated`${left} left: *${times} times as fast* as dense.${rival}`;
}

function verdictPicture(
  matrix: RecordedMatrix | null,
  sizes: Sizes,
  { title, one }: Judged,
  picture: number,
  { layout, recorded }: FrameContext,
): Drawing {
  const { ledger, reason, dense, kept, of } = sizes;
  const isDense = matrix?.format === matrix?.dense;
  const bars = (
    [
      ['reference', 'dense, 16 bits', 'reference', matrix?.dense],
      ['format', title, 'format', isDense ? null : matrix?.format],
      ['dense 4', '4-bit weights', 'rival', matrix?.dense4],
    ] as const
  ).flatMap(([id, name, look, time]): VerdictBar[] => {
    if (!time) return [];
    const more = id === 'reference' ? {} : { more: `${time.timesDense.toFixed(2)} times as fast` };
    return [{ id, title: name, look, value: time.ns, text: `${threeDigits(time.ns / 1000)} \u00b5s`, ...more }];
  });
  const max = largest(
    bars.map(({ value }) => value),
    0,
  );
  const stored = ledger.totalBytes;
  const share = shareText(dense > 0 ? stored / dense : 0);
  const alone =
    matrix?.format && matrix.dense && !isDense
      ? `The timed matrix, by bytes alone: ${(matrix.dense.bytes / matrix.format.bytes).toFixed(2)} times as fast.`
      : 'Bytes decide the time: what is stored is read once.';
  const source = matrix
    ? `${shapeText(matrix.rows, matrix.cols)}, random weights, ${recorded?.device ?? ''}, empty cache, timed ${matrix.date}${matrix.format?.isSimple ? ', one simple kernel' : ''}.`
    : 'Measure times it here.';
  const size = stored === dense ? '' : `This ${of} takes ${share} of dense. `;
  const notes = [size + alone, reason === '' ? '' : `${capitalised(reason)}.`, source] as const;
  const names = { values: `${one}s`, indices: 'indices', metadata: 'bookkeeping', padding: 'zeros' } as const;
  const parts = BYTE_CLASSES.map((tone): CounterPart => {
    const bytes = ledger.totalBits[tone] / 8;
    // Zeros that a format stores like the others are as useless as those that it adds.
    const zeros = Math.max(0, ledger.totalBits.values / 8 - kept);
    const value = tone === 'values' ? bytes - zeros : tone === 'padding' ? bytes + zeros : bytes;
    return {
      tone,
      value,
      ...(value > 0.04 * Math.max(dense, stored) && { label: `${names[tone]} ${bytesText(value)}` }),
    };
  });
  const marks = [
    ...(matrix
      ? verdictBars(layout, bars, { y: layout === 'wide' ? 92 - 24 * bars.length : 0, max, share: picture })
      : bytesBars(layout, { title, dense, stored }, picture)),
    ...verdictNotes(layout, notes),
    ...counter(layout, {
      title: of,
      parts: parts.filter(({ value }) => value > 0),
      of: dense,
      ...(layout === 'wide' && { ofText: `dense ${bytesText(dense)}` }),
      number: bytesText(stored),
      unit: `of ${bytesText(dense)}`,
      note: `${share} of dense`,
    }),
  ];
  return { ...sizeOf(layout), marks };
}
