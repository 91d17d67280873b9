import { type AnyListedFormat, distinctOptions, type ParamField } from '../../../core/format.ts';
import type { SizeField } from '../../../core/operations/operation.ts';
import type { GenerateSpec } from '../../../generate/generate.ts';
import { patterns } from '../../../generate/patterns.ts';
import type { ParamValue } from '../../../state/index.ts';
import { paramFields } from '../../../state/index.ts';
import type { BenchRequest } from '../../../engine/bench/bench-types.ts';
import {
  type BenchForm,
  type BenchSetup,
  chosenKernels,
  operationOf,
  paramsOf,
  paramsToRun,
  runningFormats,
  type SweepChoice,
  toRequest,
} from '../../../state/bench-form.ts';
import { SEED } from '../../../state/first-form.ts';
import { REFERENCE_FORMAT } from '../../../state/reference-format.ts';
import { blockAxis, blockOffer, blockSpec } from './block-sweep.ts';
import { shapeOffers, shapeSweep } from './shape-sweep.ts';
import type { SweepOffer, SweepRequest } from './sweep-offer.ts';

/** Densities of a sweep, from sparse to nearly dense. */
export const SWEEP_DENSITIES = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9];

/** Sizes of a sweep, limited to those that the operation allows. */
const SWEEP_SIZES = [1, 4, 16, 64, 256, 1024, 4096, 8192];

/** Every sweep for the chosen operation and formats. There is at least one. */
export function sweepOffers(setup: BenchSetup): readonly SweepOffer[] {
  const { form } = setup;
  const densities = densitiesOf(sweptSpec({ ...setup, stage: null })).length;
  return [
    ...blockOffer(setup),
    {
      choice: { of: 'density' },
      id: 'density',
      label: 'density',
      action: `Run at ${densities} densities`,
      hint: form.workload === 'stage' ? 'Generated matrices of this shape.' : null,
    },
    ...shapeOffers(setup),
    ...Object.entries(operationOf(form).sizes).map(([name, field]): SweepOffer => {
      const count = sizesAlong(field).length;
      return {
        choice: { of: 'size', name },
        id: `size ${name}`,
        label: field.label,
        action: `Run at ${count} values of ${field.label}`,
        hint: null,
      };
    }),
    ...runningFormats(setup).flatMap((format) => paramOffers(format, form)),
  ];
}

function paramOffers(format: AnyListedFormat, form: BenchForm): readonly SweepOffer[] {
  if (format.id === REFERENCE_FORMAT) return [];
  return paramFields(format.params).flatMap(([name, field]): SweepOffer[] => {
    const values = valuesAlong(format, form, name, field);
    if (values.length < 2) return [];
    return [
      {
        choice: { of: 'param', format: format.id, name },
        id: `param ${format.id} ${name}`,
        label: `${format.title}: ${field.label}`,
        action: `Run ${format.title} at ${values.length} values of ${field.label}`,
        hint: field.comparedOn?.note ?? 'All in the same rounds, compared with each other and with dense.',
      },
    ];
  });
}

/** The chosen offer; the first if that is not available for this operation. */
export function sweepChoice(form: BenchForm, offers: readonly SweepOffer[]): SweepOffer {
  const { sweep } = form;
  const id =
    sweep.of === 'density' || sweep.of === 'non-zeros'
      ? sweep.of
      : sweep.of === 'shape'
        ? `shape ${sweep.set}`
        : sweep.of === 'size'
          ? `size ${sweep.name}`
          : `param ${sweep.format} ${sweep.name}`;
  return offers.find((offer) => offer.id === id) ?? offers[0];
}

/**
 * Converts the sweep to the engine's form. Densities are those of generated matrices with the shape of the matrix on
 * the stage.
 */
export function toSweep(setup: BenchSetup, choice: SweepChoice): SweepRequest {
  const { form } = setup;
  const request = toRequest(setup);
  switch (choice.of) {
    case 'density': {
      const spec = sweptSpec(setup);
      return {
        request: { ...request, workload: { kind: 'generated', spec } },
        axis: { of: 'density', values: densitiesOf(spec) },
      };
    }
    case 'non-zeros':
      return {
        request: { ...request, workload: { kind: 'generated', spec: blockSpec(setup) } },
        axis: blockAxis(setup),
      };
    case 'shape':
      return shapeSweep(setup, choice.set, request);
    case 'size': {
      const { name } = choice;
      return { request, axis: { of: 'size', name, values: sizesAlong(operationOf(form).sizes[name]) } };
    }
    case 'param':
      return { request: paramRequest(setup, choice, request), axis: null };
  }
}

/** One run with the reference and every value of a parameter. */
function paramRequest(
  setup: BenchSetup,
  { format: id, name }: Extract<SweepChoice, { of: 'param' }>,
  request: BenchRequest,
): BenchRequest {
  const { form, formats } = setup;
  const format = formats.find((f) => f.id === id);
  const field = format && paramFields(format.params).find(([key]) => key === name)?.[1];
  if (!format || !field) return request;
  const params = paramsOf(format, setup);
  const entries = valuesAlong(format, form, name, field).map((value) => ({
    format: id,
    params: { ...params, [name]: value },
    kernels: chosenKernels(format, form),
  }));
  return {
    ...request,
    workload: field.comparedOn ? heldByAll(field.comparedOn, setup, request) : request.workload,
    entries: [...request.entries.filter((entry) => entry.format === REFERENCE_FORMAT), ...entries],
  };
}

/**
 * A matrix that every option of a parameter holds: the one on the stage if it is pruned accordingly, else a generated
 * one.
 */
function heldByAll(
  { kept, group }: NonNullable<ParamField<ParamValue>['comparedOn']>,
  setup: BenchSetup,
  { workload }: BenchRequest,
): BenchRequest['workload'] {
  const { form, stage } = setup;
  const { source } = stage ?? {};
  const isPruned = source?.kind === 'pruned' && source.pruning.way === 'n-of-m';
  if (form.workload === 'stage' && isPruned && source.pruning.kept === kept && source.pruning.group === group) {
    return workload;
  }
  const { rows, cols, seed } = sweptSpec(setup);
  return {
    kind: 'generated',
    spec: { pattern: 'n-of-m', rows, cols, density: kept / group, seed, options: { m: group } },
  };
}

/** The generated matrix at the start of a sweep. */
function sweptSpec({ form, stage }: BenchSetup): GenerateSpec {
  if (form.workload === 'generated') return form.spec;
  const { rows, cols } = stage ?? form.spec;
  return { pattern: 'uniform', rows, cols, density: SWEEP_DENSITIES[0], seed: SEED };
}

/** For patterns with few possible densities: all of these except 0. */
function densitiesOf({ pattern, options = {} }: GenerateSpec): readonly number[] {
  const info = patterns.find((p) => p.id === pattern);
  const given = Object.fromEntries((info?.options ?? []).map(({ id, default: value }) => [id, options[id] ?? value]));
  return info?.densities?.(given).filter((d) => d > 0) ?? SWEEP_DENSITIES;
}

function sizesAlong({ min, max, step = 1 }: SizeField): readonly number[] {
  return SWEEP_SIZES.filter((size) => size >= min && size <= max && size % step === 0);
}

/** The values of a choice for which the operation has kernels. */
function valuesAlong(
  format: AnyListedFormat,
  form: BenchForm,
  name: string,
  field: ParamField<ParamValue>,
): readonly ParamValue[] {
  if (field.kind !== 'choice') return [];
  const values = distinctOptions(field).map((option) => option.value);
  return values.filter((value) => paramsToRun(format, form, { [name]: value })[name] === value);
}
