import { KernelError } from '../core/errors.ts';
import { quotedWords } from '../core/error-messages.ts';
import type { GpuContext } from './device.ts';

/** Thrown for a kernel that a larger device could run: it needs a buffer above the limit, or more memory. */
export class ResourceError extends KernelError {
  override name = 'ResourceError';
}

/**
 * Runs synchronous `work` in WebGPU error scopes, and returns its result. `settled` rejects with a KernelError if one of them
 * catches an error, which WebGPU would otherwise only log.
 */
export function guarded<T>(context: GpuContext, what: string, work: () => T): { result: T; settled: Promise<void> } {
  const { device } = context;
  context.throwIfLost();
  device.pushErrorScope('internal');
  device.pushErrorScope('out-of-memory');
  device.pushErrorScope('validation');
  let result: T;
  let scopes: Promise<GPUError | null>[];
  try {
    result = work();
  } finally {
    scopes = [device.popErrorScope(), device.popErrorScope(), device.popErrorScope()];
  }
  return { result, settled: settle(context, what, scopes) };
}

/** Waits for the error scopes, in the reverse order of their begin. Throws ResourceError and KernelError. */
async function settle(context: GpuContext, what: string, scopes: Promise<GPUError | null>[]): Promise<void> {
  const [validation, memory, internal] = await context.whileAlive(Promise.all(scopes));
  if (memory) throw new ResourceError(`${what}: the GPU is out of memory`);
  if (validation) throw new KernelError(`${what}: WebGPU rejected it (${quotedWords(validation)})`);
  if (internal) throw new KernelError(`${what}: the driver failed (${quotedWords(internal)})`);
}
