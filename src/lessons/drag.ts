import type { AnyListedFormat } from '../core/format.ts';
import { currentParams, paramFields, withParam } from '../state/index.ts';
import { type Figure, lookupIn, ownCellsOf, stepOf, buildFigure } from './figure.ts';
import { type DragRef, LessonError } from './lesson.ts';
import { comparedFigures, type PreparedBlock } from './prepare.ts';

/** A number in a lesson's text that readers can drag: the density of the figure's matrix, or a format's parameter. */
export interface DraggableNumber {
  /** accessible name: 'share left', or the parameter's label */
  readonly label: string;
  /** whether the number is a share, written in percent */
  readonly isShare: boolean;
  /** all possible values, ascending */
  readonly values: readonly number[];
  /** the current one: an element of `values` */
  readonly value: number;
}

/** A draggable number of a figure. Throws LessonError for an unknown parameter, or a value outside of `values`. */
export function draggableNumber(
  { name, min, max, by }: DragRef,
  { format, document, spec, isTyped }: Figure,
): DraggableNumber {
  const isDensity = name === 'density';
  if (isDensity && isTyped)
    throw new LessonError('{density from ...}: found typed cells in the figure, expected a generated matrix');
  const field = paramFields(format.params).find(([id]) => id === name)?.[1];
  if (!isDensity && !field)
    throw new LessonError(`{${name} from ...}: found no parameter '${name}' of ${format.title}`);
  const steps = Array.from({ length: Math.floor((max - min) / by + 1e-9) + 1 }, (_, i) => min + i * by).map(
    // Sums such as 0.1 + 0.2 have the error of binary fractions.
    (value) => Number(value.toFixed(6)),
  );
  const options = field?.kind === 'choice' ? field.options.map(({ value }) => Number(value)) : steps;
  const values = options.filter((value) => value >= min && value <= max);
  const value = isDensity ? spec.density : Number(currentParams(document)[name] ?? field?.default);
  if (!values.includes(value)) {
    throw new LessonError(`{${name} from ...}: found ${value} in the figure, expected one of ${values.join(', ')}`);
  }
  return { label: isDensity ? 'share left' : (field?.label ?? name), isShare: isDensity, values, value };
}

/** The figure with another density or parameter. O(cells of the matrix). Throws LessonError if the format does not support the matrix. */
export function figureAfterDrag(figure: Figure, name: string, value: number): Figure {
  const { document, format, spec, loaded } = figure;
  if (name !== 'density')
    return buildFigure(withParam(document, document.format, name, value), format, loaded.story, ownCellsOf(figure));
  const source = { kind: 'generated' as const, spec: { ...spec, density: value } };
  return buildFigure({ ...document, source }, format, loaded.story, null);
}

/**
 * A lesson's blocks with the figure `before` replaced by `after`, except blocks with a question. Rejects with
 * LessonError if `after` lacks a step that a block names.
 */
export function replaceFigure(
  blocks: readonly PreparedBlock[],
  before: Figure,
  after: Figure,
  formats: readonly AnyListedFormat[],
): Promise<readonly PreparedBlock[]> {
  return Promise.all(
    blocks.map(async (prepared) => {
      if (prepared.figure === null || prepared.figure !== before || prepared.foundQuestion) return prepared;
      const { block } = prepared;
      const lookup = lookupIn(after, await comparedFigures(block, after, formats));
      return { ...prepared, figure: after, step: stepOf(after, block.figure.step), lookup };
    }),
  );
}
