import { sizeOf } from '../../core/encoded/ledger.ts';
import { density } from '../../core/matrix/index.ts';
import { densityText } from '../../core/text/rounded.ts';
import { fact, type NamedFact, sizeFact, type Stated, stated } from '../../core/text/stated.ts';
import { bytesText, shapeText, threeDigits } from '../../core/text/words.ts';
import { type FrameContext, isRefused, isTooSmall, type TimedTogether } from '../frames.ts';
import type { TextRun } from '../scene.ts';
import { type Bar, bars } from './bars.ts';
import type { Part } from './layout-space.ts';
import { ink, note, row, stack, tightStack } from './parts.ts';

/* The reader's matrix in the last frame of a story: its bytes and its times, in the format and in dense. */

/** A format and the region of the reader's matrix that its story shows. */
export interface OwnRegion {
  readonly title: string;
  /** words after 'time' if more than a product with the matrix is timed: 'of the whole block' */
  readonly timedWork?: string;
  /** whether it is dense itself, which others are compared with */
  readonly isReference?: boolean;
  /** what other matrices show, said in the headline of a matrix that was not timed; null: nothing */
  readonly othersText?: (context: FrameContext) => Stated | null;
  /** the shape and the non-zeros of the region, and its bytes in the format and in dense */
  readonly window: {
    readonly rows: number;
    readonly cols: number;
    readonly nnz: number;
    readonly stored: number;
    readonly dense: number;
  };
}

/** Bytes in the format and in dense, of the matrix if they are known, or else of the region. */
function bytesOf({ window: { rows, cols, stored, dense } }: OwnRegion, { wholeMatrix }: FrameContext) {
  if (!wholeMatrix || rows * cols === 0) return { formatBytes: stored, denseBytes: dense, subject: 'region' } as const;
  const { totalBytes, effectiveDensity } = wholeMatrix.ledger;
  // Some formats store nothing of a matrix without weights, so the ratio to dense is 0.
  const denseOfMatrix =
    effectiveDensity === 0
      ? (dense / (rows * cols)) * wholeMatrix.rows * wholeMatrix.cols
      : totalBytes / effectiveDensity;
  return { formatBytes: sizeOf(wholeMatrix.ledger), denseBytes: denseOfMatrix, subject: 'matrix' } as const;
}

/** Times that differ by no more than this share count as equal. */
export const MAX_EQUAL_DIFFERENCE = 0.03;

/** How many times as fast as dense: the quotient of the two times as printed. */
export const timesAsFast = ({ formatNs, denseNs }: Pick<TimedTogether, 'formatNs' | 'denseNs'>): number =>
  Number(denseNs.toPrecision(3)) / Number(formatNs.toPrecision(3));

const timesFact = (name: string, times: TimedTogether): NamedFact => ({
  ...fact(name, timesAsFast(times), 2),
  scope: 'recorded',
});

/** The headline of a last frame: the bytes of the reader's matrix, and its speed if it was timed. */
export function ownText(region: OwnRegion, context: FrameContext): Stated {
  const { formatBytes, denseBytes, subject } = bytesOf(region, context);
  if (denseBytes === 0) return stated`This region has no cells, so nothing is stored, and nothing is timed.`;
  const isMatrix = subject === 'matrix';
  const share: NamedFact = isMatrix
    ? { ...fact('share of dense, the matrix', formatBytes / denseBytes, 'share'), scope: 'matrix' }
    : fact('share of dense', formatBytes / denseBytes, 'share');
  if (region.isReference) return referenceText(region.title, formatBytes, isMatrix);
  const what = isMatrix ? 'This matrix' : 'This region';
  const { own: matrixTimes = null, larger: largerTimes = null } = context.ownTimes ?? {};
  if (matrixTimes && !matrixTimes.isSoftware) {
    const times = timesFact('times as fast, this matrix', matrixTimes);
    return timesAsFast(matrixTimes) < 1
      ? stated`*${what} takes ${share} of the bytes of dense*, but has ${times} times its speed.`
      : stated`*${what} takes ${share} of the bytes of dense*, and is ${times} times as fast.`;
  }
  if (largerTimes && !largerTimes.isSoftware) {
    const times = timesFact('times as fast, the matrix repeated', largerTimes);
    return stated`*${what} takes ${share} of dense*; repeated, it is ${times} times as fast.`;
  }
  if (formatBytes > denseBytes) return stated`*${what} takes ${share} of the bytes of dense*: here it loses.`;
  const { wholeMatrix } = context;
  // Only a whole matrix is timed.
  if (!wholeMatrix || !isMatrix) return stated`*${what} takes ${share} of the bytes of dense.*`;
  const othersText = region.othersText?.(context);
  if (othersText) return stated`*${what} takes ${share} of dense.* ${othersText}`;
  // A text next to the bars of bytes says why it was not timed.
  return matrixTimes && !isTooSmall(wholeMatrix)
    ? stated`*${what} takes ${share} of the bytes of dense.* It was timed in software only.`
    : stated`*${what} takes ${share} of the bytes of dense.*`;
}

