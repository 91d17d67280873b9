/* The sweeps in the settings of Measure: over density, non-zeros per token, shapes, sizes or a parameter. */

import { densityText } from '../../../kit/words/shares.ts';
import { type AnyListedFormat, distinctOptions, type ParamField } from '../../../core/format.ts';
import type { SizeField } from '../../../core/operations/operation.ts';
import type { GenerateSpec } from '../../../generate/generate.ts';
import { patterns } from '../../../generate/patterns.ts';
import {
  baseOf,
  paramFields,
  type ParamValue,
  type BenchForm,
  type BenchSetup,
  chosenKernels,
  operationOf,
  paramsOf,
  paramsToRun,
  runningFormats,
  type SweepChoice,
  toRequest,
  withOperation,
  SEED,
  REFERENCE_FORMAT,
} from '../../../state/index.ts';
import type { BenchEntry, BenchRequest, SweepAxis } from '../../../engine/bench/bench-types.ts';
import { findPosition } from '../../../theory/models/model-tree.ts';
import { shapeGroups } from '../../../theory/models/model-shape.ts';
import { BLOCK_OPERATIONS } from '../../../kit/report/operation-words.ts';
// Rows × columns of language models, as in appendix D of the MACKO paper (Macko and Boža 2025), in its order.
import publishedShapes from './published-shapes.json';

/** Mean non-zeros per token of a sweep. In the TwELL paper, training with L1 leaves around 30, without L1 911. */
export const SWEEP_MEANS = [8, 16, 30, 60, 120, 240, 400, 600, 911];

/** The id of the generated pattern of activations after a rectifier. */
const ACTIVATIONS = 'activations';

/** The sweep of a feed-forward block over non-zeros per token, if the operation belongs to it and two means fit. */
function blockOffer(setup: BenchSetup): readonly SweepOffer[] {
  const { form } = setup;
  const means = meansFor(blockSpec(setup)).length;
  if (!BLOCK_OPERATIONS.includes(form.operation) || means < 2) return [];
  const hint = `Block, parts and backward pass, on ${generatesActivations(form) ? 'your' : 'generated'} activations.`;
  return [offer({ of: 'non-zeros' }, 'non-zeros per token', `Run the block at ${means} values of non-zeros`, hint)];
}

/** Whether the form's workload is generated activations. */
function generatesActivations({ workload, spec }: BenchForm): boolean {
  return workload === 'generated' && spec.pattern === ACTIVATIONS;
}

/** The activations whose density a sweep changes: the form's, or others of one density for all tokens. */
function blockSpec({ form, openMatrix }: BenchSetup): GenerateSpec {
  if (generatesActivations(form)) return form.spec;
  const { rows, cols } = form.workload === 'stage' && openMatrix ? openMatrix : form.spec;
  const seed = form.workload === 'generated' ? form.spec.seed : SEED;
  const options = { tokenSkew: 0, positionDecay: 0 };
  return { pattern: ACTIVATIONS, rows, cols, density: SWEEP_MEANS[0] / Math.max(1, cols), seed, options };
}

/** The means of `SWEEP_MEANS` below the number of neurons (columns) that are not dead; a dead one is 0 for every token. */
function meansFor({ cols, options = {} }: GenerateSpec): readonly number[] {
  const patternOptions = patterns.find(({ id }) => id === ACTIVATIONS)?.options ?? [];
  const dead = options.dead ?? patternOptions.find(({ id }) => id === 'dead')?.default ?? 0;
  return SWEEP_MEANS.filter((mean) => mean < (1 - dead) * cols);
}

/** Every part of the block at every mean of non-zeros, in the formats with kernels for it. */
function blockAxis(setup: BenchSetup): SweepAxis {
  const parts = BLOCK_OPERATIONS.map((operation) => {
    // Few formats have kernels for a block, so the ticked formats run instead of A and B.
    const partSetup = { ...setup, form: { ...withOperation(setup.form, operation), pair: false } };
    return { operation, entries: runningFormats(partSetup).flatMap((format) => entriesOf(format, partSetup)) };
  }).filter(({ entries }) => entries.length > 0);
  return { of: 'non-zeros', values: meansFor(blockSpec(setup)), parts };
}

