import { counter, type DrawingLayout, type VerdictBar, verdictBars } from '../../../../core/story/drawing.ts';
import type { FrameContext, RecordedMatrix, RecordedTime } from '../../../../core/story/frames.ts';
import { bytesBars, verdictNotes } from '../../../../core/story/plain-verdict.ts';
import { density } from '../../../../core/matrix/index.ts';
import type { Drawing, DrawnMark, TextRun } from '../../../../core/story/scene.ts';
import { fact, type Stated, stated } from '../../../../core/story/stated.ts';
import { shareText } from '../../../../core/story/rounded.ts';
import { bytesText, shapeText, threeDigits } from '../../../../core/story/words.ts';
import { VALUE_BITS } from '../../../../core/number/index.ts';
import { bestDeltaBits, effectiveDensity, type MackoParams } from '../../params.ts';
import { published } from '../../published.ts';
import { sumOf, type WindowFacts } from './facts.ts';
import { drawing } from '../../../../core/story/drawn-rows.ts';
import { bytesCounter } from './rows.ts';

/* The last frame: what was recorded of matrices of random weights on the device whose speeds are shown. */

type Recorded = NonNullable<FrameContext['recorded']>;

/** Recorded results of one shape. */
interface Verdict {
  readonly shape: Pick<RecordedMatrix, 'rows' | 'cols' | 'date'>;
  /** half of the weights are left */
  readonly half: { readonly format: RecordedTime; readonly dense: RecordedTime; readonly dense4: RecordedTime };
  readonly others: readonly { readonly density: number; readonly format: RecordedTime }[];
}

const HALF = 0.5;
/** Recorded matrices have as many weights left as was asked for, within this. */
const NEARLY = 0.01;

/** The shape of which most shares are recorded, of these the largest; dense with 4 bits has to be among its times. */
function verdictOf(recorded: Recorded | null): Verdict | null {
  const shapes = new Map<string, RecordedMatrix[]>();
  for (const matrix of recorded?.matrices ?? []) {
    if (matrix.pattern !== 'uniform' || matrix.operation !== 'spmv' || !matrix.format) continue;
    const key = shapeText(matrix.rows, matrix.cols);
    shapes.set(key, [...(shapes.get(key) ?? []), matrix]);
  }
  let best: Verdict | null = null;
  for (const matrices of shapes.values()) {
    const verdict = verdictOfShape(matrices);
    if (verdict && (best === null || isBetter(verdict, best))) best = verdict;
  }
  return best;
}

function isBetter(a: Verdict, b: Verdict): boolean {
  const more = a.others.length - b.others.length;
  return more > 0 || (more === 0 && a.shape.rows * a.shape.cols > b.shape.rows * b.shape.cols);
}

function verdictOfShape(matrices: readonly RecordedMatrix[]): Verdict | null {
  const half = matrices.find((matrix) => Math.abs(matrix.density - HALF) < NEARLY && matrix.dense && matrix.dense4);
  const { format, dense, dense4 } = half ?? {};
  if (!half || !format || !dense || !dense4) return null;
  const others = matrices.flatMap((matrix) =>
    matrix.format ? [{ density: matrix.density, format: matrix.format }] : [],
  );
  const alone = (time: RecordedTime): RecordedTime => ({ ...time, bytes: time.bytes - vectorBytes(half) });
  return {
    shape: half,
    half: { format: alone(format), dense: alone(dense), dense4: alone(dense4) },
    others: others.toSorted((a, b) => a.density - b.density),
  };
}

/** x and y, which a kernel reads and writes besides the matrix. */
function vectorBytes({ rows, cols }: Verdict['shape']): number {
  return 4 * (rows + cols);
}

/** The sentence. */
export function verdictSentence(facts: WindowFacts, { recorded, whole }: FrameContext): Stated {
  const verdict = verdictOf(recorded);
  if (!verdict) {
    const share = shareOfDense(facts, whole);
    if (share === null) return stated`*Not timed on this device*, and this cut has no cells.`;
    const name = fact(whole ? 'share of dense, the matrix' : 'share of dense', share, 'share');
    return share < 1
      ? stated`*Not timed on this device.* It takes *${name}* of the bytes of dense.`
      : stated`*Not timed on this device.* It takes *${name}* of dense: here it loses.`;
  }
  const times = fact('times dense at half', verdict.half.format.timesDense, 2);
  const rival = fact('times dense of 4 bits', verdict.half.dense4.timesDense, 2);
  return verdict.half.format.timesDense >= 1
    ? stated`Half kept: *${times} times as fast* as dense. 4-bit weights, nothing pruned: *${rival}*.`
    : stated`Half kept it loses: *${times} times as fast* as dense. 4-bit weights, nothing pruned: *${rival}*.`;
}

function shareOfDense(facts: WindowFacts, whole: FrameContext['whole']): number | null {
  if (whole && whole.ledger.effectiveDensity > 0) return whole.ledger.effectiveDensity;
  return facts.dense > 0 ? facts.total / facts.dense : null;
}

/** Three bars grow at one speed: after `picture` of this many parts each is as long as its time allows. */
export const GROWTH = [0, 1000, 1000, 1000] as const;

export function verdictPicture(facts: WindowFacts, context: FrameContext, picture: number): Drawing {
  const verdict = verdictOf(context.recorded);
  const share = picture / (GROWTH.length - 1);
  const marks =
    verdict && context.recorded
      ? timed(facts, verdict, context.recorded, context.layout, share)
      : untimed(facts, context, share);
  return drawing(context.layout, marks);
}

function micros(ns: number): string {
  return `${threeDigits(ns / 1000)} \u00b5s`;
}

/** The matrices of a verdict are compared in MB; smaller ones in bytes. */
function megabytes(bytes: number): string {
  return bytes < 1e6 ? bytesText(bytes) : `${(bytes / 1e6).toFixed(1)} MB`;
}

