import './layers.css';
import type { ModelView, ShapeLine, SourcedTime } from '../../model/model-view.ts';
import { sourcedTimeText } from '../../model/model-view.ts';
import type { CSSProperties } from 'react';
import type { AnyListedFormat } from '../../../../core/format.ts';
import { referenceFormat } from '../../../../formats/catalog.ts';
import { largest } from '../../../../core/number/statistics.ts';
import { bytes, shape } from '../../../../kit/words/quantity.ts';
import { speedFromTimes, speedText } from '../../../../kit/words/speed-of.ts';
import { namesOf } from '../../../../theory/models/model-shape.ts';
import { cssColorOf, cssTextColorOf } from '../../../../kit/format-color.ts';
import { classes } from '../../../../kit/primitives/classes.ts';

/** A model stored in one format, at the density that the page compares. */
export interface StoredModel {
  readonly view: ModelView;
  readonly format: AnyListedFormat;
  /** the format's title and value type */
  readonly formatTitle: string;
}

/** The section 'layer by layer': for each shape a thin bar for dense, and a thick bar for the format (see `Bar`). */
export function LayersDetails({ view, format, formatTitle }: StoredModel) {
  const { byTime, shapes } = layerBars(view);
  const colors: CSSProperties = {
    '--dense': cssColorOf(referenceFormat.id),
    '--stored': cssColorOf(format.id),
    '--stored-text': cssTextColorOf(format.id),
  };
  const perTokens = view.tokens === 1 ? 'per token' : `for ${view.tokens} tokens`;
  return (
    <table className="model-layers w-full mt-4" style={colors}>
      <caption className="unseen">
        {byTime ? 'Time' : 'Bytes'} {perTokens} by shape, dense and in {formatTitle}
      </caption>
      <thead>
        <tr>
          <th scope="col">layers</th>
          <th scope="col" className="font-sans text-end">
            per matrix
          </th>
          <th scope="col">
            <span className="flex flex-wrap gap-x-3">
              {byTime ? perTokens : 'bytes that are read'}, all layers
              <span>thin: dense</span>
              <span className="text-(--stored-text)">thick: {formatTitle}</span>
              {shapes.some(({ tick }) => tick !== null) && <span>line: limit by bytes</span>}
            </span>
          </th>
          <th scope="col" className="font-sans text-end">
            {byTime ? 'time, per matrix' : `not ${view.measuredShapes > 0 ? 'all ' : ''}measured`}
          </th>
          <th scope="col" className="font-sans text-end">
            <span className="unseen">against dense</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {shapes.map(({ line, dense, stored, tick, ratio }) => {
          const { group, rejection } = line;
          return (
            <tr key={`${group.rows} ${group.cols} ${group.keptDense}`} className="border-t border-hairline">
              <th scope="row">
                <ShapeName group={group} />
              </th>
              <td className="number *:block *:leading-5">
                <span className="text-quiet">{bytes(line.dense)}</span>
                {stored && <span>{bytes(line.stored)}</span>}
              </td>
              <td className="w-[60%]">
                <Bar line={line} kind={stored ? 'reference' : 'kept'} bar={dense} />
                {stored ? (
                  <Bar line={line} kind="stored" bar={stored} tick={tick} />
                ) : (
                  <p className="text-muted text-12">kept dense</p>
                )}
                {rejection !== null && <p className="text-muted text-12">{rejection}</p>}
              </td>
              <td className="number *:block *:leading-5">
                {byTime && (
                  <>
                    <span className="text-quiet">{sourcedTimeText(line.denseTime)}</span>
                    {stored && <span>{sourcedTimeText(line.storedTime)}</span>}
                  </>
                )}
              </td>
              <td className="number font-semibold">{ratio}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The names of the matrices of a shape, their size, and how many the model has. */
function ShapeName({ group }: Pick<ShapeLine, 'group'>) {
  const { rows, cols, count } = group;
  return (
    <span className="grid whitespace-nowrap">
      <strong>{namesOf(group)}</strong>
      <span className="number text-quiet">
        {shape(rows, cols)} · {count}×
      </span>
    </span>
  );
}

interface BarProps {
  readonly line: ShapeLine;
  /** reference: dense, above the bar of the format; stored: the format; kept: a shape that stays dense */
  readonly kind: 'reference' | 'stored' | 'kept';
  readonly bar: LayerBar;
  /** where the limit by bytes is, as a share of the longest bar; null: it is not drawn */
  readonly tick?: number | null;
}

/** The bar of all matrices of a shape, divided by their names, with its figure. */
function Bar({ line: { group }, kind, bar: { share, text, isPredicted }, tick = null }: BarProps) {
  const length: CSSProperties = { '--share': share, ...(tick === null ? {} : { '--tick': tick }) };
  return (
    <div className="flex items-center gap-2 min-h-5" style={length}>
      <span
        className={classes(
          'flex flex-none gap-px w-[calc(var(--share)*(100%-5.5rem))] min-w-0.5 relative',
          kind === 'stored' ? 'text-(--stored)' : 'text-(--dense)',
          kind === 'reference' ? 'h-2' : 'h-[13px]',
        )}
        aria-hidden="true"
      >
        {group.parts.map(({ names, count }) => (
          <span
            key={names.join()}
            className={isPredicted ? 'basis-0 outline outline-dashed -outline-offset-1' : 'basis-0 bg-current'}
            style={{ flexGrow: count }}
          />
        ))}
        {tick !== null && (
          <i className="absolute -inset-y-[3px] left-[calc(100%*var(--tick)/var(--share))] w-0.5 bg-ink" />
        )}
      </span>
      <span className={classes('number flex-none whitespace-nowrap', kind !== 'reference' && 'font-semibold')}>
        {text}
      </span>
    </div>
  );
}

/** A bar for all matrices of one shape that a token uses. */
interface LayerBar {
  /** share of the longest bar */
  readonly share: number;
  /** its figure: a time or bytes */
  readonly text: string;
  readonly isPredicted: boolean;
}

/** The bars of a model, shape by shape: times if every shape has some, otherwise bytes. */
export function layerBars({ lines }: Pick<ModelView, 'lines'>) {
  const byTime = lines.every(({ denseTime, storedTime, rejection }) => denseTime && (storedTime || rejection !== null));
  const denseOf = (line: ShapeLine): number => (byTime ? (line.denseTime?.ns ?? 0) : line.dense) * line.group.active;
  const storedOf = (line: ShapeLine): number => (byTime ? (line.storedTime?.ns ?? 0) : line.stored) * line.group.active;
  const max = largest(lines.flatMap((line) => [denseOf(line), storedOf(line)]));
  const barOf = (amount: number, source: SourcedTime | null): LayerBar => ({
    share: amount / max,
    text: byTime ? (source ? sourcedTimeText({ ...source, ns: amount }) : '') : bytes(amount),
    isPredicted: byTime && source?.from === 'predicted',
  });
  return {
    byTime,
    shapes: lines.map((line) => {
      const { group, denseTime, storedTime, limitNs } = line;
      const hasTick = byTime && !group.keptDense && limitNs !== null && storedTime?.from === 'measured';
      return {
        line,
        dense: barOf(denseOf(line), denseTime),
        /** null if the shape stays dense */
        stored: group.keptDense ? null : barOf(storedOf(line), storedTime),
        /** the limit by bytes, as a share of the longest bar; null if the bar itself is that limit */
        tick: hasTick ? (limitNs * group.active) / max : null,
        ratio: ratioText(line),
      };
    }),
  };
}

/** The time of dense divided by the time of the format: '1.33×'; '' if not comparable. */
function ratioText({ denseTime, storedTime, group }: ShapeLine): string {
  if (group.keptDense) return '1×';
  if (!denseTime || !storedTime || denseTime.from !== storedTime.from) return '';
  return `${denseTime.from === 'predicted' ? '≈ ' : ''}${speedText(speedFromTimes(storedTime.ns, denseTime.ns))}`;
}
