import type { Support } from '../encoded/admission.ts';
import type { EncodedMatrix, NamedArray } from '../encoded/encoded.ts';
import type { Choice, Chosen } from './choices.ts';
import type { Arithmetic, DraftMark } from '../report.ts';
import type { Sizes } from '../operations/operation.ts';
import type { ShaderFile, ShaderModule, ShaderSource } from './shader.ts';

/** Facts of the device that kernels need, free of the WebGPU types. */
export interface DeviceFacts {
  readonly features: ReadonlySet<string>;
  /** by the names of GPUSupportedLimits */
  readonly limits: Readonly<Record<string, number>>;
  /** 0 without the feature 'subgroups' */
  readonly subgroupMinSize: number;
  readonly subgroupMaxSize: number;
  /** a software adapter: correct, but its times mean nothing for GPUs */
  readonly isFallback: boolean;
}

/**
 * A buffer of a kernel. params: uniform, sizes only. sparse: an array of the format, read-only; cold runs rotate copies
 * of it. input: a dense input of the operation under its name. output: as the operation defines; several outputs are
 * read one after the other, in this order. scratch: between passes, not cleared.
 */
export type BufferPlan =
  | { readonly role: 'params'; readonly name: string; readonly data: Uint32Array }
  | { readonly role: 'sparse'; readonly name: string; readonly data: NamedArray }
  | { readonly role: 'input'; readonly name: string; readonly type: 'f32' | 'f16' | 'bf16' }
  | { readonly role: 'output'; readonly name: string; readonly bytes: number }
  | { readonly role: 'scratch'; readonly name: string; readonly bytes: number };

/** One dispatch: files concatenated in order (`shaderFiles`), entry point main; `bindings`: buffer names of group 0. */
export interface PassPlan {
  readonly files: readonly ShaderFile[];
  readonly constants: Readonly<Record<string, number>>;
  readonly bindings: readonly string[];
  /** workgroups in x, y, z; each at most 65535 */
  readonly workgroups: readonly [number, number, number];
  /** it fills a scratch buffer with an earlier kernel's result: it runs before the other passes and is not timed */
  readonly isPrecomputed?: true;
}

/** A pass of a kernel that has several, with the buffer of its sizes. */
export interface SizedPass {
  readonly params: BufferPlan;
  readonly pass: PassPlan;
  /** of one run of the pass; default: none */
  readonly multiplyAdds?: number;
}

/** The plan of a kernel for a device: buffers, and passes over them. */
export interface KernelPlan {
  readonly buffers: readonly BufferPlan[];
  readonly passes: readonly PassPlan[];
  /** bytes that one run must at least move: every sparse array and every input once, the output once */
  readonly bytes: number;
  /** the last pass stores every output once, by one lane, as `y[index] = value;`: more work can be fused there */
  readonly isStoredOnce?: true;
  /** multiply-adds of one run, if they rather than the bytes may decide the time */
  readonly multiplyAdds?: number;
}

/** Facts of a kernel for lists: its title, and its requirements. */
export interface KernelCard {
  /** '<format>/<op>_<variant>', the name of its WGSL file and its pipeline label */
  readonly id: string;
  /** title that distinguishes this variant, in a few words */
  readonly title: string;
  /** id of the operation */
  readonly operation: string;
  /** values of the format's parameters that it supports, by parameter; absent: all */
  readonly only?: Readonly<Record<string, readonly unknown[]>>;
  /** the largest supported sizes of the operation, by name; absent: all */
  readonly max?: Sizes;
  /** its arithmetic; absent: fma in f32 */
  readonly arithmetic?: Arithmetic;
  /** WebGPU features that it requires */
  readonly features: readonly string[];
  /**
   * It is not tuned, so a comparison of its time with the time of tuned kernels says little about the format:
   * comparisons of times call it simple.
   */
  readonly isSimple?: true;
  /** a user changed or wrote it; absent: it is part of the application */
  readonly draft?: DraftMark;
}

