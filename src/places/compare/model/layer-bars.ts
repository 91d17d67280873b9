import { largest } from '../../../core/number/statistics.ts';
import { bytes, ratio } from '../../../kit/words/quantity.ts';
import type { ShapeGroup } from '../../../theory/models/model-shape.ts';
import { type ModelView, type ShapeLine, type SourcedTime, sourcedTimeText } from './model-view.ts';

/** A bar for all matrices of one shape that a token uses. */
export interface LayerBar {
  /** share of the longest bar */
  readonly share: number;
  readonly text: string;
  readonly predicted: boolean;
}

/** The bars of one shape. */
interface ShapeBars {
  readonly line: ShapeLine;
  readonly dense: LayerBar;
  /** null if the shape stays dense */
  readonly stored: LayerBar | null;
  /** limit set by bytes, as a share of the longest bar; null if that is the bar itself */
  readonly tick: number | null;
  /** dense over stored, in words; '' if not comparable */
  readonly ratio: string;
}

/** The bars of a model, shape by shape. */
export interface ModelBars {
  /** the bars are times; otherwise bytes */
  readonly byTime: boolean;
  readonly shapes: readonly ShapeBars[];
}

/** The matrices of a shape: 'q, k, v, o'; matrices stored as one are joined by a plus: 'q + k + v'. */
export function namesOf({ parts }: ShapeGroup): string {
  return parts.map(({ names }) => names.join(' + ')).join(', ');
}

/** The bars of a model, shape by shape: times if there are any, otherwise bytes. */
export function layerBars({ lines }: Pick<ModelView, 'lines'>): ModelBars {
  const byTime = lines.every(({ denseTime, storedTime, refusal }) => denseTime && (storedTime || refusal !== null));
  const denseOf = (line: ShapeLine): number => (byTime ? (line.denseTime?.ns ?? 0) : line.dense) * line.group.active;
  const storedOf = (line: ShapeLine): number => (byTime ? (line.storedTime?.ns ?? 0) : line.stored) * line.group.active;
  const max = largest(lines.flatMap((line) => [denseOf(line), storedOf(line)]));
  const barOf = (amount: number, source: SourcedTime | null): LayerBar => ({
    share: amount / max,
    text: byTime ? (source ? sourcedTimeText({ ...source, ns: amount }) : '') : bytes(amount),
    predicted: byTime && source?.from === 'bytes',
  });
  return {
    byTime,
    shapes: lines.map((line) => {
      const { group, denseTime, storedTime, limitNs } = line;
      const hasTick = byTime && !group.keptDense && limitNs !== null && storedTime?.from === 'measured';
      return {
        line,
        dense: barOf(denseOf(line), denseTime),
        stored: group.keptDense ? null : barOf(storedOf(line), storedTime),
        tick: hasTick ? (limitNs * group.active) / max : null,
        ratio: ratioText(line),
      };
    }),
  };
}

function ratioText({ denseTime, storedTime, group }: ShapeLine): string {
  if (group.keptDense) return '1×';
  if (!denseTime || !storedTime || denseTime.from !== storedTime.from) return '';
  return `${denseTime.from === 'bytes' ? '≈ ' : ''}${ratio(denseTime.ns / storedTime.ns)}`;
}
