import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AnyFormat } from '../../core/format.ts';
import type { GenerateSpec } from '../../generate/generate.ts';
import type { AppDocument } from '../../state/index.ts';
import type { BenchEntry, BenchRequest, DeviceStatus } from '../../worker/protocol.ts';

/** Every other format is compared with this one, so that it is in every run. */
export const REFERENCE_FORMAT = 'dense';

/** auto: the fastest variant of each format by a short trial; all: every variant; chosen: those ticked. */
export type Variants = 'auto' | 'all' | 'chosen';

export type FormPart = 'workload' | 'rounds';

/** What the benchmark page is set to. */
export interface BenchForm {
  readonly workload: 'stage' | 'generated';
  /** the last one that was right */
  readonly spec: GenerateSpec;
  /** ids of formats that run besides the reference */
  readonly formats: readonly string[];
  readonly variants: Variants;
  /** ids of kernels that run when variants is 'chosen' */
  readonly kernels: readonly string[];
  readonly memory: 'cold' | 'warm';
  readonly rounds: number;
  /** parts of the form in which a number is wrong now */
  readonly wrong: readonly FormPart[];
  readonly where: 'gpu' | 'cpu';
}

export type BenchFormStore = StoreApi<BenchForm>;

export const ROUNDS = { min: 1, max: 200, default: 24 } as const;

/** Densities of a sweep, from sparse to nearly dense. */
export const SWEEP_DENSITIES = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9];

const SEED = 1;

/** Everything ticked, the matrix on the stage, cold, on the GPU. */
export function createBenchForm(formats: readonly AnyFormat[]): BenchFormStore {
  return createStore<BenchForm>(() => ({
    workload: 'stage',
    spec: { pattern: 'uniform', rows: 4096, cols: 4096, density: 0.3, seed: SEED },
    formats: formats.filter((f) => f.id !== REFERENCE_FORMAT).map((f) => f.id),
    variants: 'auto',
    kernels: formats.flatMap((f) => f.kernels.map((k) => k.id)),
    memory: 'cold',
    rounds: ROUNDS.default,
    wrong: [],
    where: 'gpu',
  }));
}

/** Marks a part of the form as right or wrong. */
export function withPart(form: BenchForm, part: FormPart, right: boolean): BenchForm {
  const others = form.wrong.filter((other) => other !== part);
  return { ...form, wrong: right ? others : [...others, part] };
}

/** Why the form cannot run as it stands, as one sentence; null when it can. */
export function formProblem(form: BenchForm): string | null {
  if (form.wrong.includes('rounds')) return 'The number of rounds is not right yet.';
  const generated = form.workload === 'generated';
  return generated && form.wrong.includes('workload') ? 'A number of the workload is not right yet.' : null;
}

/**
 * The request that Run sends: the form with the parameters that the formats have in the document. Without a GPU it runs
 * on the CPU, as the form then shows.
 */
export function toRequest(
  form: BenchForm,
  doc: AppDocument,
  formats: readonly AnyFormat[],
  device: DeviceStatus | null,
): BenchRequest {
  return {
    operation: 'spmv',
    sizes: {},
    workload: form.workload === 'stage' ? { kind: 'stage' } : { kind: 'generated', spec: form.spec },
    entries: formats
      .filter((f) => f.id === REFERENCE_FORMAT || form.formats.includes(f.id))
      .map((f) => entryOf(f, form, doc))
      .filter((entry) => entry.kernels === 'auto' || entry.kernels === 'all' || entry.kernels.length > 0),
    memory: form.memory,
    rounds: form.rounds,
    seed: SEED,
    where: device?.kind === 'unavailable' ? 'cpu' : form.where,
  };
}

/** The same over SWEEP_DENSITIES; the matrix on the stage gives its shape to a uniform one. */
export function toSweepRequest(
  form: BenchForm,
  doc: AppDocument,
  formats: readonly AnyFormat[],
  device: DeviceStatus | null,
  stage: { readonly rows: number; readonly cols: number } | null,
): BenchRequest {
  const spec =
    form.workload === 'stage' && stage
      ? { pattern: 'uniform', rows: stage.rows, cols: stage.cols, density: SWEEP_DENSITIES[0], seed: SEED }
      : form.spec;
  return { ...toRequest(form, doc, formats, device), workload: { kind: 'generated', spec } };
}

function entryOf(format: AnyFormat, form: BenchForm, doc: AppDocument): BenchEntry {
  const own = new Set(format.kernels.map((k) => k.id));
  return {
    format: format.id,
    params: doc.params[format.id] ?? {},
    kernels: form.variants === 'chosen' ? form.kernels.filter((id) => own.has(id)) : form.variants,
  };
}