function timed(
  facts: WindowFacts,
  verdict: Verdict,
  recorded: Recorded,
  layout: DrawingLayout,
  share: number,
): readonly DrawnMark[] {
  const { format, dense, dense4 } = verdict.half;
  const isWide = layout === 'wide';
  const max = Math.max(format.ns, dense.ns, dense4.ns);
  const now = max * share;
  const bar = (id: string, title: string, look: VerdictBar['look'], time: RecordedTime, more?: string): VerdictBar => {
    const isDone = now >= time.ns;
    return {
      id,
      title,
      note: megabytes(time.bytes),
      value: Math.min(now, time.ns),
      text: isDone ? micros(time.ns) : '',
      look,
      ...(isDone && more !== undefined && { more }),
    };
  };
  const bars = [
    bar('dense', 'dense, 16 bits', 'reference', dense),
    bar('format', 'MACKO, half kept', 'format', format, `${format.timesDense.toFixed(2)} times as fast`),
    bar('dense 4', '4-bit weights', 'rival', dense4, `${dense4.timesDense.toFixed(2)} times as fast`),
  ];
  const weights = verdict.shape.rows * verdict.shape.cols * HALF * 2;
  const shareOfBytes = format.bytes / dense.bytes;
  const narrow: MackoParams = { deltaBits: bestDeltaBits(HALF, 'i4'), valueType: 'i4' };
  const narrowShare = (effectiveDensity(HALF, narrow).expected * VALUE_BITS.i4) / VALUE_BITS.f16;
  const own = ourExample(facts, verdict);
  const loses = verdict.others.find(({ format: { timesDense } }) => timesDense < 1);
  const lost: TextRun[] = loses
    ? [{ text: ` At ${shareText(rounded(loses.density))} it loses: ${loses.format.timesDense.toFixed(2)}.` }]
    : [];
  const bytesLine = `By bytes alone: ${(1 / shareOfBytes).toFixed(2)} times as fast. Half kept in 4 bits, MACKO would take ${(100 * narrowShare).toFixed(1)} % of dense; 4-bit weights take ${((100 * dense4.bytes) / dense.bytes).toFixed(1)} %.`;
  const isDefault = facts.skipBits === 4 && facts.valueBits === 16;
  const settings = isDefault ? '' : ' Skips of 4 bits, weights of 16.';
  const source = `Timed on ${shapeText(verdict.shape.rows, verdict.shape.cols)}, random weights, ${recorded.device}, empty cache, timed ${verdict.shape.date}.${settings}`;
  const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);
  return [
    ...verdictBars(layout, bars, { y: isWide ? 20 : 0, max, share: 1 }),
    ...verdictNotes(layout, [[...own, ...lost], bytesLine, source]),
    ...counter(layout, {
      title: 'half kept',
      parts: [
        { tone: 'values', value: weights, label: `weights ${mb(weights)}` },
        { tone: 'indices', value: format.bytes - weights, label: `skips ${mb(format.bytes - weights)}` },
      ],
      of: dense.bytes,
      ...(isWide && { ofText: `dense ${mb(dense.bytes)}` }),
      number: mb(format.bytes),
      unit: `of ${megabytes(dense.bytes)}`,
      note: `${(100 * shareOfBytes).toFixed(1)} % of dense`,
    }),
  ];
}

/** A recorded share as it was asked for. */
function rounded(share: number): number {
  return Math.round(share * 100) / 100;
}

/** Times within this of each other are level. */
const LEVEL = 0.03;

/** What was recorded of the share that is nearest to that of the window. */
function ourExample({ t }: WindowFacts, { others, half }: Verdict): readonly TextRun[] {
  const kept = t.window.rows * t.window.cols > 0 ? density(t.window) : 0;
  const nearest = others.reduce((best, one) =>
    Math.abs(one.density - kept) < Math.abs(best.density - kept) ? one : best,
  );
  const { format } = nearest;
  const against = format.ns / half.dense4.ns;
  const level =
    Math.abs(against - 1) <= LEVEL
      ? 'level with 4-bit weights'
      : against < 1
        ? 'faster than 4-bit weights'
        : 'slower than 4-bit weights';
  return [
    { text: 'Our example', strong: true, tone: 'ink' },
    {
      text: ` keeps ${shareText(kept)}. At ${shareText(rounded(nearest.density))}: ${micros(format.ns)}, ${format.timesDense.toFixed(2)}×, ${level}.`,
    },
  ];
}

/** Without a recording: bytes, and what the authors published. */
function untimed(facts: WindowFacts, { layout, whole }: FrameContext, share: number): readonly DrawnMark[] {
  const hasWhole = whole && whole.ledger.effectiveDensity > 0;
  const total = hasWhole ? whole.ledger.totalBytes : facts.total;
  const dense = hasWhole ? total / whole.ledger.effectiveDensity : facts.dense;
  const [figures] = published;
  const half = figures.points.find((point) => point.density === HALF);
  const authors = half
    ? `Half kept, its authors timed ${half.value.toFixed(2)} times the speed of dense on ${figures.on ?? 'their device'}.`
    : '';
  const of = hasWhole ? `${shapeText(whole.rows, whole.cols)}, the whole matrix.` : 'The bytes of this cut.';
  return [
    ...bytesBars(layout, { title: 'MACKO', dense, stored: total }, share),
    ...verdictNotes(layout, [authors, '', `${of} Measure times it here.`]),
    ...bytesCounter(layout, facts.bytes, {
      title: 'this cut',
      dense: facts.dense,
      note: `${shareText(facts.dense > 0 ? sumOf(facts.bytes) / facts.dense : 0)} of dense`,
    }),
  ];
}
