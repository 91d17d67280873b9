import { findPlace } from '../../../theory/models/model-tree.ts';
import { shapeGroups } from '../../../theory/models/model-shape.ts';
import { PUBLISHED_SHAPES } from '../../../theory/models/published-shapes.ts';
import type { BenchRequest } from '../../../engine/bench/bench-types.ts';
import type { BenchSetup } from '../../../state/bench-form.ts';
import { SEED } from '../../../state/first-form.ts';
import { baseOf } from '../../../state/index.ts';
import type { SweepOffer, SweepRequest } from './sweep-offer.ts';

type Shapes = 'paper' | 'model';

/** Cells of a shape that are generated; beyond them the rows repeat. */
const DISTINCT_CELLS = 2 ** 24;

/** Density where the open matrix does not say one. */
const USUAL_DENSITY = 0.5;

/** The sweeps over shapes: those of a paper, and those of the model that the sentence is about. */
export function shapeOffers(setup: BenchSetup): readonly SweepOffer[] {
  const model = modelOf(setup);
  return [
    ...(model ? [offer(setup, 'model', `shapes of ${model.name}`)] : []),
    offer(setup, 'paper', `${PUBLISHED_SHAPES.length} shapes of the MACKO paper`),
  ];
}

function offer(setup: BenchSetup, set: Shapes, label: string): SweepOffer {
  return {
    choice: { of: 'shape', set },
    id: `shape ${set}`,
    label,
    action: `Run at ${shapesOf(setup, set).length} shapes`,
    hint: `Generated matrices of every shape, with ${Math.round(100 * densityOf(setup))}\u202f% of the weights left.`,
  };
}

/** The request once for each shape of a set, at the density of the matrix that would run. */
export function shapeSweep(setup: BenchSetup, set: Shapes, request: BenchRequest): SweepRequest {
  const shapes = shapesOf(setup, set);
  const [[rows, cols]] = shapes;
  const spec = { pattern: 'uniform', rows, cols, density: densityOf(setup), seed: SEED } as const;
  return {
    request: { ...request, workload: { kind: 'generated', spec } },
    axis: {
      of: 'shape',
      values: shapes.map(([height, width]) => ({
        rows: height,
        cols: width,
        entries: request.entries,
        distinctRows: Math.max(1, Math.ceil(DISTINCT_CELLS / width)),
      })),
    },
  };
}

function shapesOf(setup: BenchSetup, set: Shapes): readonly (readonly [rows: number, cols: number])[] {
  const model = set === 'model' ? modelOf(setup) : null;
  return model ? shapeGroups(model).map(({ rows, cols }) => [rows, cols] as const) : PUBLISHED_SHAPES;
}

function modelOf({ stage }: BenchSetup): ReturnType<typeof findPlace>['model'] | null {
  const base = stage && baseOf(stage.source);
  return base?.kind === 'model' ? findPlace(base).model : null;
}

function densityOf({ form, stage }: BenchSetup): number {
  return form.workload === 'generated' ? form.spec.density : (stage?.density ?? USUAL_DENSITY);
}
