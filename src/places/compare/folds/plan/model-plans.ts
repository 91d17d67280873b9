import { type BlockMatrix, blockMatrices, blockMatrixShape } from '../../../../language/decoder.ts';
import type { StoredType } from '../../../../language/stored/recipe.ts';
import { DENSE_BYTES_PER_WEIGHT } from '../../../../theory/models/model-bytes.ts';
import { embeddingWeights, type ModelShape, weightsOf } from '../../../../theory/models/model-shape.ts';
import { type PlanCost, type PlanFront, planFront, type PlanMatrix } from '../../../../theory/plan/plan-front.ts';
import { type At, type KnownLosses, leastLost, mostLost, type PartLosses } from './known-losses.ts';
import { denseTime, type PlanWay, timedDensities, type WaySources, waysAt } from './plan-ways.ts';

/** A matrix, or the same matrix of several layers, and how it is stored. */
export interface PlanRow {
  readonly name: BlockMatrix;
  readonly layers: readonly number[];
  readonly rows: number;
  readonly cols: number;
  readonly way: PlanWay;
  /** the next best format for it when it is pruned alike; null where there is none */
  readonly next: PlanWay | null;
  /** of a matrix that is pruned: dense; of one that is not: the best way to prune it; null where there is none */
  readonly other: PlanWay | null;
  /** bits a tale that pruning it alone loses, where that was measured, whether this plan prunes it or not */
  readonly alone: number | null;
}

/**
 * What the loss of a plan is. measured: all matrices alike, as they were measured together. added: the sum of what its parts
 * were measured to lose alone, which is the least that it may lose. left: unknown; in its place stands the largest share of
 * its weights that a matrix may lose.
 */
type LossKind = 'measured' | 'added' | 'left';

/** A model stored in one way or another, matrix by matrix. */
export interface ModelPlan {
  readonly kind: LossKind;
  /** bits a tale, or the share of its weights that a matrix may lose */
  readonly loss: number;
  /** of a plan whose parts were added up: the most that it may lose; null where nobody knows */
  readonly most: number | null;
  /** of all weights, with what stays dense */
  readonly bytes: number;
  /** of all matrices for one token; null unless all were measured */
  readonly ns: number | null;
  readonly rows: readonly PlanRow[];
}

/** What stays dense in f16 whatever the plan: lm_head, and tables of which a token reads a row. */
interface FixedPart {
  readonly head: (Pick<PlanWay, 'ns' | 'measuredAt'> & { readonly rows: number; readonly cols: number }) | null;
  readonly bytes: number;
}

/** Plans that no other beats in both cost and loss. */
export interface Front {
  /** by rising cost and falling loss */
  readonly plans: readonly ModelPlan[];
  /** each point has the place of its plan as its only choice */
  readonly front: PlanFront;
}

export interface ModelPlans extends Front {
  /** only those whose loss was not added up: a sum is the least that is lost, and so beats what was measured too easily */
  readonly sure: Front;
  readonly cost: PlanCost;
  readonly fixed: FixedPart;
  /** of all weights in f16 */
  readonly denseBytes: number;
  /** no plan was left out to keep the front short */
  readonly isExact: boolean;
}

/** Types of values that plans may have: any that was measured, or one. */
export type PlanValues = 'any' | StoredType;

export interface PlansAsked {
  readonly model: ModelShape;
  readonly sources: WaySources;
  /** null where nothing was measured of the model */
  readonly losses: KnownLosses | null;
  readonly values: PlanValues;
  readonly cost: PlanCost;
}

/** Plans of mixes that are kept: far more than a chart can show. */
const MOST_MIXES = 400;

/** Shares that are tried where no loss is known, besides those at which something was measured. */
const TENTHS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/** All plans of a model worth choosing. Without measured losses all layers are alike: nothing tells them apart. */
export function modelPlans(asked: PlansAsked): ModelPlans {
  const { model, sources, losses, values, cost } = asked;
  const fixed = fixedPart(model, sources);
  const mixes = losses?.parts && (values === 'any' || values === 'f16') ? mixedPlans(asked, losses.parts, fixed) : null;
  const even = losses ? wholePlans(asked, losses, fixed) : null;
  const unknown = losses ? null : plansByShare(asked, fixed);
  const all = [...(even ?? []), ...(mixes?.plans ?? []), ...(unknown ?? [])];
  return {
    ...frontOf(all, cost),
    sure: frontOf(
      all.filter(({ kind }) => kind !== 'added'),
      cost,
    ),
    cost,
    fixed,
    denseBytes: weightsOf(model) * DENSE_BYTES_PER_WEIGHT,
    isExact: mixes?.isExact ?? true,
  };
}

