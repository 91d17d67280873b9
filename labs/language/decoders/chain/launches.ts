// The dispatches of a chain (a decoder on the GPU): their kinds, buffers and plans.

import { KernelError } from '../../../../src/core/errors.ts';
import type { KernelPlan, PassPlan } from '../../../../src/core/kernel/kernel.ts';
import type { ShaderFile } from '../../../../src/core/kernel/shader.ts';
import { type GpuContext, guarded, compilePass, paddedBytes, kernelSupport } from '../../../../src/gpu/index.ts';
import type { Arena, MemoryKind } from './arena.ts';
import { type ChainKernel, type ChainMatrix, type MatrixStack, SEVERAL_TOKENS } from './weights.ts';

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

/** The kernel plan of a matrix for `tokens` tokens. Throws KernelError with the reason if a chain cannot use it. */
export function chainPlan(context: GpuContext, label: string, matrix: ChainMatrix, tokens: number): KernelPlan {
  const kernel = kernelFor(label, matrix, tokens);
  const { spec, chosen } = kernel;
  const { id, read } = spec;
  const { encoded } = matrix;
  const sizes = kernel === matrix.one ? {} : { tokens };
  if (read) throw new KernelError(`${label}: ${id} writes its result in another layout, expected numbers in order`);
  const support = kernelSupport(spec, encoded, context.facts, sizes);
  if (!support.ok) throw new KernelError(`${label}: ${id} cannot run here: ${support.reason}`);
  const plan = spec.plan(encoded, context.facts, sizes, chosen);
  const outputBytes = 4 * tokens * encoded.rows;
  const first = plan.buffers.find((b) => b.role === 'output');
  if (first?.role !== 'output' || first.bytes !== outputBytes) {
    throw new KernelError(
      `${label}: ${id} writes ${first?.role === 'output' ? first.bytes : 0} bytes, expected ${outputBytes}`,
    );
  }
  if (plan.passes.some(({ isPrecomputed }) => isPrecomputed)) {
    throw new KernelError(`${label}: ${id} continues from the result of another kernel, expected none`);
  }
  for (const role of ['input', 'output'] as const) {
    const count = plan.buffers.filter((b) => b.role === role).length;
    if (count !== 1) throw new KernelError(`${label}: ${id} has ${count} ${role}s, expected 1`);
  }
  for (const buffer of plan.buffers) {
    if (buffer.role !== 'input' || buffer.type === 'f32') continue;
    throw new KernelError(`${label}: ${id} reads ${buffer.name} in ${buffer.type}, expected f32`);
  }
  // With several tokens, other work hides the wait for sizes.
  return tokens === 1 ? withConstantSizes(plan) : plan;
}

/**
 * The plan with its sizes as constants in the text of its kernels. A kernel that reads sizes from a buffer has to wait
 * for them before its first load, and they are not in the cache: the weights of all blocks have passed through the
 * cache since the last token. The buffer stays bound, but is not read. Sizes that are not all u32 stay in the buffer.
 */
export function withConstantSizes(plan: KernelPlan): KernelPlan {
  const sizes = new Map(plan.buffers.flatMap((b) => (b.role === 'params' ? [[b.name, b.data] as const] : [])));
  const passes = plan.passes.map((pass) => {
    const files = pass.bindings.reduce((before, name, binding) => {
      const data = sizes.get(name);
      return data === undefined ? before : constantSizes(before, binding, data);
    }, pass.files);
    return { ...pass, files };
  });
  return { ...plan, passes };
}

/** The files of a kernel with the u32 words of a uniform binding as constants; unchanged if it has other members. */
function constantSizes(files: readonly ShaderFile[], binding: number, data: Uint32Array): readonly ShaderFile[] {
  const find = (pattern: RegExp): readonly string[] =>
    files.map(({ code }) => pattern.exec(code)).find((match) => match !== null) ?? [];
  const declared = new RegExp(String.raw`(@group\(0\) @binding\(${binding}\) var<uniform> )(\w+): (\w+);`);
  const [, , name, type] = find(declared);
  const [, members = ''] = find(new RegExp(String.raw`struct ${type} \{([^}]*)\}`));
  const types = members.replaceAll(/\/\/.*/g, '').match(/[^,\s][^,]*/g) ?? [];
  if (types.length === 0 || !types.every((member) => /^\w+: u32\s*$/.test(member))) return files;
  const numbers = Array.from(data.subarray(0, types.length), (number) => `${number}u`).join(', ');
  // In one line, so that messages of the compiler keep their lines.
  const constant = `$1bound_${name}: ${type}; const ${name} = ${type}(${numbers});`;
  return files.map((file) => ({ ...file, code: file.code.replace(declared, constant) }));
}

/** The kernel of a matrix for this many tokens. Throws KernelError if there is none. */
export function kernelFor(label: string, { one, several, many }: ChainMatrix, tokens: number): ChainKernel {
  if (tokens === 1) return one;
  const kernel = tokens > SEVERAL_TOKENS ? many : several;
  if (!kernel) throw new KernelError(`${label}: found no kernel for ${tokens} tokens at a time, expected one`);
  return kernel;
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
  { plan, id, bound: others = {} }: { readonly plan: KernelPlan; readonly id: string; readonly bound?: BoundBuffers },
  inputOf: (name: string) => GPUBuffer | GPUBufferBinding,
  outputs: readonly GPUBufferBinding[],
): Promise<readonly Launch[]> {
  const bound: Record<string, GPUBufferBinding | GPUBuffer> = { ...others };
  let scratch = 0;
  let output = 0;
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
        bound[buffer.name] = outputs[output++];
        break;
      case 'scratch':
        bound[buffer.name] = await arena.scratch(scratch++, bufferLabel, buffer.bytes);
        break;
    }
  }
  const launches = await Promise.all(plan.passes.map((pass) => launchOf(arena.context, kind, id, pass, bound)));
  return launches.map((launch) => ({ ...launch, product, ...(added && { added }) }));
}