/** The headline for dense itself: its bytes, with which others are compared. */
function referenceText(title: string, bytes: number, isMatrix: boolean): Stated {
  const size = isMatrix ? sizeFact(title, bytes) : fact('dense bytes', bytes, 'count', ['byte', 'bytes']);
  return stated`*Others are compared with dense*: this ${isMatrix ? 'matrix' : 'region'} takes ${size}.`;
}

/** Its bytes and times as bars: shorter is better. A larger matrix that was timed for it is a part of its own. */
export function ownPart(region: OwnRegion, context: FrameContext): Part {
  const { title, window } = region;
  const { wholeMatrix, ownTimes = null, recordedTimes } = context;
  if (isRefused(context)) return note('own', `${title} cannot store this matrix.`);
  const { formatBytes, denseBytes, subject } = bytesOf(region, context);
  const { rows, cols, nnz } = wholeMatrix ?? window;
  const densityEnd = rows * cols > 0 ? `, ${densityText(density({ rows, cols, nnz }))} left` : '';
  const heading = `${subject === 'matrix' ? 'This matrix' : 'This region'}: ${shapeText(rows, cols)}${densityEnd}`;
  const byteBars = denseAndFormatBars(
    region,
    'own bytes',
    'bytes: fewer is better',
    [denseBytes, formatBytes],
    bytesText,
  );
  const matrixTimes = ownTimes?.own ?? null;
  const largerTimes = ownTimes?.larger ?? null;
  const device = ownTimes?.device ?? recordedTimes?.device ?? 'this device';
  const untimed = isTooSmall({ rows, cols })
    ? 'Too small to time: most of the time would be spent starting the kernel.'
    : `Not timed on ${device}.`;
  const part = stack(
    note('own', [ink(heading)]),
    subject === 'region'
      ? byteBars
      : row(
          compact(byteBars),
          compact(matrixTimes ? timeBars(region, 'own time', matrixTimes) : note('own time', untimed)),
        ),
    largerTimes &&
      tightStack(
        note('larger', [
          ink(`The same pattern at ${shapeText(largerTimes.rows, largerTimes.cols)}`),
          { text: ', the matrix repeated' },
        ]),
        timeBars(region, 'larger time', largerTimes),
      ),
  );
  // Its texts begin at the left, where the titles of its bars do.
  return { ...part, titles: [], lay: (available, width) => part.lay({ ...available, gutter: 0 }, width) };
}

/** Times in one unit, so that they can be compared at a glance. */
const timeTextFor = (largestNs: number) =>
  largestNs < 1e6
    ? (ns: number): string => `${threeDigits(ns / 1000)} \u00b5s`
    : (ns: number): string => `${threeDigits(ns / 1e6)} ms`;

function timeBars(region: OwnRegion, id: string, times: TimedTogether): Part {
  const timedWhat = region.timedWork === undefined ? 'time' : `time ${region.timedWork}`;
  const speed = timesAsFast(times);
  const tone = speed < 1 ? 'danger' : 'neutral';
  const meaning = `${timedWhat} on ${times.device}, ${times.date}: shorter is better`;
  const after: readonly TextRun[] = [{ text: `  ${speed.toFixed(2)} times the speed`, tone }];
  const textOf = timeTextFor(Math.max(times.denseNs, times.formatNs));
  return denseAndFormatBars(region, id, meaning, [times.denseNs, times.formatNs], textOf, after);
}

/** A bar for dense and one for the format. `after`: further text after the second. */
function denseAndFormatBars(
  { title: formatTitle, isReference = false }: OwnRegion,
  id: string,
  meaning: string,
  [denseValue, formatValue]: readonly [dense: number, format: number],
  textOf: (n: number) => string,
  after: readonly TextRun[] = [],
): Part {
  const bar = (name: string, title: string, to: number, more: readonly TextRun[]): Bar => ({
    id: name,
    title,
    strong: name === 'format',
    parts: [{ to, tone: name === 'format' ? 'format' : 'neutral', label: `${title}: ${textOf(to)}` }],
    after: [{ text: textOf(to), strong: true }, ...more],
  });
  return bars({ id, max: Math.max(denseValue, formatValue, 1), meaning, height: 1.3, isAlone: true, grow: true }, [
    bar('reference', 'dense, all cells', denseValue, []),
    ...(isReference ? [] : [bar('format', formatTitle, formatValue, after)]),
  ]);
}

/** The width that two bars with their texts need, in em, so that two pairs fit next to each other on a wide page. */
const PAIR_EMS = 24;

const compact = (part: Part): Part => ({ ...part, naturalWidth: ({ em }) => PAIR_EMS * em });