function frontOf(all: readonly ModelPlan[], cost: PlanCost): Front {
  const options = all.map((plan, i) => ({ id: String(i), us: us(plan.ns), bytes: plan.bytes, loss: plan.loss }));
  const found = planFront([{ id: 'model', options }], cost);
  return {
    plans: found.points.map(({ choices: [id] }) => all[Number(id)]),
    front: { ...found, points: found.points.map((point, i) => ({ ...point, choices: [String(i)] })) },
  };
}

function us(ns: number | null): number | null {
  return ns === null ? null : ns / 1000;
}

function fixedPart(model: ModelShape, sources: WaySources): FixedPart {
  const [rows, cols] = [model.vocabulary, model.hidden];
  const weights = embeddingWeights(model) + rows * cols;
  return {
    head: rows === 0 ? null : { rows, cols, ...denseTime(sources, { rows, cols }) },
    bytes: weights * DENSE_BYTES_PER_WEIGHT,
  };
}

/** What a way costs; infinite where its time was not measured. */
function costOf(way: PlanWay, cost: PlanCost): number {
  return cost === 'bytes' ? way.bytes : (way.ns ?? Number.POSITIVE_INFINITY);
}

/** The cheapest ways first; those without a time are left out where times count. */
function cheapest(ways: readonly PlanWay[], cost: PlanCost): readonly PlanWay[] {
  return ways.filter((way) => Number.isFinite(costOf(way, cost))).toSorted((a, b) => costOf(a, cost) - costOf(b, cost));
}

function shapeOf(model: ModelShape, name: BlockMatrix): { readonly rows: number; readonly cols: number } {
  const [rows, cols] = blockMatrixShape(model, name);
  return { rows, cols };
}

function planOf(
  rows: readonly PlanRow[],
  fixed: FixedPart,
  loss: Pick<ModelPlan, 'kind' | 'loss' | 'most'>,
): ModelPlan {
  let bytes = fixed.bytes;
  let ns: number | null = fixed.head ? fixed.head.ns : 0;
  for (const { way, layers } of rows) {
    bytes += layers.length * way.bytes;
    ns = ns === null || way.ns === null ? null : ns + layers.length * way.ns;
  }
  return { ...loss, bytes, ns, rows };
}

/** Every recipe that was measured as a whole, each kind of matrix in the format that is cheapest for it. */
function wholePlans(
  { model, sources, values, cost }: PlansAsked,
  { wholes }: KnownLosses,
  fixed: FixedPart,
): ModelPlan[] {
  const layers = allLayers(model);
  return wholes
    .filter(({ valueType }) => values === 'any' || values === valueType)
    .flatMap(({ pruning, valueType, lost }): ModelPlan[] => {
      const rows: PlanRow[] = [];
      for (const name of blockMatrices(model)) {
        const shape = shapeOf(model, name);
        const [way, next = null] = cheapest(waysAt(sources, pruning, valueType, shape), cost);
        if (!way) return [];
        rows.push({ name, layers, ...shape, way, next, other: null, alone: null });
      }
      return [planOf(rows, fixed, { kind: 'measured', loss: lost, most: lost })];
    });
}

/** The two ways of a matrix in a mix, and what pruning it alone loses. */
interface Mixed extends At {
  readonly shape: { readonly rows: number; readonly cols: number };
  readonly dense: PlanWay;
  readonly pruned: PlanWay;
  readonly next: PlanWay | null;
  readonly alone: number;
}

/**
 * Mixes of dense matrices and of those pruned as their losses were measured. A layer is chosen as one, so that the loss of a
 * whole layer is the measured one; all others are sums, or the loss of a kind that is pruned in all layers, if that is more.
 */
