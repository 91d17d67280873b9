import { type AnyListedFormat, paramAccepts } from '../core/format.ts';
import { PAGE_ROUNDS } from '../core/bench/round-counts.ts';
import { capitalised } from '../core/text/words.ts';
import { defaultSizes, type Operation, type Sizes } from '../core/operations/operation.ts';
import { isKernelOf, operationById, SPMV } from '../core/operations/index.ts';
import { type AppDocument, type FormatParams, paramFields, type ParamValue, type FormatChoice } from './document.ts';
import { type DraftVariant, variantId } from './session/session-state.ts';
import type { BenchEntry, BenchRequest } from '../engine/bench/bench-types.ts';
import type { DeviceStatus } from '../engine/device.ts';
import type { MatrixSource } from '../engine/matrix/source-types.ts';
import { REFERENCE_FORMAT } from './reference-format.ts';
import { type BenchForm, type FormPart, SEED } from './bench-form-store.ts';

// Turns the form of the page Measure into a request for a benchmark run.

export type { BenchForm, BenchFormStore, FormPart, SweepChoice, KernelsToRun } from './bench-form-store.ts';

/** The properties of the open matrix that a run depends on. */
export interface OpenMatrixShape {
  readonly rows: number;
  readonly cols: number;
  readonly density?: number;
  readonly source: MatrixSource;
}

/** Everything that determines a request: the form, and the settings of the rest of the page. */
export interface BenchSetup {
  readonly form: BenchForm;
  /** every format's parameters by its id */
  readonly params: AppDocument['params'];
  readonly formats: readonly AnyListedFormat[];
  /** null until it is known */
  readonly device: DeviceStatus | null;
  /** null until a matrix is open */
  readonly openMatrix: OpenMatrixShape | null;
  /** the formats that the page compares: A, and B if there is one; absent: the ticked formats run */
  readonly pair?: readonly FormatChoice[];
  /** drafts (kernels that the user changed), listed with the others; absent: none */
  readonly drafts?: readonly DraftVariant[];
}

/** The chosen operation. */
export function operationOf(form: BenchForm): Operation {
  return operationById(form.operation);
}

/** Every size of the chosen operation. */
export function sizesOf(form: BenchForm): Sizes {
  return { ...defaultSizes(operationOf(form)), ...form.sizes[form.operation] };
}

/** The form with another size of the chosen operation. */
export function withSize(form: BenchForm, name: string, value: number): BenchForm {
  return { ...form, sizes: { ...form.sizes, [form.operation]: { ...form.sizes[form.operation], [name]: value } } };
}

/** The form with another operation. Invalid entries for the previous operation are dropped with its fields. */
export function withOperation(form: BenchForm, operation: string): BenchForm {
  return { ...form, operation, invalidParts: form.invalidParts.filter((part) => !part.startsWith('size ')) };
}

/** Marks a part of the form as valid or invalid. */
export function withValidity(form: BenchForm, part: FormPart, isValid: boolean): BenchForm {
  const others = form.invalidParts.filter((other) => other !== part);
  return { ...form, invalidParts: isValid ? others : [...others, part] };
}

/** The processor of a run: without a GPU the CPU, which computes only y = A x. */
export function processorFor(form: BenchForm, device: DeviceStatus | null): 'gpu' | 'cpu' {
  if (form.operation !== SPMV.id) return 'gpu';
  return device?.kind === 'unavailable' ? 'cpu' : form.where;
}

/** The kernels of a format for the chosen operation. */
export function kernelsOf(
  format: AnyListedFormat,
  { operation }: Pick<BenchForm, 'operation'>,
): AnyListedFormat['kernels'] {
  return format.kernels.filter((kernel) => isKernelOf(kernel, operation));
}

/** Whether a format can compute the chosen operation; on the CPU every format has y = A x. */
export function canRun(format: AnyListedFormat, form: BenchForm, device: DeviceStatus | null): boolean {
  return processorFor(form, device) === 'cpu' || kernelsOf(format, form).length > 0;
}

/** A and B if the form chose these; null if the ticked formats run. */
export function pairOf({ form, pair = [] }: Pick<BenchSetup, 'form' | 'pair'>): readonly FormatChoice[] | null {
  return form.pair && pair.length > 0 ? pair : null;
}

/** The formats that run, if they can: A and B, or the reference and the ticked ones. */
export function runningFormats(setup: BenchSetup): readonly AnyListedFormat[] {
  const { form, formats, device } = setup;
  const ids = pairOf(setup)?.map(({ format }) => format) ?? [REFERENCE_FORMAT, ...form.formats];
  return formats.filter((f) => ids.includes(f.id)).filter((f) => canRun(f, form, device));
}

/** `params` with the fewest changes that let a kernel of the operation run: integer products need integer values. */
export function paramsToRun(
  format: AnyListedFormat,
  form: Pick<BenchForm, 'operation'>,
  params: FormatParams,
): FormatParams {
  const changes = kernelsOf(format, form).map((kernel) => changesFor(format, kernel, params));
  const [min] = changes.toSorted((a, b) => a.length - b.length);
  return min === undefined || min.length === 0 ? params : { ...params, ...Object.fromEntries(min) };
}

