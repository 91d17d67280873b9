// Rewrites a product's kernel so that it adds its result to the residual stream, which saves a dispatch.

import type { KernelPlan, PassPlan } from '../../../../src/core/kernel/kernel.ts';
import type { ShaderFile } from '../../../../src/core/kernel/shader.ts';
import type { StageDevice } from './stage-device.ts';

/** The bindings that `addingPlan` adds: old residual stream, weights of the next norm, input of the next product. */
export const ADDING_BINDINGS = { stream: 'stream before', weights: 'next weights', x: 'next x' } as const;
const BINDINGS = [ADDING_BINDINGS.stream, ADDING_BINDINGS.weights, ADDING_BINDINGS.x] as const;

/**
 * Returns the plan of a product, changed so that its kernel adds the result to the residual stream instead of storing
 * it. The first output is the new stream, the second a copy of it times the weights of the norm that follows. The copy
 * is not normalised: the stages after the next product compute the norm's factor and apply it
 * (language/late_scale.wgsl), so no dispatch between two products waits for a sum over the stream. The old and the new
 * stream are separate buffers, so that loads of the old stream need not wait for stores. Null if the kernel does not
 * store each row once, or the device has too few bindings.
 */
export function addingPlan(plan: KernelPlan, { limits }: StageDevice): KernelPlan | null {
  const pass = plan.passes.at(-1);
  const output = plan.buffers.find(({ role }) => role === 'output');
  if (!plan.isStoredOnce || !pass || output?.role !== 'output') return null;
  if (storageBindings(plan, pass) + BINDINGS.length > limits.maxStorageBuffersPerShaderStage) return null;
  return {
    ...plan,
    buffers: [
      ...plan.buffers,
      { role: 'input', name: ADDING_BINDINGS.stream, type: 'f32' },
      { role: 'input', name: ADDING_BINDINGS.weights, type: 'f32' },
      { role: 'output', name: ADDING_BINDINGS.x, bytes: output.bytes },
    ],
    passes: [
      ...plan.passes.slice(0, -1),
      {
        ...pass,
        files: addingFiles(pass.files, pass.bindings.indexOf(output.name), pass.bindings.length),
        bindings: [...pass.bindings, ...BINDINGS],
      },
    ],
  };
}

/** The number of storage bindings of a pass: all bindings except the uniform ones, which contain sizes. */
export function storageBindings({ buffers }: KernelPlan, { bindings }: PassPlan): number {
  const sizes = new Set(buffers.flatMap(({ name, role }) => (role === 'params' ? [name] : [])));
  return bindings.filter((name) => !sizes.has(name)).length;
}

/** The kernel's files, changed to add the output at `binding` to the stream; three more bindings begin at `next`. */
function addingFiles(files: readonly ShaderFile[], binding: number, next: number): readonly ShaderFile[] {
  return withStoreFunction(
    files,
    binding,
    'chain/add_row.wgsl',
    'add_row',
    (output) => `
// Instead of a store: the row is added to the stream, and copied for the next product.
@group(0) @binding(${next}) var<storage, read> stream_before: array<f32>;
@group(0) @binding(${next + 1}) var<storage, read> next_weights: array<f32>;
@group(0) @binding(${next + 2}) var<storage, read_write> next_x: array<f32>;

fn add_row(row: u32, value: f32) {
  let sum = stream_before[row] + value;
  ${output}[row] = sum;
  next_x[row] = next_weights[row] * sum;
}
`,
  );
}

/**
 * The files of a kernel in which a call of function `name` replaces each store to the output at `binding`. `codeFor`
 * returns the code of that function, which becomes a further file at `path`. Throws Error if the kernel uses the output
 * otherwise.
 */
export function withStoreFunction(
  files: readonly ShaderFile[],
  binding: number,
  path: string,
  name: string,
  codeFor: (output: string) => string,
): readonly ShaderFile[] {
  const declared = new RegExp(
    String.raw`@group\(0\) @binding\(${binding}\) var<storage, read_write> (\w+): array<f32>;`,
  );
  const [, output] = files.map(({ code }) => declared.exec(code)).find((match) => match !== null) ?? [];
  if (output === undefined) {
    throw new Error(`${files.at(-1)?.path}: found no output of numbers at binding ${binding}, expected one`);
  }
  const called = files.map((file) => ({ ...file, code: storesAsCalls(file, output, name) }));
  return [...called, { path, code: codeFor(output) }];
}

/** The code with each store `output[row] = value;` as a call. Throws Error if the code uses the output otherwise. */
function storesAsCalls({ path, code }: ShaderFile, output: string, name: string): string {
  const use = new RegExp(String.raw`\b${output}\[`, 'g');
  let text = '';
  let copied = 0;
  for (const match of code.matchAll(use)) {
    const line = code.slice(code.lastIndexOf('\n', match.index) + 1, match.index);
    if (line.includes('//')) continue;
    const from = match.index + match[0].length;
    // `end`: after the bracket that closes the index.
    let end = from;
    for (let depth = 1; depth > 0 && end < code.length; end++) {
      if (code[end] === '[') depth++;
      if (code[end] === ']') depth--;
    }
    const stored = /^ = ([^;]*);/.exec(code.slice(end));
    if (!stored)
      throw new Error(`${path}: found ${output} in "${line.trim()}${match[0]}", expected a store of one number`);
    text += `${code.slice(copied, match.index)}${name}(${code.slice(from, end - 1)}, ${stored[1]});`;
    copied = end + stored[0].length;
  }
  return text + code.slice(copied);
}
