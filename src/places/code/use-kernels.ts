import { useEffect, useEffectEvent, useRef } from 'react';
import { useApp, useSession } from '../../kit/app-context.ts';
import { useJob } from '../../kit/use-job.ts';
import type { ListedKernel } from './kernel-list.ts';
import type { KernelFile } from './service/kernel-reading-types.ts';
import type { kernels } from './service/service.ts';

/**
 * Keeps A and the kernel consistent: reading a kernel sets A to its format, with a message; another A shows a kernel of that
 * format. `listed`: null while no kernel is shown, as in an exercise.
 */
export function useKernelOfA(listed: ListedKernel | null, formatOfA: string, readFirst: () => void): void {
  const { session, announce } = useApp();
  const id = listed?.kernel.id ?? null;
  const before = useRef({ id, formatOfA });
  const follow = useEffectEvent(() => {
    // A link may bring another kernel and another A at once.
    const isNewA = before.current.formatOfA !== formatOfA && before.current.id === id;
    before.current = { id, formatOfA };
    if (!listed || listed.format.id === formatOfA) return;
    if (isNewA) return readFirst();
    before.current = { id, formatOfA: listed.format.id };
    session.setFormat(listed.format.id);
    announce(`A is ${listed.format.title} now, as this kernel reads it`);
  });
  useEffect(() => follow(), [id, formatOfA]);
}

const NO_FILES: readonly KernelFile[] = [];

/** Every file of every kernel; empty until they are loaded. */
export function useKernelFiles(): readonly KernelFile[] {
  const { engine } = useApp();
  // A lost engine reports itself, and the next one is asked again; without the files only the search is empty.
  const held = useSession((s) => s.held);
  const { latest } = useJob(['Files of the kernels', held], (watch) =>
    engine.service<typeof kernels>('kernels').files(watch),
  );
  return latest ?? NO_FILES;
}
