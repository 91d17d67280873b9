import type { AnyFormat, EncodedMatrix, SparseFormat } from '../core/format.ts';
import { finish } from '../core/job.ts';

/** The part of a format that stores a matrix and reads it back: what 'sparsescope/macko' and its siblings export. */
export type Codec<E extends EncodedMatrix, P> = Pick<
  SparseFormat<E, P>,
  'id' | 'params' | 'encodeSteps' | 'encode' | 'decode' | 'multiply'
>;

/** Adds `encode`, which follows from `encodeSteps`. */
export function codec<E extends EncodedMatrix, P>(parts: Omit<Codec<E, P>, 'encode'>): Codec<E, P> {
  return { ...parts, encode: (m, p, job) => finish(parts.encodeSteps(m, p), job) };
}

/** The whole format: `format` itself if it has kernels, else the registered format of its id, which is loaded now. */
export async function wholeOf(format: { readonly id: string }): Promise<AnyFormat> {
  if ('kernels' in format) return format as AnyFormat;
  const { formatById } = await import('../formats/registry.ts');
  return formatById(format.id);
}
