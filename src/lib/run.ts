import { allocate } from '../core/allocate.ts';
import { FASTEST_KERNEL_ROUNDS } from '../core/bench/round-counts.ts';
import { CancelledError, KernelError, SparseScopeError } from '../core/errors.ts';
import type { EncodedMatrix, NamedArray } from '../core/format.ts';
import { finishAsync, type Job, NO_JOB, rowsPerYield, type Steps } from '../core/job.ts';
import type { BufferPlan, KernelPlan } from '../core/kernel/kernel.ts';
import { type Matrix, rowBuffer } from '../core/matrix/index.ts';
import { roundToF16 } from '../core/number/index.ts';
import { GEMM, SPMV, TOKENS } from '../core/operations/index.ts';
import type { Sizes } from '../core/operations/operation.ts';
import { threadPace } from '../core/pace.ts';
import {
  type DeclaredBinding,
  type GpuContext,
  kernelSupport,
  listPasses,
  packHalves,
  paddedBytes,
  readOutputs,
  runBenchOf,
  runKernelForEach,
} from '../gpu/index.ts';
import {
  checkedJob,
  checkedOptions,
  checkedWhole,
  checkType,
  f32Numbers,
  type NumberArray,
  wrong,
} from './arguments.ts';
import { caseOf, checkDevice, optionsOf, requireKernel } from './bench.ts';
import { type AnyKernelFormat, formatWithKernels } from './codec.ts';
import { checkedStored, type Stored } from './encode.ts';

// `run` of the package multiplies with the fastest kernel; `kernelOf` describes that kernel for other programs.

/** Options of `kernelOf`. */
export interface KernelOfOptions {
  /** rows of X, from 1 to 65,536, for Y = X Aᵀ; default: one vector, y = A x */
  readonly tokens?: number;
  /** progress and cancelling of the trial of kernels */
  readonly job?: Job;
}

/** Options of `run`. */
export interface RunOptions {
  /** rows of X, from 1 to 65,536; default 1 */
  readonly tokens?: number;
  /** Aᵀ instead of A: x has a number per row, and y one per column */
  readonly transposed?: boolean;
  readonly job?: Job;
}

type Kernel = AnyKernelFormat['kernels'][number];

/** The kernel that `run` uses, and the sizes of its operation. */
interface ChosenKernel {
  readonly kernel: Kernel;
  readonly sizes: Sizes;
}

/** The fastest kernels found so far, by device, encoded matrix, and number of tokens. */
const kernelsOn = new WeakMap<GpuContext, WeakMap<EncodedMatrix, Map<number, Promise<ChosenKernel>>>>();

/**
 * Multiplies on a GPU: y = A x, or Y = X Aᵀ for several tokens. `x` has one number per column, and y one per row. With
 * `tokens`, X has as many rows, one after the other, and Y a row for each. With `transposed`, Aᵀ takes the place of A;
 * no format has a kernel for it, so it is computed on this thread with sums in f64, also for a format without kernels.
 *
 * Numbers are converted to f32 (see `NumberArray`) and copied at once; kernels with x in f16 round it. The first call
 * with a stored matrix and a number of tokens verifies the kernels against the f64 oracle and times them (on a software
 * adapter, it chooses the first correct one); later calls run the fastest. A format without a kernel for several tokens
 * multiplies them one after the other. Throws SparseScopeError for a wrong argument, for a format without kernels and
 * for an x that f16 would turn into infinity in a kernel that rounds it, KernelError with the reasons if no kernel is
 * correct on this device, CancelledError once `job` is cancelled, and DeviceLostError.
 */