/** A kernel of a format: one way to compute an operation on its arrays. */
export interface KernelSpec<E extends EncodedMatrix> extends KernelCard {
  /**
   * How many roundings lead to an output, not counting the additions: 1 if only each product is rounded. The check of
   * the outputs tolerates as many (`sumBound`).
   */
  readonly extraRoundings: number;
  /** type that every output is rounded to at the end; absent: f32 */
  readonly outputType?: 'bf16';
  /** an f32 input of its plan is rounded to f16 before it is multiplied; absent: it is not rounded */
  readonly roundsInputs?: true;
  /** zeros are stored and multiplied, too, so that an x that is not finite makes NaN of them; absent: they are not */
  readonly storesZeros?: true;
  /** Whether it can run this matrix on this device; the reason names limit and need. */
  fits(e: E, device: DeviceFacts, sizes: Sizes): Support;
  /** The constants of its plan that a timing trial may set on this device (choices.ts); absent: none. */
  choices?(e: E, device: DeviceFacts, sizes: Sizes): readonly Choice[];
  /** Buffers, constants and dispatch. Called only if `fits` returned ok. Choices not in `chosen` use their `start`. */
  plan(e: E, device: DeviceFacts, sizes: Sizes, chosen?: Chosen): KernelPlan;
  /** For a kernel that a user writes: `pass` with the workgroups and constants that its WGSL declares. */
  declaredPass?(pass: PassPlan, e: E, device: DeviceFacts): PassPlan;
  /**
   * The outputs of the operation in its own order, from the words that the kernel wrote; NaN for one that the kernel
   * wrote twice with different values. Default: the words are the outputs, as f32.
   */
  read?(e: E, words: Uint32Array<ArrayBuffer>, sizes: Sizes): Float32Array;
}

/**
 * The first of `params` that the kernel does not support, as a short text; null if it supports all. `params`: the
 * parameters of a format, or an encoded matrix, which has them as fields.
 */
export function unsuitedReason(spec: Pick<KernelCard, 'only'>, params: object): string | null {
  for (const [name, values] of Object.entries(spec.only ?? {})) {
    const found: unknown = name in params ? params[name as keyof typeof params] : undefined;
    if (found !== undefined && !values.includes(found)) {
      return `is for ${name} ${values.join(' or ')}, found ${JSON.stringify(found)}`;
    }
  }
  return null;
}

/** The first size that is larger than supported, as a few words; null if there is none. */
export function oversizedReason(spec: Pick<KernelCard, 'max'>, sizes: Sizes): string | null {
  for (const [name, max] of Object.entries(spec.max ?? {})) {
    if (sizes[name] > max) return `takes at most ${max} ${name}, found ${sizes[name]}`;
  }
  return null;
}

/** WebGPU's limit of workgroups in a dimension. */
const MAX_WORKGROUPS = 65535;

/** At least `count` workgroups, folded into y above the limit of a dimension; the kernel ignores surplus ones. */
export function splitWorkgroups(count: number): readonly [number, number, number] {
  if (count <= MAX_WORKGROUPS) return [Math.max(1, count), 1, 1];
  const y = Math.ceil(count / MAX_WORKGROUPS);
  return [Math.ceil(count / y), y, 1];
}

/** The differences between kernels that are planned alike: shader, id, title and features. */
export interface ShaderKernel extends Pick<KernelSpec<EncodedMatrix>, 'id' | 'title' | 'features'> {
  readonly shader: ShaderModule;
}

/** A kernel in the two variants of its shader: summed by subgroups, and without subgroups. */
export function subgroupVariants<E extends EncodedMatrix>(
  id: string,
  title: string,
  { variants: { subgroup, workgroup } }: ShaderSource,
  kernelOf: (kernel: ShaderKernel) => KernelSpec<E>,
): readonly KernelSpec<E>[] {
  return [
    kernelOf({
      id: `${id}_subgroup`,
      title: `${title}, summed by subgroups`,
      features: ['subgroups'],
      shader: subgroup,
    }),
    kernelOf({ id: `${id}_workgroup`, title: `${title}, without subgroups`, features: [], shader: workgroup }),
  ];
}
