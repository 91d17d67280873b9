// Times and bytes of all matrices of a large model for one token, summed over the shapes of its matrices.

import type { BenchReport } from '../../../../src/core/report.ts';
import { type ShapeQuery, measuredDensities, measuredShape } from '../../../../src/kit/report/measured-shapes.ts';
import { modelBytes, type ModelFormat } from '../../../../src/theory/models/model-bytes.ts';
import { type ModelShape, type ShapeGroup, shapeGroups } from '../../../../src/theory/models/model-shape.ts';

/** A shape of a model's matrices: time and bytes of one matrix, dense and in a format. */
interface ShapeTimes {
  readonly group: ShapeGroup;
  readonly denseNs: number | null;
  /** in the format, or dense if it stays dense; null: not measured */
  readonly storedNs: number | null;
  readonly denseBytes: number;
  readonly storedBytes: number;
}

/** Times and bytes of all matrices of a model for one token, at a density. */
export interface MatrixTimesAt {
  readonly density: number;
  readonly shapes: readonly ShapeTimes[];
  /** nanoseconds of all matrices; null if a shape was not measured */
  readonly denseNs: number | null;
  readonly storedNs: number | null;
  /** bytes that a token reads */
  readonly denseBytes: number;
  readonly storedBytes: number;
}

/** Times and bytes of a model's matrices at a density, from the newest reports; null if bytes have no closed form. */
export function matrixTimesAt(
  model: ModelShape,
  modelFormat: ModelFormat,
  density: number,
  reports: readonly BenchReport[],
  query: ShapeQuery,
): MatrixTimesAt | null {
  const bytes = modelBytes(model, { ...modelFormat, density });
  if (bytes === null) return null;
  const shapes = bytes.groups.map(({ group, dense: denseBytes, stored: storedBytes }): ShapeTimes => {
    const measuredTimes = measuredShape(reports, group, { ...query, density });
    const measuredDense = measuredTimes?.dense
      ? measuredTimes
      : measuredShape(reports, { ...group, keptDense: true }, { ...query, density });
    const denseNs = measuredDense?.dense?.medianNs ?? null;
    return {
      group,
      denseNs,
      storedNs: group.keptDense ? denseNs : (measuredTimes?.stored?.medianNs ?? null),
      denseBytes,
      storedBytes,
    };
  });
  return {
    density,
    shapes,
    denseNs: sumOf(shapes, ({ denseNs }) => denseNs),
    storedNs: sumOf(shapes, ({ storedNs }) => storedNs),
    denseBytes: bytes.readDense,
    storedBytes: bytes.readStored,
  };
}

/** Returns the sum over all matrices; null if a shape was not measured. */
function sumOf(shapes: readonly ShapeTimes[], nsOf: (shape: ShapeTimes) => number | null): number | null {
  let sum = 0;
  for (const shape of shapes) {
    const ns = nsOf(shape);
    if (ns === null) return null;
    sum += ns * shape.group.count;
  }
  return sum;
}

/** Densities, to two decimals, at which every shape was measured in the format, descending. */
export function fullyMeasuredDensities(
  model: ModelShape,
  modelFormat: ModelFormat,
  reports: readonly BenchReport[],
  query: ShapeQuery,
): readonly number[] {
  const groups = shapeGroups(model, modelFormat).filter(({ keptDense }) => !keptDense);
  const [firstDensities, ...otherDensities] = groups.map((group) => measuredDensities(reports, group, query));
  const inFirst = (firstDensities ?? []).filter((d) =>
    otherDensities.every((list) => list.some((other) => Math.abs(other - d) < 0.004)),
  );
  return [...new Set(inFirst.map((d) => Math.round(100 * d) / 100))].toSorted((a, b) => b - a);
}

/** Tokens per second at this time per token. */
export function tokenRate(ns: number): number {
  return 1e9 / ns;
}
