import { largest } from '../../../../core/number/statistics.ts';
import { counter, type VerdictBar, verdictBars, words } from '../../../../core/story/drawing.ts';
import type { FrameContext, RecordedMatrix, RecordedTime } from '../../../../core/story/frames.ts';
import { bytesBars } from '../../../../core/story/plain-verdict.ts';
import type { Drawing } from '../../../../core/story/scene.ts';
import { shapeText } from '../../../../core/story/words.ts';
import type { Facts } from './facts.ts';
import { bytesCounter, drawingOf, lines, type Drawn } from './parts.ts';

/* The last picture: what it is worth, from what was recorded. */

/** What was recorded, for the last frame. */
export interface Verdict {
  /** rows that share columns */
  readonly planted: RecordedMatrix | null;
  /** weights that are anywhere, of the same shape where there is one */
  readonly random: RecordedMatrix | null;
  /** dense with 4 bits, of the same shape where there is one */
  readonly fourBits: RecordedMatrix | null;
}

const SHARE = 0.3;

/** Of products with one vector, the matrices with about 30 % kept that the last frame compares; null if it has none. */
export function verdictOf(recorded: FrameContext['recorded']): Verdict | null {
  const products = (recorded?.matrices ?? []).filter(({ operation, tokens }) => operation === 'spmv' && tokens === 1);
  const near = products.filter(({ density }) => Math.abs(density - SHARE) < 0.02);
  const cells = ({ rows, cols }: RecordedMatrix): number => rows * cols;
  const largest = (all: readonly RecordedMatrix[]): RecordedMatrix | null =>
    all.reduce<RecordedMatrix | null>((best, one) => (best && cells(best) >= cells(one) ? best : one), null);
  const planted = largest(near.filter(({ pattern, format }) => pattern === 'planted-blocks' && format));
  const anywhere = near.filter(({ pattern, format }) => pattern === 'uniform' && format);
  const isSame = (one: RecordedMatrix): boolean =>
    planted === null || (one.rows === planted.rows && one.cols === planted.cols);
  const random = largest(anywhere.filter(isSame)) ?? largest(anywhere);
  const dense4 = near.filter((one) => one.dense4);
  const fourBits =
    largest(dense4.filter((one) => (planted ?? random) !== null && cells(one) === cells(planted ?? random ?? one))) ??
    largest(dense4);
  return planted || random ? { planted, random, fourBits } : null;
}

const denseBytes = ({ rows, cols }: RecordedMatrix): number => 2 * rows * cols;

/** Bytes of the matrix alone: what dense reads beyond its cells are x and y, which every format reads. */
function readBytes(matrix: RecordedMatrix): number {
  const { format, dense } = matrix;
  const vectors = dense ? dense.bytes - denseBytes(matrix) : 0;
  return (format?.bytes ?? 0) - Math.max(0, vectors);
}

/** Two digits, so that what is shown adds up. */
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(2);

const microseconds = (ns: number): string => `${(ns / 1000).toFixed(1)} \u00b5s`;

/** The last frame: at most three times on one axis, and what else is true. Pictures 0 and 1. */
export function verdict(facts: Facts, context: FrameContext, picture: number): Drawing {
  const { layout, recorded } = context;
  const found = verdictOf(recorded);
  const isWide = layout === 'wide';
  if (!found || !recorded) {
    const { dense, total: stored } = facts.bytes;
    const bars = bytesBars(layout, { title: 'EC-SpMV', dense, stored }, picture);
    return drawingOf(layout, [...bars, ...bytesCounter(facts, layout)]);
  }
  const { planted, random, fourBits } = found;
  const main = planted ?? random;
  if (!main?.format) return drawingOf(layout, bytesCounter(facts, layout));
  const shapeOf = (one: RecordedMatrix): string => shapeText(one.rows, one.cols);
  const isSame = fourBits !== null && fourBits.rows === main.rows && fourBits.cols === main.cols;
  const bar = (look: VerdictBar['look'], title: string, note: string, time: RecordedTime | null): VerdictBar[] => {
    if (!time) return [];
    const own = { title, note, look, value: time.ns, text: microseconds(time.ns) };
    return [look === 'reference' ? { id: 'dense', ...own } : { id: look, ...own, more: timesText(time.timesDense) }];
  };
  const name = planted ? 'EC-SpMV, rows share' : 'EC-SpMV, random';
  const bars = [
    ...bar('reference', 'dense, 16 bits', `${megabytes(denseBytes(main))} MB`, main.dense),
    ...bar('format', name, `${megabytes(readBytes(main))} MB`, main.format),
    ...bar('rival', '4-bit weights', 'nothing pruned', isSame ? fourBits.dense4 : null),
  ];
  const max = largest(
    bars.map(({ value }) => value),
    0,
  );
  const marks: Drawn[] = [
    ...verdictBars(layout, bars, { y: isWide ? 20 : 0, max: isWide ? max : max * 1.05, share: picture === 0 ? 0 : 1 }),
  ];
  const random2 =
    planted && random?.format
      ? `Random weights${shapeOf(random) === shapeOf(main) ? '' : ` (${shapeOf(random)})`}: ${microseconds(random.format.ns)}, ${timesText(random.format.timesDense)}.`
      : planted
        ? null
        : 'Rows that share columns: not timed.';
  const four = isSame
    ? null
    : fourBits?.dense4
      ? `4 bits, ${shapeOf(fourBits)}: ${timesText(fourBits.dense4.timesDense)}.`
      : null;
  const open = planted ? 'Sharing in real networks: not measured.' : null;
  const also = [random2, four, open].filter((text) => text !== null);
  const device = `${shapeOf(main)}, 30 % kept, empty cache; ${recorded.device}, ${main.date}.`;
  const y = isWide ? 20 + bars.length * 48 + 18 : bars.length * 66 + 24;
  const at = { x: 0, y, w: isWide ? 0 : 340 };
  marks.push(
    lines('also', at, also, { tone: 'ink', size: isWide ? 12.5 : 11.5 }, isWide ? 21 : 36),
    words('device', { x: 0, y: isWide ? y + also.length * 21 + 8 : 372, w: at.w }, device, { size: 11 }),
  );
  const weights = Math.round(main.density * main.rows * main.cols) * 2;
  const rest = Math.max(0, readBytes(main) - weights);
  const count = counter(layout, {
    title: 'bytes',
    parts: [
      { tone: 'values', value: weights, label: `weights ${megabytes(weights)}` },
      { tone: 'indices', value: rest, label: `columns and the rest ${megabytes(rest)}` },
    ],
    of: denseBytes(main),
    ...(isWide && { ofText: `dense ${megabytes(denseBytes(main))}` }),
    number: megabytes(readBytes(main)),
    unit: `of ${megabytes(denseBytes(main))} MB`,
    note: `${Math.round((100 * readBytes(main)) / denseBytes(main))} % of dense`,
  });
  return drawingOf(layout, [...marks, count]);
}

/** '1.97 times as fast', '0.98 times as fast: it loses'. */
function timesText(times: number): string {
  return `${times.toFixed(2)} times as fast${times < 1 ? ': it loses' : ''}`;
}
