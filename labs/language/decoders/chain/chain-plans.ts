// The kernel plan of a matrix in a chain (a decoder on the GPU): which kernel computes its product, whether a chain can
// use it, and sizes as constants in its text.

import { KernelError } from '../../../../src/core/errors.ts';
import type { KernelPlan } from '../../../../src/core/kernel/kernel.ts';
import type { ShaderFile } from '../../../../src/core/kernel/shader.ts';
import { type GpuContext, kernelSupport } from '../../../../src/gpu/index.ts';
import { type ChainKernel, type ChainMatrix, SEVERAL_TOKENS } from './weights.ts';

/** The kernel plan of a matrix for `tokens` tokens. Throws KernelError with the reason if a chain cannot use it. */
export function chainPlan(context: GpuContext, label: string, matrix: ChainMatrix, tokens: number): KernelPlan {
  const kernel = kernelFor(label, matrix, tokens);
  const { spec, chosen: chosenNumbers } = kernel;
  const { id, read: readOutputs } = spec;
  const { encoded } = matrix;
  const sizes = kernel === matrix.oneToken ? {} : { tokens };
  if (readOutputs)
    throw new KernelError(`${label}: ${id} writes its result in another layout, expected numbers in order`);
  const support = kernelSupport(spec, encoded, context.facts, sizes);
  if (!support.ok) throw new KernelError(`${label}: ${id} cannot run here: ${support.reason}`);
  const plan = spec.plan(encoded, context.facts, sizes, chosenNumbers);
  const outputBytes = 4 * tokens * encoded.rows;
  const output = plan.buffers.find((b) => b.role === 'output');
  if (output?.role !== 'output' || output.bytes !== outputBytes) {
    throw new KernelError(
      `${label}: ${id} writes ${output?.role === 'output' ? output.bytes : 0} bytes, expected ${outputBytes}`,
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
export function kernelFor(label: string, { oneToken, several, many }: ChainMatrix, tokens: number): ChainKernel {
  if (tokens === 1) return oneToken;
  const kernel = tokens > SEVERAL_TOKENS ? many : several;
  if (!kernel) throw new KernelError(`${label}: found no kernel for ${tokens} tokens at a time, expected one`);
  return kernel;
}
