/* Texts of kernels that the build stores for the page, so that they can be read before the worker has started. */

import { texts } from 'virtual:kernel-texts';
import type { KernelReading, StoredReading } from '../../engine/kernel-reading/kernel-reading-types.ts';

type KernelText = Omit<KernelReading, 'generation'>;

/**
 * The text of a kernel for a small substitute of the matrix; null for a kernel of a user's format, and for other
 * parameters than the default ones, with which it may have other files. Rejects if the texts cannot be loaded.
 */
export async function kernelText(
  format: string,
  kernel: string,
  params: Readonly<Record<string, unknown>>,
): Promise<KernelText | null> {
  const load = Object.hasOwn(texts, format) ? texts[format] : undefined;
  if (!load) return null;
  const { files, readings } = await load();
  const reading = Object.hasOwn(readings, kernel) ? (readings[kernel] as StoredReading) : undefined;
  if (!reading || Object.keys(params).some((name) => name in reading.params && reading.params[name] !== params[name]))
    return null;
  const passes = reading.passes.map((pass) => ({ ...pass, files: pass.files.map((path) => files[path]) }));
  return { ...reading, passes };
}
