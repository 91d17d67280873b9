// A kernel as it is compiled: its files, passes, bindings and sizes, for the open matrix or a substitute.

import type { BenchHost, BenchMatrix } from '../bench/bench-host.ts';
import type {
  KernelFile,
  KernelReading,
  PassedOver,
  KernelRequest,
  VisibleBinding,
  VisiblePass,
} from './kernel-reading-types.ts';
import { BYTE_CLASSES, type ByteClass, type StorageLedger } from '../../core/encoded/ledger.ts';
import type { AnyFormat, EncodedMatrix } from '../../core/format.ts';
import type { Job } from '../../core/job.ts';
import {
  type BufferPlan,
  type DeviceFacts,
  type KernelPlan,
  type KernelSpec,
  unsuitedReason,
} from '../../core/kernel/kernel.ts';
import { missingFeaturesText } from '../../core/kernel/device-limits.ts';
import type { ShaderFile } from '../../core/kernel/shader.ts';
import { operationById } from '../../core/operations/index.ts';
import { completeSizes, type Sizes } from '../../core/operations/operation.ts';
import { type ListedPass, listPasses, exampleDevice, exampleMatrix } from '../../gpu/index.ts';
import { kernelOf, paramsFor, paramsWithOneChange } from '../bench/kernel-of.ts';

/** Maximum non-zeros of a matrix that is encoded just to read a kernel, and maximum cells of `exampleMatrix`. */
export const MAX_ENCODED = 2 ** 22;

type AnyKernel = KernelSpec<EncodedMatrix>;

/** The matrix for which a kernel is planned: the open matrix, or a substitute with a 1 in each row. */
interface EncodedInput {
  readonly encoded: EncodedMatrix;
  readonly params: Readonly<Record<string, unknown>>;
  /** reason for the substitute; null for the open matrix */
  readonly whySubstitute: string | null;
}

/**
 * A kernel as compiled for the open matrix, or a substitute of the same width, and for `device`; null: for a desktop GPU. If the
 * device cannot run the kernel, the first of `otherwise` that it can run is read. If `isNamed` (the user requested the
 * kernel), the kernel itself is read, and `instead` names the other. Throws SparseScopeError for an unknown kernel, and
 * CancelledError.
 */
export async function readKernel(
  host: Pick<BenchHost, 'formats' | 'drafts'>,
  { kernel, params: requestedParams, otherwise = [], isNamed = false }: KernelRequest,
  openMatrix: BenchMatrix,
  device: DeviceFacts | null,
  job: Job,
): Promise<Omit<KernelReading, 'generation'>> {
  const passedOver: PassedOver[] = [];
  let firstRejected: KernelCandidate | null = null;
  for (const id of [kernel, ...otherwise]) {
    const candidate = await tryKernel(host, id, requestedParams, openMatrix, device, job);
    if (candidate.rejection === null) {
      return isNamed && firstRejected !== null
        ? { ...readingOf(firstRejected, [], device), instead: id }
        : readingOf(candidate, passedOver, device);
    }
    firstRejected ??= candidate;
    passedOver.push({ kernel: id, rejection: candidate.rejection });
  }
  // The device can run none of them.
  return readingOf(
    firstRejected ?? (await tryKernel(host, kernel, requestedParams, openMatrix, device, job)),
    [],
    device,
  );
}

interface KernelCandidate extends EncodedInput {
  readonly id: string;
  readonly format: AnyFormat;
  readonly spec: AnyKernel;
  readonly sizes: Sizes;
  readonly rejection: string | null;
}

async function tryKernel(
  host: Pick<BenchHost, 'formats' | 'drafts'>,
  id: string,
  requestedParams: KernelRequest['params'],
  openMatrix: BenchMatrix,
  device: DeviceFacts | null,
  job: Job,
): Promise<KernelCandidate> {
  const { format, spec } = kernelOf(host, id);
  const params = paramsFor(format, spec, requestedParams, openMatrix.matrix);
  const { encoded, whySubstitute } = await encodedInput(format, params, openMatrix, job);
  const sizes = completeSizes(operationById(spec.operation), spec.max ?? {});
  const rejection = device && rejectionOf(spec, encoded, device, sizes);
  return { id, format, spec, params, encoded, whySubstitute, sizes, rejection };
}

function readingOf(
  { id, format, spec, params, encoded, whySubstitute, sizes, rejection }: KernelCandidate,
  passedOver: readonly PassedOver[],
  device: DeviceFacts | null,
): Omit<KernelReading, 'generation'> {
  const { rows, cols } = encoded;
  const plan = spec.plan(encoded, device === null || rejection !== null ? exampleDevice() : device, sizes);
  const ledger = format.storage(encoded);
  return {
    kernel: id,
    format: format.id,
    params,
    sizes,
    rows,
    cols,
    whySubstitute,
    needs: spec.features,
    rejection,
    passedOver,
    instead: null,
    passes: listPasses(plan).map((pass) => passOf(pass, ledger)),
  };
}

