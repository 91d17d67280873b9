/* The kernel that a request names, and the parameters with which the kernel is run. */

import { SparseScopeError } from '../../core/errors.ts';
import { type AnyFormat, type EncodedMatrix, resolvedParams, type Shape } from '../../core/format.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import type { BenchHost } from './bench-host.ts';

type AnyKernel = KernelSpec<EncodedMatrix>;

/** The kernel with this id, or the empty kernel that the user fills in, and its format. Throws SparseScopeError. */
export function kernelOf(
  { formats, drafts }: Pick<BenchHost, 'formats' | 'drafts'>,
  id: string,
): { format: AnyFormat; spec: AnyKernel } {
  for (const format of formats) {
    const spec: AnyKernel | undefined =
      format.kernels.find((kernel) => kernel.id === id) ??
      drafts?.scratchKernels(format).find((kernel) => kernel.id === id);
    if (spec) return { format, spec };
  }
  const ids = formats.flatMap((format) => format.kernels.map((kernel) => kernel.id));
  throw new SparseScopeError(`kernel: found '${id}', expected one of ${ids.join(', ')}`);
}

/** The given parameters for a matrix of this shape; each value that the kernel lacks becomes the first it supports. */
export function paramsFor(
  format: AnyFormat,
  spec: AnyKernel,
  given: Readonly<Record<string, unknown>>,
  shape: Shape,
): Readonly<Record<string, unknown>> {
  const params = resolvedParams(format.params, given, shape);
  const changed = Object.entries(spec.only ?? {}).flatMap(([name, values]) =>
    values.includes(params[name]) ? [] : [[name, values[0]] as const],
  );
  return { ...params, ...Object.fromEntries(changed) };
}

/** Every set of parameters that differs from `params` in exactly one parameter with a list of options. */
export function paramsWithOneChange(
  { params: fields }: AnyFormat,
  params: Readonly<Record<string, unknown>>,
): readonly Readonly<Record<string, unknown>>[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const { kind, options = [] } = field as { kind: string; options?: readonly { readonly value: unknown }[] };
    if (kind !== 'choice') return [];
    return options.filter(({ value }) => value !== params[name]).map(({ value }) => ({ ...params, [name]: value }));
  });
}