/** A format's chosen kernels, at each option of the parameter that limits its non-zeros; empty without a kernel. */
function entriesOf(format: AnyListedFormat, setup: BenchSetup): readonly BenchEntry[] {
  const kernels = chosenKernels(format, setup.form);
  if (typeof kernels !== 'string' && kernels.length === 0) return [];
  const params = paramsOf(format, setup);
  const [name, field] = paramFields(format.params).find(([, choice]) => choice.decidesCapacity) ?? [];
  if (name === undefined || field?.kind !== 'choice') return [{ format: format.id, params, kernels }];
  return field.options.map(({ value }) => ({ format: format.id, params: { ...params, [name]: value }, kernels }));
}

/** Shapes of a sweep: of the MACKO paper, or of the open matrix's model. */
type ShapeSet = 'paper' | 'model';

/** At most this many cells of a shape are generated; beyond them the rows repeat. */
const DISTINCT_CELLS = 2 ** 24;

/** Density of generated matrices if the density of the open matrix is unknown. */
const USUAL_DENSITY = 0.5;

/** The sweeps over shapes: of a paper, and of the open matrix's model. */
function shapeOffers(setup: BenchSetup): readonly SweepOffer[] {
  const model = modelOf(setup);
  const hint = `Generated matrices, ${densityText(densityOf(setup))} left.`;
  const offerOf = (set: ShapeSet, label: string): SweepOffer =>
    offer({ of: 'shape', set }, label, `Run at ${shapesOf(setup, set).length} shapes`, hint);
  return [
    ...(model ? [offerOf('model', `shapes of ${model.name}`)] : []),
    offerOf('paper', `${publishedShapes.length} shapes of the MACKO paper`),
  ];
}