/** The changes to `params` that this kernel needs. */
function changesFor(
  format: AnyListedFormat,
  { only = {} }: AnyListedFormat['kernels'][number],
  params: FormatParams,
): readonly (readonly [name: string, value: ParamValue])[] {
  return paramFields(format.params).flatMap(([name, field]) => {
    const value = params[name];
    const values = only[name];
    if (value === undefined || values === undefined || values.includes(value)) return [];
    return values
      .filter((other) => paramAccepts(field, other))
      .slice(0, 1)
      .map((other) => [name, other] as const);
  });
}

/** The first invalid number of the form, as a message with the expected values; null if all are valid. */
export function formProblem(form: BenchForm): string | null {
  for (const [name, field] of Object.entries(operationOf(form).sizes)) {
    if (form.invalidParts.includes(`size ${name}`)) return `${capitalised(field.label)}: enter ${rangeText(field)}.`;
  }
  if (form.invalidParts.includes('rounds')) return `Rounds: enter ${rangeText(PAGE_ROUNDS)}.`;
  const generated = form.workload === 'generated';
  return generated && form.invalidParts.includes('workload') ? 'A number of the workload is out of range.' : null;
}

function rangeText({ min, max, step = 1 }: { readonly min: number; readonly max: number; readonly step?: number }) {
  return `a ${step === 1 ? 'whole number' : `multiple of ${step}`} from ${min} to ${max}`;
}

/** Why nothing can run with this form; null if something can. */
export function runProblem(setup: BenchSetup): string | null {
  const { form, device } = setup;
  const problem = formProblem(form);
  if (problem !== null) return problem;
  const { title } = operationOf(form);
  if (device?.kind === 'unavailable' && processorFor(form, device) === 'gpu') {
    return `${title} needs a GPU; on the CPU, ${SPMV.title} can be measured.`;
  }
  return entriesOf(setup).length === 0 ? `No kernel for ${title} is chosen.` : null;
}

/** The request: the form with the document's parameters. Without a GPU the request is for the CPU. */
export function toRequest(setup: BenchSetup): BenchRequest {
  const { form, device } = setup;
  return {
    operation: form.operation,
    sizes: sizesOf(form),
    workload: form.workload === 'stage' ? { kind: 'stage' } : { kind: 'generated', spec: form.spec },
    entries: entriesOf(setup),
    memory: form.memory,
    rounds: form.rounds,
    seed: SEED,
    where: processorFor(form, device),
  };
}

/** A format's parameters for a run. */
export function paramsOf(format: AnyListedFormat, { form, params }: BenchSetup): FormatParams {
  return paramsToRun(format, form, params[format.id] ?? {});
}

/** For the reference format: value types with kernels for the operation, to compare with the type in `params`. */
export function comparedValueTypes(
  format: AnyListedFormat,
  form: Pick<BenchForm, 'operation'>,
  params: FormatParams,
): readonly string[] {
  const field = paramFields(format.params).find(([name]) => name === 'valueType')?.[1];
  if (format.id !== REFERENCE_FORMAT || field?.kind !== 'choice') return [];
  return field.options
    .filter(({ comparedWith }) => comparedWith !== undefined && comparedWith === params.valueType)
    .map(({ value }) => value)
    .filter((value) => paramsToRun(format, form, { valueType: value }).valueType === value)
    .map(String);
}

function entriesOf(setup: BenchSetup): readonly BenchEntry[] {
  const { form } = setup;
  const pair = pairOf(setup);
  const entries = runningFormats(setup).flatMap((format): readonly BenchEntry[] => {
    const kernels = chosenKernels(format, form);
    if (kernels.length === 0) return [];
    const params = paramsOf(format, setup);
    const compared = comparedValueTypes(format, form, params).filter((valueType) => form.beside.includes(valueType));
    const sets = pair
      ? pair.filter(({ format: id }) => id === format.id).map((choice) => paramsToRun(format, form, choice.params))
      : [params, ...compared.map((valueType) => ({ ...params, valueType }))];
    return sets.map((set) => ({ format: format.id, params: set, kernels }));
  });
  return [...entries, ...draftEntries(setup)];
}

/** The drafts that can run: on the GPU, and for the chosen operation. */
export function draftsFor({ form, device, drafts = [] }: BenchSetup): readonly DraftVariant[] {
  if (processorFor(form, device) === 'cpu') return [];
  return drafts.filter(({ operation }) => operation === form.operation);
}

function draftEntries(setup: BenchSetup): readonly BenchEntry[] {
  return draftsFor(setup)
    .filter((variant) => !setup.form.withoutDrafts.includes(variantId(variant)))
    .map(({ format, params, kernel, files, overrides, mark }) => ({
      format,
      params,
      kernels: 'all',
      draft: { kernel, files, overrides, mark },
    }));
}

/** The kernels of a format that run: 'auto', 'all', or the ids of those that are chosen. */
export function chosenKernels(format: AnyListedFormat, form: BenchForm): BenchEntry['kernels'] {
  if (form.variants !== 'chosen') return form.variants;
  return kernelsOf(format, form)
    .map((kernel) => kernel.id)
    .filter((id) => form.kernels.includes(id));
}
