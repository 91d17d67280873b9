import { formats } from '../src/formats/registry.ts';
import { kernelFiles } from '../src/engine/kernel-reading/kernel-reading.ts';

let cached: ReturnType<typeof kernelFiles> | null = null;

/** The shader files of all kernels, cached: finding them needs a plan of every kernel, and all tests of a thread use them. */
export function everyKernelFile(): ReturnType<typeof kernelFiles> {
  return (cached ??= kernelFiles(formats));
}
