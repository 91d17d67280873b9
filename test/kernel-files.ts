import { formats } from '../src/formats/registry.ts';
import { kernelFiles } from '../src/pages/code/service/service.ts';

let known: ReturnType<typeof kernelFiles> | null = null;

/** The files of all kernels. They are the same for every test of a thread, which need every kernel planned. */
export function everyKernelFile(): ReturnType<typeof kernelFiles> {
  return (known ??= kernelFiles(formats));
}
