import type { KernelReading } from './service/kernel-reading-types.ts';
import { useApp } from '../../kit/app-context.ts';
import { useMatrixJob } from '../../kit/use-job.ts';
import type { kernels } from './service/service.ts';

/** A kernel, once it has been read. */
export type ReadingState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'there'; readonly reading: KernelReading }
  | { readonly kind: 'failed'; readonly reason: string };

const WAITING: ReadingState = { kind: 'waiting' };

/** A kernel's text for the matrix on the stage and these parameters. */
export function useReading(kernel: string | null, params: Readonly<Record<string, unknown>> | undefined): ReadingState {
  const { engine } = useApp();
  const isAsked = kernel !== null && params !== undefined;
  const { latest, error } = useMatrixJob(isAsked ? ['Reading the kernel', kernel, params] : null, (watch) =>
    engine.service<typeof kernels>('kernels').read(watch, { kernel: kernel ?? '', params: params ?? {} }),
  );
  if (error !== null) return { kind: 'failed', reason: error };
  // Until the new one has been read, the old one must not appear under its name.
  return latest === null || latest.kernel !== kernel ? WAITING : { kind: 'there', reading: latest };
}
