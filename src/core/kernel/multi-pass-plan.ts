import type { Chosen } from './choices.ts';
import { fitsLimits, type WorkgroupNeeds } from './device-limits.ts';
import type { EncodedMatrix, NamedArray } from '../encoded/encoded.ts';
import type { BufferPlan, DeviceFacts, KernelSpec, SizedPass } from './kernel.ts';
import type { Sizes } from '../operations/operation.ts';

/** A buffer and its bytes. */
export interface Part {
  readonly buffer: BufferPlan;
  readonly bytes: number;
  /** bytes that a run must at least move; absent: all of them, and none of a scratch buffer */
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

/** An array of the format. */
export function stored(name: string, data: NamedArray): Part {
  return { buffer: { role: 'sparse', name, data }, bytes: data.byteLength };
}

/** A kernel of one pass or more. */
export interface MultiPassKernel<E extends EncodedMatrix> extends Pick<
  KernelSpec<E>,
  'id' | 'title' | 'operation' | 'roundings' | 'outputType' | 'only' | 'most' | 'read' | 'choices'
> {
  readonly features?: readonly string[];
  /** the most that one of its passes asks of a workgroup */
  needs(e: E, device: DeviceFacts, sizes: Sizes): WorkgroupNeeds;
  /** why it cannot take a matrix or a size, whatever the device; null when it can */
  refusal?(e: E, sizes: Sizes): string | null;
  /** its passes in their order, which may share their sizes, and all other buffers, outputs in the operation's order */
  partsOf(
    e: E,
    sizes: Sizes,
    device: DeviceFacts,
    chosen?: Chosen,
  ): { readonly steps: readonly SizedPass[]; readonly buffers: readonly Part[] };
}

/** The kernel as the engine takes it. */
export function multiPassKernel<E extends EncodedMatrix>(kernel: MultiPassKernel<E>): KernelSpec<E> {
  const { features = [], needs, refusal, partsOf, ...spec } = kernel;
  return {
    ...spec,
    features,
    fits(e, device, sizes) {
      const reason = refusal?.(e, sizes) ?? null;
      if (reason !== null) return { ok: false, reason, remedy: null };
      const buffers = partsOf(e, sizes, device).buffers.map(({ buffer, bytes }) => [buffer.name, bytes] as const);
      return fitsLimits(buffers, needs(e, device, sizes), device);
    },
    plan(e, device, sizes, chosen) {
      const { steps, buffers } = partsOf(e, sizes, device, chosen);
      const sizeBuffers = new Map(steps.map(({ params }) => [params.name, params]));
      const multiplyAdds = steps.reduce((sum, step) => sum + step.multiplyAdds, 0);
      return {
        buffers: [...sizeBuffers.values(), ...buffers.map(({ buffer }) => buffer)],
        passes: steps.map(({ pass }) => pass),
        bytes: buffers.reduce((sum, part) => sum + moved(part), 0),
        ...(multiplyAdds > 0 ? { multiplyAdds } : {}),
      };
    },
  };
}

function moved({ buffer, bytes, movedBytes = buffer.role === 'scratch' ? 0 : bytes }: Part): number {
  return movedBytes;
}
