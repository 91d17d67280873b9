import { MatrixError } from '../../core/errors.ts';
import { assemble } from '../assemble.ts';
import type { CheckedSpec, PatternSteps } from '../pattern.ts';

/** Non-zeros near the diagonal only. */
export const banded: PatternSteps = (spec) => {
  const { rows, cols, density } = spec;
  const { fill } = spec.options;
  if (density > fill) {
    throw new MatrixError(`fill: found ${fill}, expected at least the share left, ${density}`);
  }
  const wanted = density * rows * cols;
  const halfWidth = narrowestBand(spec, wanted / fill);
  const p = wanted === 0 ? 0 : wanted / bandCells(spec, halfWidth);
  return assemble(spec, (row, sampler, into) => {
    const centre = bandCentre(spec, row);
    return sampler.choose(Math.max(0, centre - halfWidth), Math.min(cols, centre + halfWidth + 1), p, into, 0);
  });
};

type Shape = Pick<CheckedSpec, 'rows' | 'cols'>;

/** The column where the diagonal of the shape crosses the middle of `row`. */
function bandCentre({ rows, cols }: Shape, row: number): number {
  return Math.floor(((2 * row + 1) * cols) / (2 * rows));
}

/** The number of cells at most `halfWidth` columns away from the diagonal. */
function bandCells(shape: Shape, halfWidth: number): number {
  let cells = 0;
  for (let r = 0; r < shape.rows; r++) {
    const centre = bandCentre(shape, r);
    cells += Math.min(shape.cols, centre + halfWidth + 1) - Math.max(0, centre - halfWidth);
  }
  return cells;
}

/** The smallest half-width whose band has at least `cells` cells. O(rows log cols). */
function narrowestBand(shape: Shape, cells: number): number {
  let low = 0;
  let high = shape.cols;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (bandCells(shape, middle) >= cells) high = middle;
    else low = middle + 1;
  }
  return low;
}
