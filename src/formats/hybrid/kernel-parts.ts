import { fitsLimits } from '../../core/kernel/device-limits.ts';
import type { BufferPlan, KernelSpec, SizedPass } from '../../core/kernel/kernel.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import type { HybridEncoded } from './layout.ts';

/** What the kernels of the hybrid with several passes are put together from. */

/** A buffer and its bytes. */
export interface Part {
  readonly buffer: BufferPlan;
  readonly bytes: number;
  /** bytes that a run must at least move; absent: all of them */
  readonly movedBytes?: number;
}

/** An input of so many values in bf16, or in f32. */
export function input(name: string, count: number, type: 'bf16' | 'f32' = 'bf16'): Part {
  return { buffer: { role: 'input', name, type }, bytes: count * (type === 'f32' ? 4 : 2) };
}

/** What a kernel leaves. */
export function output(name: string, bytes: number): Part {
  return { buffer: { role: 'output', name, bytes }, bytes };
}

/** What lies between two passes. */
export function scratch(name: string, bytes: number): Part {
  return { buffer: { role: 'scratch', name, bytes }, bytes };
}

type StoredArray = 'values' | 'indices' | 'counts' | 'tailMap' | 'tailRows' | 'tail';

/** Arrays of the format. */
export function stored(e: HybridEncoded, names: readonly StoredArray[]): readonly Part[] {
  return names.map((name) => ({ buffer: { role: 'sparse', name, data: e[name] }, bytes: e[name].byteLength }));
}

/** A kernel of one or more steps. */
export interface HybridKernel {
  readonly id: string;
  readonly operation: string;
  readonly title: string;
  readonly roundings: number;
  readonly outputType?: 'bf16';
  readonly features?: readonly string[];
  readonly lanes: number;
  /** of a workgroup */
  readonly memoryBytes: (e: HybridEncoded) => number;
  readonly read?: NonNullable<KernelSpec<HybridEncoded>['read']>;
  /** why it cannot take a matrix, whatever the device; null when it can */
  readonly refusal?: (e: HybridEncoded) => string | null;
  readonly partsOf: (
    e: HybridEncoded,
    sizes: Sizes,
  ) => { readonly steps: readonly SizedPass[]; readonly buffers: readonly Part[] };
}

/** The kernel as the engine takes it. */
export function hybridKernel(kernel: HybridKernel): KernelSpec<HybridEncoded> {
  const {
    id,
    operation,
    title,
    roundings,
    outputType,
    features = [],
    lanes,
    memoryBytes,
    read,
    refusal,
    partsOf,
  } = kernel;
  return {
    id,
    operation,
    title,
    roundings,
    features,
    ...(outputType ? { outputType } : {}),
    ...(read ? { read } : {}),
    fits(e, device, sizes) {
      const reason = refusal?.(e) ?? null;
      if (reason !== null) return { ok: false, reason, remedy: null };
      const buffers = partsOf(e, sizes).buffers.map(({ buffer, bytes }) => [buffer.name, bytes] as const);
      return fitsLimits(buffers, { lanes, memoryBytes: memoryBytes(e) }, device);
    },
    plan(e, _device, sizes) {
      const { steps, buffers } = partsOf(e, sizes);
      // Steps may share their sizes.
      const sizeBuffers = new Map(steps.map(({ params }) => [params.name, params]));
      const multiplyAdds = steps.reduce((sum, step) => sum + step.multiplyAdds, 0);
      return {
        buffers: [...sizeBuffers.values(), ...buffers.map(({ buffer }) => buffer)],
        passes: steps.map(({ pass }) => pass),
        bytes: buffers.reduce(
          (sum, { buffer, bytes, movedBytes = bytes }) => sum + (buffer.role === 'scratch' ? 0 : movedBytes),
          0,
        ),
        ...(multiplyAdds > 0 ? { multiplyAdds } : {}),
      };
    },
  };
}