export async function run<E extends EncodedMatrix, P>(
  device: GpuContext,
  stored: Stored<E, P>,
  x: NumberArray,
  options: RunOptions = {},
): Promise<Float32Array> {
  checkDevice(device);
  const { encoded } = checkedStored(stored);
  const { tokens: tokensOption, transposed = false, job: jobOption } = checkedOptions('options', options, RUN_OPTIONS);
  checkType('transposed', transposed, 'boolean');
  const tokens = checkedTokens(tokensOption);
  const job = checkedJob(jobOption) ?? NO_JOB;
  // The caller may reuse its array while kernels are tried.
  const input = rowsOfX(x, tokens, transposed ? encoded.rows : encoded.cols, transposed ? 'row' : 'column').slice();
  if (transposed)
    return finishAsync(transposedSteps(stored.format.decode(stored.encoded), input, tokens), job, threadPace);
  const { kernel, sizes } = await chosenKernel(device, stored, tokens, job);
  const plan: KernelPlan = kernel.plan(encoded, device.facts, sizes);
  const { rows, cols } = encoded;
  const result = allocate('y', Float32Array, tokens * rows);
  // A kernel for one token runs once for each token; some of the rows of X are on the device together.
  const tokensPerRun = kernel.operation === GEMM.id ? tokens : 1;
  const tokensOnDevice = Math.max(
    tokensPerRun,
    Math.min(MAX_INPUTS, Math.floor(MAX_INPUT_BYTES / (4 * Math.max(1, cols)))),
  );
  for (let first = 0; first < tokens; first += tokensOnDevice) {
    job.report({ what: 'multiplying', done: first, total: tokens });
    const inputs = [];
    for (let t = first; t < Math.min(tokens, first + tokensOnDevice); t += tokensPerRun) {
      inputs.push({ x: kernelInput(input.subarray(t * cols, (t + tokensPerRun) * cols), t * cols, kernel, plan) });
    }
    const outputs = await runKernelForEach(device, kernel.id, plan, inputs, job);
    for (const [i, words] of outputs.entries()) {
      result.set(readOutputs(kernel, encoded, words, sizes), (first + i * tokensPerRun) * rows);
    }
  }
  return result;
}

const RUN_OPTIONS: readonly (keyof RunOptions)[] = ['tokens', 'transposed', 'job'];

/** Rows of X, and their bytes, that are put on the device together where a kernel multiplies one at a time. */
const MAX_INPUTS = 64;
const MAX_INPUT_BYTES = 2 ** 26;

function checkedTokens(tokens: unknown): number {
  return tokens === undefined ? 1 : checkedWhole('tokens', tokens, TOKENS.min, TOKENS.max);
}

/** The rows of X in f32. Throws SparseScopeError for another number of them, or for an element that is no number. */
function rowsOfX(x: unknown, tokens: number, width: number, axis: 'column' | 'row'): Float32Array {
  return f32Numbers('x', x, (found) => {
    if (found === tokens * width) return;
    const count =
      tokens === 1 ? `, ${width}` : ` for each of ${tokens} tokens, ${tokens} × ${width} = ${tokens * width}`;
    throw new SparseScopeError(`x: found ${found} values, expected one per ${axis}${count}`);
  });
}

/**
 * x as a kernel reads it: rounded to f16 if its buffer contains f16. A kernel that rounds its inputs itself gets x in f32.
 * Throws SparseScopeError, with the index counted from `firstIndex`, if one of them would round a finite value to infinity.
 */
function kernelInput(x: Float32Array, firstIndex: number, kernel: Kernel, plan: KernelPlan): Float32Array {
  const isHalf = hasHalves(plan);
  if (!isHalf && !kernel.roundsInputs) return x;
  const rounded = x.map(roundToF16);
  const overflow = rounded.findIndex((value, i) => Number.isFinite(x[i]) && !Number.isFinite(value));
  if (overflow >= 0)
    throw wrong(`x[${firstIndex + overflow}]`, x[overflow], `below 65520 in magnitude, for ${kernel.id} with x in f16`);
  return isHalf ? rounded : x;
}

/** Whether the input of a plan is in f16. */
function hasHalves({ buffers }: KernelPlan): boolean {
  return buffers.some((buffer) => buffer.role === 'input' && buffer.type === 'f16');
}

/** Y = X A, with sums in f64: X has `tokens` rows with a number for each row of A. O(tokens * non-zeros). */
function* transposedSteps(m: Matrix, x: Float32Array, tokens: number): Steps<Float32Array> {
  const sums = allocate('y', Float64Array, tokens * m.cols);
  const buffer = rowBuffer(m.cols);
  const rowsPerStep = rowsPerYield(m.cols * tokens);
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    for (let t = 0; t < tokens; t++) {
      const factor = x[t * m.rows + r];
      const start = t * m.cols;
      for (let i = 0; i < n; i++) sums[start + buffer.columns[i]] += buffer.values[i] * factor;
    }
    if (r % rowsPerStep === rowsPerStep - 1) yield { what: 'multiplying', done: r + 1, total: m.rows };
  }
  return Float32Array.from(sums);
}