function mixedPlans(
  { model, sources, cost }: PlansAsked,
  parts: PartLosses,
  fixed: FixedPart,
): { readonly plans: readonly ModelPlan[]; readonly isExact: boolean } {
  const byKind = blockMatrices(model).flatMap((name) => {
    const shape = shapeOf(model, name);
    const [dense] = cheapest(waysAt(sources, { way: 'none' }, 'f16', shape), cost);
    const [pruned, next = null] = cheapest(waysAt(sources, parts.pruning, 'f16', shape), cost);
    return dense && pruned ? [{ name, shape, dense, pruned, next }] : [];
  });
  if (byKind.length < blockMatrices(model).length) return { plans: [], isExact: true };
  const layers = allLayers(model).map((layer) =>
    byKind.map((kind): Mixed => ({ ...kind, layer, alone: parts.matrix({ layer, name: kind.name }) })),
  );
  const found = planFront(
    layers.map((mixed, layer) => layerOptions(mixed, parts.layer(layer), cost)),
    cost,
    { most: MOST_MIXES },
  );
  const plans = found.points.map(({ choices, loss }): ModelPlan => {
    const rows = layers.flatMap((mixed, layer) => mixed.map((one, i) => mixedRow(one, isPruned(choices[layer], i))));
    const pruned = layers.flatMap((mixed, layer) => mixed.filter((_, i) => isPruned(choices[layer], i)));
    const least = Math.max(loss, leastLost(parts, pruned, model));
    const most = mostLost(parts, pruned);
    return planOf(rows, fixed, { kind: most === least ? 'measured' : 'added', loss: least, most });
  });
  return { plans, isExact: found.isExact };
}

/** Which matrices of a layer are pruned is a number in base 2, the first matrix in its lowest place. */
function isPruned(choice: string, at: number): boolean {
  return ((Number(choice) >> at) & 1) === 1;
}

function mixedRow({ name, layer, shape, dense, pruned, next, alone }: Mixed, isOut: boolean): PlanRow {
  const row = { name, layers: [layer], ...shape, alone };
  return isOut ? { ...row, way: pruned, next, other: dense } : { ...row, way: dense, next: null, other: pruned };
}

/** All choices of a layer that no other beats. */
function layerOptions(mixed: readonly Mixed[], whole: number, cost: PlanCost): PlanMatrix {
  const all = 2 ** mixed.length - 1;
  const options = Array.from({ length: all + 1 }, (_, choice) => {
    let [bytes, ns, loss] = [0, 0, 0];
    for (const [i, { dense, pruned, alone }] of mixed.entries()) {
      const way = isPruned(String(choice), i) ? pruned : dense;
      bytes += way.bytes;
      ns += way.ns ?? Number.NaN;
      if (way === pruned) loss += alone;
    }
    const isTimed = !Number.isNaN(ns);
    return { id: String(choice), us: isTimed ? ns / 1000 : null, bytes, loss: choice === all ? whole : loss };
  });
  const id = String(mixed[0].layer);
  const kept = new Set(planFront([{ id, options }], cost).points.map(({ choices }) => choices[0]));
  return { id, options: options.filter((option) => kept.has(option.id)) };
}

/**
 * Without known losses: every matrix keeps at least a share of its weights, in values of one type, and is stored in the
 * cheapest way that does; a kind is the same in all layers.
 */
function plansByShare({ model, sources, values, cost }: PlansAsked, fixed: FixedPart): readonly ModelPlan[] {
  const valueType: StoredType = values === 'any' ? 'f16' : values;
  const layers = allLayers(model);
  const kinds = blockMatrices(model).map((name) => {
    const shape = shapeOf(model, name);
    const densities = [...new Set([...TENTHS, ...timedDensities(sources, valueType, shape)])];
    const prunings = densities.map((density) => ({ way: 'magnitude', density }) as const);
    const ways = [{ way: 'none' } as const, ...prunings].flatMap((one) => waysAt(sources, one, valueType, shape));
    return { name, shape, ways: cheapest(ways, cost) };
  });
  const shares = new Set(kinds.flatMap(({ ways }) => ways.map(({ density }) => density)));
  return [...shares].flatMap((share): ModelPlan[] => {
    const rows = kinds.flatMap(({ name, shape, ways }): PlanRow[] => {
      const [way] = ways.filter(({ density }) => density >= share);
      if (!way) return [];
      const next = ways.find((one) => one.density === way.density && one.format !== way.format) ?? null;
      const dense = ways.find(({ density }) => density === 1) ?? null;
      const other = way === dense ? (ways.find(({ density }) => density >= share && density < 1) ?? null) : dense;
      return [{ name, layers, ...shape, way, next, other, alone: null }];
    });
    return rows.length < kinds.length ? [] : [planOf(rows, fixed, { kind: 'left', loss: 1 - share, most: null })];
  });
}

function allLayers({ layers }: ModelShape): readonly number[] {
  return Array.from({ length: layers }, (_, layer) => layer);
}
