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

/** A kernel's text for the matrix on the stage and these parameters; of `otherwise` where the device cannot run it. */
export function useReading(
  kernel: string | null,
  params: Readonly<Record<string, unknown>> | undefined,
  otherwise: readonly string[],
): ReadingState {
  const { engine } = useApp();
  const isAsked = kernel !== null && params !== undefined;
  const { latest, error } = useMatrixJob(isAsked ? ['Reading the kernel', kernel, params, otherwise] : null, (watch) =>
    engine.service<typeof kernels>('kernels').read(watch, { kernel: kernel ?? '', params: params ?? {}, otherwise }),
  );
  if (error !== null) return { kind: 'failed', reason: error };
  // Until the new one has been read, the old one must not appear under its name.
  const isOf = latest !== null && [latest.kernel, ...latest.passedOver.map((one) => one.kernel)].includes(kernel ?? '');
  return !isOf ? WAITING : { kind: 'there', reading: latest };
}
