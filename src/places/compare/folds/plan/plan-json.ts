import { allMatrices, ownField, type OwnChoices, withOwn } from '../../../../kit/models/own-choices.ts';
import type { Device } from '../../../../state/devices/device.ts';
import type { ModelShape } from '../../../../theory/models/model-shape.ts';
import type { KnownLosses } from './known-losses.ts';
import type { ModelPlan, ModelPlans } from './model-plans.ts';
import { reasonOf, tokensOf } from './plan-words.ts';

/** What is saved with a plan besides itself. */
export interface PlanContext {
  readonly model: ModelShape;
  readonly plans: ModelPlans;
  readonly losses: KnownLosses | null;
  readonly budget: Budget;
  /** of the times; null where there are none */
  readonly device: Pick<Device, 'name' | 'kind' | 'recorded'> | null;
  /** the same as `x.own`; null for a model whose weights are not here */
  readonly own: string | null;
}

/** What a plan was asked to keep to. */
export type Budget =
  | { readonly of: 'loss'; readonly bitsATale: number }
  | { readonly of: 'left'; readonly least: number }
  | { readonly of: 'bytes'; readonly shareOfF16: number };

const LOSS_NOTES = {
  measured: 'Measured for the model as it is stored here.',
  added:
    'At least: the sum of what the parts lose when each alone is pruned. Losses do not add up: together they lose more, at most `most`, which was measured of a part of the model that has them all.',
  left: 'Not measured. `leftAtLeast` is the share of its weights that every matrix keeps.',
} as const;

/** A plan for programs, and where each of its figures is from. `at`: ISO 8601. */
export function planJson(plan: ModelPlan, context: PlanContext, at: string): unknown {
  const { model, plans, losses, budget, device, own } = context;
  const { kind, loss, most, rows } = plan;
  const { cost, fixed, denseBytes } = plans;
  return {
    schema: 1,
    what: 'plan of a model',
    madeAt: at,
    model,
    goal:
      budget.of === 'bytes'
        ? kind === 'left'
          ? 'most weights left'
          : 'least loss'
        : cost === 'us'
          ? 'most tokens per second'
          : 'fewest bytes',
    budget,
    device: device && { name: device.name, kind: device.kind, recorded: device.recorded ?? null },
    bytes: { stored: Math.round(plan.bytes), denseF16: denseBytes, from: 'closed forms of the formats' },
    matricesAlone: { nanoseconds: plan.ns, tokensPerSecondAtMost: tokensOf(plan), tokens: 1 },
    loss:
      kind === 'left'
        ? { kind, leftAtLeast: 1 - loss, bitsATale: null, note: LOSS_NOTES.left }
        : { kind, bitsATale: loss, most, note: LOSS_NOTES[kind], measuredOn: losses?.date, tales: losses?.tales },
    keptDense: { bytes: fixed.bytes, head: fixed.head, what: 'lm_head and tables of embeddings, f16' },
    matrices: rows.flatMap((row) =>
      row.layers.map((layer) => ({
        layer,
        name: row.name,
        rows: row.rows,
        cols: row.cols,
        format: row.way.format.id,
        params: row.way.params,
        pruning: row.way.pruning,
        density: row.way.density,
        bytes: Math.round(row.way.bytes),
        nanoseconds: row.way.ns,
        measuredAt: row.way.measuredAt,
        bitsATaleAlone: row.alone,
        reason: reasonOf(row, kind, cost),
      })),
    ),
    own,
  };
}

/** The plan as choices of matrices in an address. `formats`: ids of those that there are. */
export function ownOfPlan({ rows }: ModelPlan, model: ModelShape, formats: readonly string[]): string {
  let own: OwnChoices = [];
  const all = allMatrices(model);
  for (const { name, layers, way } of rows) {
    const matrices = all.filter((at) => at.name === name && layers.includes(at.layer));
    own = withOwn(own, matrices, { pruning: way.pruning, valueType: way.valueType, format: way.format.id });
  }
  return ownField(formats).write(own);
}
