// The dispatches of a chain (a decoder on the GPU): their kinds and buffers.

import { KernelError } from '../../../../src/core/errors.ts';
import type { KernelPlan, PassPlan } from '../../../../src/core/kernel/kernel.ts';
import { type GpuContext, guarded, compilePass, paddedBytes } from '../../../../src/gpu/index.ts';
import type { Arena, MemoryKind } from './arena.ts';
import type { MatrixStack } from './weights.ts';

/** The kinds of dispatches, by which the time of a token is divided. */
export const LAUNCH_KINDS = ['matrices', 'head', 'attention', 'norms', 'activations', 'sampling'] as const;
export type LaunchKind = (typeof LAUNCH_KINDS)[number];

/** A dispatch of a chain, a decoder on the GPU (chain.ts), ready to be encoded any number of times. */
export interface Launch {
  readonly kind: LaunchKind;
  /** label of the product that it computes or is a part of; absent: none */
  readonly product?: string;
  /** the residual stream before and after, if its rows are added to the stream instead of stored (adding.ts) */
  readonly added?: { readonly from: GPUBuffer; readonly to: GPUBuffer };
  readonly pipeline: GPUComputePipeline;
  readonly group: GPUBindGroup;
  readonly workgroups: readonly [number, number, number];
}

/** The buffers of a pass, by the names of its bindings. */
export type BoundBuffers = Readonly<Record<string, GPUBufferBinding | GPUBuffer>>;

/** Compiles a pass, once per device, and binds it. Throws KernelError, DeviceLostError. */
export async function launchOf(
  context: GpuContext,
  kind: LaunchKind,
  label: string,
  pass: PassPlan,
  bound: BoundBuffers,
): Promise<Launch> {
  const compiled = await compilePass(context, label, pass);
  const { result: group, settled } = guarded(context, label, () =>
    context.device.createBindGroup({
      label,
      layout: compiled.layout,
      entries: pass.bindings.map((name, binding) => {
        const buffer = bound[name];
        if (buffer === undefined) throw new KernelError(`${label}: binds '${name}', which is no buffer of its plan`);
        return { binding, resource: 'size' in buffer && 'usage' in buffer ? { buffer } : buffer };
      }),
    }),
  );
  await settled;
  return { kind, pipeline: compiled.pipeline, group, workgroups: pass.workgroups };
}

/** Where one of several stacked matrices writes its product in their output buffer, in bytes. */
interface Region {
  readonly offset: number;
  readonly bytes: number;
}

/** The regions of the products of stacked matrices with `tokens` tokens, at multiples of `alignment` bytes. */
export function regionsOf(stacked: MatrixStack, tokens: number, alignment: number): readonly Region[] {
  let end = 0;
  return stacked.map(({ encoded }) => {
    const offset = Math.ceil(end / alignment) * alignment;
    const bytes = paddedBytes(4 * tokens * encoded.rows);
    end = offset + bytes;
    return { offset, bytes };
  });
}

/** The length of a buffer with these regions, in bytes. */
export function regionBytes(regions: readonly Region[]): number {
  const last = regions.at(-1);
  return last === undefined ? 0 : last.offset + last.bytes;
}

/**
 * The dispatches of a plan with these inputs, and with its outputs in these regions, in the plan's order. `bound`:
 * buffers that passes bind although the plan does not list them. `arena`: allocates the plan's other buffers.
 */
export async function planLaunches(
  arena: Arena,
  {
    kind,
    label,
    product,
    added = null,
  }: {
    readonly kind: LaunchKind & MemoryKind;
    readonly label: string;
    readonly product: string;
    readonly added?: Launch['added'] | null;
  },
  {
    plan,
    id,
    bound: extraBuffers = {},
  }: { readonly plan: KernelPlan; readonly id: string; readonly bound?: BoundBuffers },
  inputOf: (name: string) => GPUBuffer | GPUBufferBinding,
  outputs: readonly GPUBufferBinding[],
): Promise<readonly Launch[]> {
  const bound: Record<string, GPUBufferBinding | GPUBuffer> = { ...extraBuffers };
  let scratchIndex = 0;
  let outputIndex = 0;
  for (const buffer of plan.buffers) {
    const bufferLabel = `${label}: ${buffer.name}`;
    switch (buffer.role) {
      case 'params':
        bound[buffer.name] = await arena.uniform(bufferLabel, buffer.data);
        break;
      case 'sparse':
        bound[buffer.name] = await arena.copyFor(kind, bufferLabel, buffer.data, label);
        break;
      case 'input':
        bound[buffer.name] = inputOf(buffer.name);
        break;
      case 'output':
        bound[buffer.name] = outputs[outputIndex++];
        break;
      case 'scratch':
        bound[buffer.name] = await arena.scratch(scratchIndex++, bufferLabel, buffer.bytes);
        break;
    }
  }
  const launches = await Promise.all(plan.passes.map((pass) => launchOf(arena.context, kind, id, pass, bound)));
  return launches.map((launch) => ({ ...launch, product, ...(added && { added }) }));
}