/** The kernel that `run` uses: found once for each device, stored matrix and number of tokens. */
async function chosenKernel(device: GpuContext, stored: Stored, tokens: number, job: Job): Promise<ChosenKernel> {
  const { encoded } = stored;
  const byMatrix = kernelsOn.get(device) ?? new WeakMap<EncodedMatrix, Map<number, Promise<ChosenKernel>>>();
  kernelsOn.set(device, byMatrix);
  const byTokens = byMatrix.get(encoded) ?? new Map<number, Promise<ChosenKernel>>();
  byMatrix.set(encoded, byTokens);
  const search = byTokens.get(tokens) ?? fastestKernel(device, stored, tokens, job);
  byTokens.set(tokens, search);
  try {
    return await search;
  } catch (error) {
    // The next call tries again; so does this one if only the call that it waited for was cancelled.
    if (byTokens.get(tokens) === search) byTokens.delete(tokens);
    if (error instanceof CancelledError && !job.cancelled) return chosenKernel(device, stored, tokens, job);
    throw error;
  }
}

/** The fastest correct kernel of a stored matrix on this device, by a short benchmark. Throws KernelError without any. */
async function fastestKernel(
  device: GpuContext,
  { format: codec, params, encoded }: Stored,
  tokens: number,
  job: Job,
): Promise<ChosenKernel> {
  const format = await formatWithKernels(codec);
  requireKernel(format, SPMV.id);
  const isBatch =
    tokens > 1 &&
    format.kernels.some(
      (kernel) => kernel.operation === GEMM.id && kernelSupport(kernel, encoded, device.facts, { tokens }).ok,
    );
  const operation = isBatch ? GEMM : SPMV;
  const sizes = isBatch ? { tokens } : {};
  const bench = caseOf(format, params as Readonly<Record<string, unknown>>, 'auto', { encoded });
  const { app, workload } = optionsOf(encoded, { operation: operation.id, rounds: FASTEST_KERNEL_ROUNDS });
  const options = { app, workload: { ...workload, sizes }, reference: format.id };
  const { rows, refused: rejected } = await runBenchOf(operation, device, [bench], options, job);
  // Of correct kernels only the fastest is timed.
  const correct = rows.find((row) => row.verified.ok);
  const kernel = format.kernels.find(({ id }) => id === correct?.kernel);
  if (kernel) return { kernel, sizes };
  const reasons = [
    ...rows.map((row) => `${row.kernel} returned wrong values`),
    ...rejected.map(({ reason }) => reason),
  ];
  throw new KernelError(
    `${format.id}: found no kernel for ${operation.title} here (${reasons.join('; ')}), expected one that is right`,
  );
}

/** A buffer of a kernel. */
export interface KernelBuffer {
  /** unique in the kernel; bindings refer to it */
  readonly name: string;
  /** params: its sizes; array: an array of the format, read only; input: x; output: y; scratch: between passes */
  readonly role: 'params' | 'array' | 'input' | 'output' | 'scratch';
  readonly usage: 'uniform' | 'storage';
  /** bytes of its content */
  readonly bytes: number;
  /** bytes to allocate: a multiple of 16, with zeros behind the content */
  readonly size: number;
  /**
   * what to write to params and arrays once, a multiple of 4 bytes; null for the others. It may share its memory with the
   * stored matrix.
   */
  readonly data: Uint8Array<ArrayBuffer> | null;
  /** of x: f32, or f16 in pairs, the first in the low half of each u32; null for the others */
  readonly type: 'f32' | 'f16' | null;
}

/** One dispatch of a kernel. */
export interface KernelPass {
  /** a whole WGSL module, with the entry point main */
  readonly wgsl: string;
  /** values of its overrides: `constants` of the pipeline */
  readonly constants: Readonly<Record<string, number>>;
  /** of bind group 0: `variable` is the name in the WGSL, `buffer` the name of a `KernelBuffer` */
  readonly bindings: readonly {
    readonly binding: number;
    readonly variable: string;
    readonly buffer: string;
    readonly type: DeclaredBinding;
  }[];
  /** in x, y and z */
  readonly workgroups: readonly [number, number, number];
}

