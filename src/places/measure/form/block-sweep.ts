import type { AnyListedFormat } from '../../../core/format.ts';
import type { GenerateSpec } from '../../../generate/generate.ts';
import { patterns } from '../../../generate/patterns.ts';
import { paramFields } from '../../../state/index.ts';
import type { BenchEntry, SweepAxis } from '../../../engine/bench/bench-types.ts';
import { BLOCK_PARTS } from '../../../kit/report/block-parts.ts';
import {
  type BenchForm,
  type BenchSetup,
  chosenKernels,
  paramsOf,
  runningFormats,
  withOperation,
} from '../../../state/bench-form.ts';
import { SEED } from '../../../state/first-form.ts';
import type { SweepOffer } from './sweep-offer.ts';

/**
 * Speed by sparsity: the parts of a gated feed-forward block and the whole block, on activations with more and more
 * non-zeros per token.
 */

/** Mean non-zeros per token, from around 30 for a model trained with L1 to 911 for one without (TwELL paper). */
export const SWEEP_MEANS = [8, 16, 30, 60, 120, 240, 400, 600, 911];

/** The pattern of activations after a rectifier. */
const ACTIVATIONS = 'activations';

/** The sweep over means, if the chosen operation belongs to the block and the shape allows two of them. */
export function blockOffer(setup: BenchSetup): readonly SweepOffer[] {
  const { form } = setup;
  const means = meansFor(blockSpec(setup)).length;
  if (!BLOCK_PARTS.includes(form.operation) || means < 2) return [];
  return [
    {
      choice: { of: 'non-zeros' },
      id: 'non-zeros',
      label: 'non-zeros per token',
      action: `Run the block at ${means} values of non-zeros`,
      hint: isOwn(form)
        ? 'Gate, up and down, and the whole block, on your activations at every mean, with every compression that can hold them.'
        : 'Gate, up and down, and the whole block, on generated activations of this shape with tokens all alike, and with every compression that can hold them. For tokens that differ, generate activations above.',
    },
  ];
}

/** Whether the form itself generates activations, with options that matter. */
function isOwn({ workload, spec }: BenchForm): boolean {
  return workload === 'generated' && spec.pattern === ACTIVATIONS;
}

/** The initial activations of a sweep: the form's, or of its shape with identical tokens. */
export function blockSpec({ form, stage }: BenchSetup): GenerateSpec {
  if (isOwn(form)) return form.spec;
  const { rows, cols } = form.workload === 'stage' && stage ? stage : form.spec;
  const seed = form.workload === 'generated' ? form.spec.seed : SEED;
  const options = { tokenSkew: 0, positionDecay: 0 };
  return { pattern: ACTIVATIONS, rows, cols, density: SWEEP_MEANS[0] / Math.max(1, cols), seed, options };
}

/** The means that are possible with this number of live neurons. */
function meansFor({ cols, options = {} }: GenerateSpec): readonly number[] {
  const known = patterns.find(({ id }) => id === ACTIVATIONS)?.options ?? [];
  const dead = options.dead ?? known.find(({ id }) => id === 'dead')?.default ?? 0;
  return SWEEP_MEANS.filter((mean) => mean < (1 - dead) * cols);
}

/**
 * Every part at every mean, in the formats with kernels for it, at each of their compressions. A part without a chosen
 * kernel does not run.
 */
export function blockAxis(setup: BenchSetup): SweepAxis {
  const parts = BLOCK_PARTS.map((operation) => {
    // Of A and B hardly any format has kernels for a block: what is ticked runs.
    const at = { ...setup, form: { ...withOperation(setup.form, operation), pair: false } };
    return { operation, entries: runningFormats(at).flatMap((format) => entriesOf(format, at)) };
  }).filter(({ entries }) => entries.length > 0);
  return { of: 'non-zeros', values: meansFor(blockSpec(setup)), parts };
}

function entriesOf(format: AnyListedFormat, setup: BenchSetup): readonly BenchEntry[] {
  const kernels = chosenKernels(format, setup.form);
  if (typeof kernels !== 'string' && kernels.length === 0) return [];
  const params = paramsOf(format, setup);
  const [name, room] = paramFields(format.params).find(([, field]) => field.room) ?? [];
  if (name === undefined || room?.kind !== 'choice') return [{ format: format.id, params, kernels }];
  return room.options.map(({ value }) => ({ format: format.id, params: { ...params, [name]: value }, kernels }));
}
