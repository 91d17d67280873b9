import { useEffect, useState } from 'react';
import type { KernelReading } from './service/kernel-reading-types.ts';
import { useApp, useSession } from '../../kit/app-context.ts';
import type { kernels } from './service/service.ts';

/** A kernel, once it has been read. */
export type ReadingState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'there'; readonly reading: KernelReading }
  | { readonly kind: 'failed'; readonly reason: string };

const WAITING: ReadingState = { kind: 'waiting' };

/** A kernel's text for the matrix on the stage and these parameters; waits for benchmarks to end. */
export function useReading(kernel: string | null, params: Readonly<Record<string, unknown>> | undefined): ReadingState {
  const { session, engine } = useApp();
  const generation = useSession((s) => s.summary?.generation);
  const isRunning = useSession((s) => s.bench.running !== null);
  const [state, setState] = useState<ReadingState>(WAITING);
  useEffect(() => {
    if (kernel === null || params === undefined || generation === undefined || isRunning) return;
    let gone = false;
    const show = (next: ReadingState): void => {
      if (!gone) setState(next);
    };
    const service = engine.service<typeof kernels>('kernels');
    session
      .ifCurrent(() => service.read({}, { kernel, params }))
      .then(
        (reading) => reading && show({ kind: 'there', reading }),
        (error: unknown) => show({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
      );
    return () => {
      gone = true;
    };
  }, [session, engine, kernel, params, generation, isRunning]);
  // Until the new one has been read, the old one must not appear under its name.
  return state.kind === 'there' && state.reading.kernel !== kernel ? WAITING : state;
}