/** The open matrix in a format; a substitute if it is too large, or the format rejects it. */
async function encodedInput(
  format: AnyFormat,
  params: Readonly<Record<string, unknown>>,
  openMatrix: BenchMatrix,
  job: Job,
): Promise<EncodedInput> {
  const { matrix } = openMatrix;
  const { rows, cols } = matrix;
  const substituteRows = Math.min(rows, Math.max(1, Math.floor(MAX_ENCODED / Math.max(1, cols))));
  const substitute = (reason: string): EncodedInput => ({
    encoded: format.encode(exampleMatrix(substituteRows, cols), params),
    params,
    whySubstitute: reason,
  });
  const support = format.admits(matrix, params);
  if (!support.ok) return substitute(support.reason);
  if (matrix.nnz > MAX_ENCODED) return substitute('the matrix is too large to encode for this');
  return { encoded: (await openMatrix.encode(format, params, job)).encoded, params, whySubstitute: null };
}

/** Why the device cannot run the kernel, as a clause; null if it can. */
function rejectionOf(spec: AnyKernel, encoded: EncodedMatrix, device: DeviceFacts, sizes: Sizes): string | null {
  const missing = spec.features.filter((feature) => !device.features.has(feature));
  if (missing.length > 0) return `it ${missingFeaturesText(missing)}`;
  const fits = spec.fits(encoded, device, sizes);
  return fits.ok ? null : fits.reason;
}

function passOf(
  { path, code, files, overrides, workgroups, bindings }: ListedPass,
  ledger: StorageLedger,
): VisiblePass {
  return {
    path,
    code,
    files,
    overrides,
    workgroups,
    bindings: bindings.map(({ binding, name, type, access, meaning, buffer }): VisibleBinding => ({
      binding,
      name,
      type,
      access,
      meaning,
      role: buffer.role,
      buffer: buffer.name,
      byteClass: buffer.role === 'sparse' ? classOf(ledger, buffer.name) : null,
      bytes: bytesOf(buffer),
      numbers: buffer.role === 'params' ? [...buffer.data] : [],
    })),
  };
}

function bytesOf(buffer: BufferPlan): number | null {
  if ('data' in buffer) return buffer.data.byteLength;
  return 'bytes' in buffer ? buffer.bytes : null;
}

/** The class of most bits of an array; null for an array that the format does not store, made only for the kernel. */
function classOf({ entries }: StorageLedger, array: string): ByteClass | null {
  const entry = entries.find((e) => e.array === array);
  if (!entry) return null;
  return BYTE_CLASSES.reduce((most, byteClass) => (entry.bits[byteClass] > entry.bits[most] ? byteClass : most));
}

/**
 * A kernel for a small substitute matrix and a desktop GPU: its text can be read before the matrix and the device are
 * known. Throws SparseScopeError for an unknown kernel, and FormatError where the format rejects the substitute.
 */
export function kernelSource(
  host: Pick<BenchHost, 'formats' | 'drafts'>,
  { kernel, params: requestedParams }: Pick<KernelRequest, 'kernel' | 'params'>,
): Omit<KernelReading, 'generation'> {
  const { format, spec } = kernelOf(host, kernel);
  const matrix = exampleMatrix(EXAMPLE_SIDE, EXAMPLE_SIDE);
  const params = paramsFor(format, spec, requestedParams, matrix);
  const sizes = completeSizes(operationById(spec.operation), spec.max ?? {});
  const encoded: EncodedMatrix = format.encode(matrix, params);
  const whySubstitute = 'the matrix is not open yet';
  return readingOf({ id: kernel, format, spec, params, encoded, whySubstitute, sizes, rejection: null }, [], null);
}

/** Rows and columns of a substitute for any matrix. */
const EXAMPLE_SIDE = 64;

/** Every WGSL file of the kernels once, with the kernels that contain it at some value of their parameters. */
export function kernelFiles(formats: readonly AnyFormat[]): readonly KernelFile[] {
  const files = new Map<string, { readonly file: ShaderFile; readonly kernels: Set<string> }>();
  for (const format of formats) {
    for (const spec of format.kernels as readonly AnyKernel[]) {
      for (const plan of plansOf(format, spec)) {
        for (const file of plan.passes.flatMap((pass) => pass.files)) {
          const entry = files.get(file.path) ?? { file, kernels: new Set<string>() };
          entry.kernels.add(spec.id);
          files.set(file.path, entry);
        }
      }
    }
  }
  return [...files.values()].map(({ file, kernels }) => ({ ...file, kernels: [...kernels] }));
}

/** A kernel's plans for each value of each parameter, the others at their first supported value. */
function* plansOf(format: AnyFormat, spec: AnyKernel): Generator<KernelPlan> {
  const matrix = exampleMatrix(EXAMPLE_SIDE, EXAMPLE_SIDE);
  const sizes = completeSizes(operationById(spec.operation), spec.max ?? {});
  const start = paramsFor(format, spec, {}, matrix);
  for (const params of [start, ...paramsWithOneChange(format, start)]) {
    if (unsuitedReason(spec, params) !== null || !format.admits(matrix, params).ok) continue;
    const encoded: EncodedMatrix = format.encode(matrix, params);
    if (spec.fits(encoded, exampleDevice(), sizes).ok) yield spec.plan(encoded, exampleDevice(), sizes);
  }
}