/** The request at each shape of a set, on generated matrices with the density of the current one. */
function shapeSweep(setup: BenchSetup, set: ShapeSet, request: BenchRequest): SweepRequest {
  const shapes = shapesOf(setup, set);
  const [[rows, cols]] = shapes;
  const spec = { pattern: 'uniform', rows, cols, density: densityOf(setup), seed: SEED } as const;
  return {
    request: onGenerated(spec, request),
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

function shapesOf(setup: BenchSetup, set: ShapeSet): readonly (readonly [rows: number, cols: number])[] {
  const model = set === 'model' ? modelOf(setup) : null;
  const shapes = model ? shapeGroups(model).map(({ rows, cols }) => [rows, cols]) : publishedShapes;
  return shapes.map(([rows, cols]) => [rows, cols]);
}

/** The model that the open matrix belongs to; null if to none. */
function modelOf({ openMatrix }: BenchSetup): ReturnType<typeof findPosition>['model'] | null {
  const base = openMatrix && baseOf(openMatrix.source);
  return base?.kind === 'model' ? findPosition(base).model : null;
}

function densityOf({ form, openMatrix }: BenchSetup): number {
  return form.workload === 'generated' ? form.spec.density : (openMatrix?.density ?? USUAL_DENSITY);
}

/** Densities of a sweep, from sparse to nearly dense. */
export const SWEEP_DENSITIES = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9];

/** Sizes of a sweep, limited to the sizes that the operation allows. */
const SWEEP_SIZES = [1, 4, 16, 64, 256, 1024, 4096, 8192];

/** Every sweep for the chosen operation and formats. There is at least one. */
export function sweepOffers(setup: BenchSetup): readonly SweepOffer[] {
  const { form } = setup;
  const densities = densitiesOf(sweptSpec({ ...setup, openMatrix: null })).length;
  return [
    ...blockOffer(setup),
    offer(
      { of: 'density' },
      'density',
      `Run at ${densities} densities`,
      form.workload === 'stage' ? 'Generated matrices.' : null,
    ),
    ...shapeOffers(setup),
    ...Object.entries(operationOf(form).sizes).map(([name, field]) =>
      offer({ of: 'size', name }, field.label, `Run at ${sizesAlong(field).length} values of ${field.label}`),
    ),
    ...runningFormats(setup).flatMap((format) => paramOffers(format, form)),
  ];
}

function paramOffers(format: AnyListedFormat, form: BenchForm): readonly SweepOffer[] {
  if (format.id === REFERENCE_FORMAT) return [];
  return paramFields(format.params).flatMap(([name, field]) => {
    const { length } = valuesAlong(format, form, name, field);
    const action = `Run ${format.title} at ${length} values of ${field.label}`;
    const choice = { of: 'param', format: format.id, name } as const;
    return length < 2 ? [] : [offer(choice, `${format.title}: ${field.label}`, action, field.comparedOn?.note)];
  });
}

/** The chosen sweep, or the first if the chosen sweep is not available for this operation. */
export function chosenSweep({ sweep }: BenchForm, offers: readonly SweepOffer[]): SweepOffer {
  return offers.find(({ id }) => id === idOf(sweep)) ?? offers[0];
}

function offer(choice: SweepChoice, label: string, action: string, hint: string | null = null): SweepOffer {
  return { choice, id: idOf(choice), label, action, hint };
}

/** 'density', 'size tokens', 'param macko deltaBits' */
function idOf(choice: SweepChoice): string {
  return Object.values(choice).join(' ');
}

/** A sweep as the engine runs it. Densities are of generated matrices with the shape of the open matrix. */
export function toSweep(setup: BenchSetup, choice: SweepChoice): SweepRequest {
  const { form } = setup;
  const request = toRequest(setup);
  switch (choice.of) {
    case 'density': {
      const spec = sweptSpec(setup);
      return { request: onGenerated(spec, request), axis: { of: 'density', values: densitiesOf(spec) } };
    }
    case 'non-zeros':
      return { request: onGenerated(blockSpec(setup), request), axis: blockAxis(setup) };
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

function onGenerated(spec: GenerateSpec, request: BenchRequest): BenchRequest {
  return { ...request, workload: { kind: 'generated', spec } };
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
    workload: field.comparedOn ? workloadForAll(field.comparedOn, setup, request) : request.workload,
    entries: [...request.entries.filter((entry) => entry.format === REFERENCE_FORMAT), ...entries],
  };
}

/** A matrix that the format can store with every option: the open one if it is pruned to kept:group, else generated. */
function workloadForAll(
  { kept, group }: NonNullable<ParamField<ParamValue>['comparedOn']>,
  setup: BenchSetup,
  { workload }: BenchRequest,
): BenchRequest['workload'] {
  const { form, openMatrix } = setup;
  const { source } = openMatrix ?? {};
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

/** The generated matrix whose density a sweep changes: the form's, or one with the shape of the open matrix. */
function sweptSpec({ form, openMatrix }: BenchSetup): GenerateSpec {
  if (form.workload === 'generated') return form.spec;
  const { rows, cols } = openMatrix ?? form.spec;
  return { pattern: 'uniform', rows, cols, density: SWEEP_DENSITIES[0], seed: SEED };
}

/** The densities of a sweep that a pattern can have. */
function densitiesOf({ pattern, options = {} }: GenerateSpec): readonly number[] {
  const info = patterns.find((p) => p.id === pattern);
  const complete = Object.fromEntries(
    (info?.options ?? []).map(({ id, default: value }) => [id, options[id] ?? value]),
  );
  return info?.densities?.(complete).filter((d) => d > 0) ?? SWEEP_DENSITIES;
}

function sizesAlong({ min, max, step = 1 }: SizeField): readonly number[] {
  return SWEEP_SIZES.filter((size) => size >= min && size <= max && size % step === 0);
}

/** The values of a parameter that a run of the form's operation would use unchanged. */
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

/** A sweep in the settings. */
interface SweepOffer {
  readonly choice: SweepChoice;
  readonly id: string;
  /** label of the choice in a list */
  readonly label: string;
  /** label of the button: 'Run at 7 densities' */
  readonly action: string;
  /** a note on what is measured; null: the form's workload */
  readonly hint: string | null;
}

/** A sweep's request to the engine: a single run if `axis` is null. */
interface SweepRequest {
  readonly request: BenchRequest;
  readonly axis: SweepAxis | null;
}