/** A kernel as other programs run it: create the buffers, write their data and x, and dispatch the passes in order. */
export interface KernelDescription {
  /** 'macko/spmv_staged' */
  readonly id: string;
  /** 'spmv', y = A x, or 'gemm', Y = X Aᵀ */
  readonly operation: 'spmv' | 'gemm';
  /** WebGPU features that the device needs */
  readonly features: readonly string[];
  readonly rows: number;
  readonly cols: number;
  readonly tokens: number;
  readonly buffers: readonly KernelBuffer[];
  readonly passes: readonly KernelPass[];
  /** bytes that a run reads and writes at least */
  readonly bytes: number;
  /**
   * x, or the rows of X, as the input buffer contains it: in f32, or rounded to f16 and packed in pairs. Throws
   * SparseScopeError for another number of values than tokens * cols, and for one that f16 would turn into infinity.
   */
  input(x: NumberArray): Float32Array | Uint32Array;
  /** y, or Y row by row, from the words of the output buffer. */
  read(words: Uint32Array<ArrayBuffer>): Float32Array;
}

/**
 * The kernel that `run` uses for a stored matrix on this device: WGSL, buffers with their content, bindings and
 * workgroups, for a pipeline of one's own on a device with the same features and limits. With `tokens` the kernel for as
 * many rows of X; a format without one for several has its kernel for one. Finds and verifies it like `run`, and
 * throws like it.
 */
export async function kernelOf<E extends EncodedMatrix, P>(
  device: GpuContext,
  stored: Stored<E, P>,
  options: KernelOfOptions = {},
): Promise<KernelDescription> {
  checkDevice(device);
  const { encoded } = checkedStored(stored);
  const { tokens: tokensOption, job } = checkedOptions('options', options, ['tokens', 'job']);
  const { kernel, sizes } = await chosenKernel(device, stored, checkedTokens(tokensOption), checkedJob(job) ?? NO_JOB);
  const plan: KernelPlan = kernel.plan(encoded, device.facts, sizes);
  const { rows, cols } = encoded;
  const tokens = sizes.tokens ?? 1;
  return {
    id: kernel.id,
    operation: kernel.operation === GEMM.id ? 'gemm' : 'spmv',
    features: kernel.features,
    rows,
    cols,
    tokens,
    buffers: plan.buffers.map((buffer) => bufferOf(buffer, tokens * cols)),
    passes: listPasses(plan).map(({ code, bindings, workgroups }, i) => ({
      wgsl: code,
      constants: plan.passes[i].constants,
      bindings: bindings.map(({ binding, name, buffer, access }) => ({
        binding,
        variable: name,
        buffer: buffer.name,
        type: access,
      })),
      workgroups,
    })),
    bytes: plan.bytes,
    input(x) {
      const values = kernelInput(rowsOfX(x, tokens, cols, 'column'), 0, kernel, plan);
      return hasHalves(plan) ? packHalves('x', values, 'f16') : values;
    },
    read: (words) => readOutputs(kernel, encoded, words, sizes),
  };
}

/** A buffer of a plan, whose only input has `inputs` numbers. */
function bufferOf(buffer: BufferPlan, inputs: number): KernelBuffer {
  const { name, role } = buffer;
  const data = role === 'params' || role === 'sparse' ? buffer.data : null;
  const type = role === 'input' ? (buffer.type === 'f32' ? 'f32' : 'f16') : null;
  const bytes =
    role === 'input' ? inputs * (type === 'f32' ? 4 : 2) : 'data' in buffer ? buffer.data.byteLength : buffer.bytes;
  return {
    name,
    role: role === 'sparse' ? 'array' : role,
    usage: role === 'params' ? 'uniform' : 'storage',
    bytes,
    size: paddedBytes(bytes),
    data: data && wholeWords(data),
    type,
  };
}

/** The bytes of an array, with zeros behind them where they end inside a word, as a queue of WebGPU takes them. */
function wholeWords({ buffer, byteOffset, byteLength }: NamedArray): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
  if (byteLength % 4 === 0) return bytes;
  const padded = new Uint8Array(4 * Math.ceil(byteLength / 4));
  padded.set(bytes);
  return padded;
}
