/* Plans of kernels from parts: buffers (input, output, scratch, arrays of the format) and one or more passes. */

import type { Chosen } from './choices.ts';
import { fitsLimits, type WorkgroupNeeds } from './device-limits.ts';
import type { Support } from '../encoded/admission.ts';
import type { EncodedMatrix, NamedArray } from '../encoded/encoded.ts';
import type { BufferPlan, DeviceFacts, KernelPlan, KernelSpec, PassPlan, SizedPass } from './kernel.ts';
import { largest } from '../number/statistics.ts';
import type { Sizes } from '../operations/operation.ts';

/** A part of a kernel's memory: one buffer of its plan, with its bytes. */
export interface Part {
  readonly buffer: BufferPlan;
  readonly bytes: number;
  /** bytes that a run must at least move; default: all of them, none for a scratch buffer */
  readonly movedBytes?: number;
}

/** Whether the device can dispatch this many workgroups in each dimension. */
export function workgroupsFit(workgroups: readonly number[], { limits }: DeviceFacts): Support {
  const [needed, max] = [largest(workgroups), limits.maxComputeWorkgroupsPerDimension];
  if (needed <= max) return { ok: true, notes: [] };
  return { ok: false, reason: `needs ${needed} workgroups in a dimension, of which ${max} run here`, remedy: null };
}

/** An input of `count` values. */
export function input(name: string, count: number, type: 'bf16' | 'f16' | 'f32' = 'bf16'): Part {
  return { buffer: { role: 'input', name, type }, bytes: count * (type === 'f32' ? 4 : 2) };
}

/** An output of the kernel. */
export function output(name: string, bytes: number): Part {
  return { buffer: { role: 'output', name, bytes }, bytes };
}

/** Intermediate data between two passes. */
export function scratch(name: string, bytes: number): Part {
  return { buffer: { role: 'scratch', name, bytes }, bytes };
}

/** An array of the format. */
export function storedPart(name: string, data: NamedArray): Part {
  return { buffer: { role: 'sparse', name, data }, bytes: data.byteLength };
}

/** Arrays of the format in the order of their bindings. */
export type StoredArrays = readonly { readonly name: string; readonly data: NamedArray }[];

/** These arrays of an encoded matrix, by their names. */
export function storedArrays<N extends string>(e: Readonly<Record<N, NamedArray>>, names: readonly N[]): StoredArrays {
  return names.map((name) => ({ name, data: e[name] }));
}

/** The scales of i8 and i4, which kernels bind after the output; none for floats. */
export function storedScales(e: { readonly valueType: string; readonly scales: NamedArray }): StoredArrays {
  return e.valueType === 'i8' || e.valueType === 'i4' ? storedArrays(e, ['scales']) : [];
}

/** These arrays as parts of a kernel's memory. */
export function storedParts(arrays: StoredArrays): readonly Part[] {
  return arrays.map(({ name, data }) => storedPart(name, data));
}

/** Whether the device lets a kernel bind these buffers and run workgroups with these needs. */
export function partsFit(
  parts: readonly Part[],
  needs: Parameters<typeof fitsLimits>[1],
  device: DeviceFacts,
): Support {
  const buffers = parts.map(({ buffer, bytes }) => [buffer.name, bytes] as const);
  return fitsLimits(buffers, needs, device);
}

/** The plan of passes over these buffers, outputs in the operation's order. */
export function partsPlan(
  params: readonly BufferPlan[],
  parts: readonly Part[],
  passes: readonly PassPlan[],
): KernelPlan {
  return {
    buffers: [...params, ...parts.map(({ buffer }) => buffer)],
    passes,
    bytes: parts.reduce(
      (sum, { buffer, bytes, movedBytes = buffer.role === 'scratch' ? 0 : bytes }) => sum + movedBytes,
      0,
    ),
  };
}

/** A kernel of one pass or more: the parameter of `multiPassKernel`. */
export interface MultiPassKernel<E extends EncodedMatrix> extends Pick<
  KernelSpec<E>,
  'id' | 'title' | 'operation' | 'extraRoundings' | 'outputType' | 'roundsInputs' | 'only' | 'max' | 'read' | 'choices'
> {
  readonly features?: readonly string[];
  /** needs of a workgroup, the maximum over its passes */
  needs(e: E, device: DeviceFacts, sizes: Sizes): WorkgroupNeeds;
  /** why it cannot run this matrix with these sizes, however large the device's buffers are; null if it can */
  rejection?(e: E, sizes: Sizes, device: DeviceFacts): string | null;
  /** its passes in order, each with a buffer of sizes that others may share; all other buffers, outputs in order */
  partsOf(
    e: E,
    sizes: Sizes,
    device: DeviceFacts,
    chosen?: Chosen,
  ): { readonly passes: readonly SizedPass[]; readonly buffers: readonly Part[] };
}

/** The specification of a kernel from its passes and buffers. */
export function multiPassKernel<E extends EncodedMatrix>(kernel: MultiPassKernel<E>): KernelSpec<E> {
  const { features = [], needs, rejection, partsOf, ...spec } = kernel;
  return {
    ...spec,
    features,
    fits(e, device, sizes) {
      const reason = rejection?.(e, sizes, device) ?? null;
      if (reason !== null) return { ok: false, reason, remedy: null };
      const { buffers, passes } = partsOf(e, sizes, device);
      const fit = partsFit(buffers, needs(e, device, sizes), device);
      return fit.ok
        ? workgroupsFit(
            passes.flatMap(({ pass }) => pass.workgroups),
            device,
          )
        : fit;
    },
    plan(e, device, sizes, chosen) {
      const { passes: sized, buffers } = partsOf(e, sizes, device, chosen);
      const sizeBuffers = new Map(sized.map(({ params }) => [params.name, params]));
      const multiplyAdds = sized.reduce((sum, { multiplyAdds: count = 0 }) => sum + count, 0);
      const passes = sized.map(({ pass }) => pass);
      return { ...partsPlan([...sizeBuffers.values()], buffers, passes), ...(multiplyAdds > 0 && { multiplyAdds }) };
    },
  };
}
