// Runs the draft that the page shows, and stores the result with its version.

import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import type { Draft } from '../kernel-drafts/draft.ts';
import type { KernelLibrary } from '../kernel-drafts/kernel-library.ts';
import type { KernelReading } from '../../../../src/engine/kernel-reading/kernel-reading-types.ts';
import { useSession } from '../../../../src/kit/app-context.ts';
import { useLatest } from '../../../../src/kit/browser/use-latest.ts';
import { shape } from '../../../../src/kit/words/quantity.ts';

/** A changed draft runs after this time without typing, ms. */
const QUIET_MS = 400;

/** Runs the draft (a kernel that the user changed) that the page shows: on request, or after every change. */
export interface DraftRunner {
  readonly run: () => void;
  /** whether the draft runs after every change: if the user switched this on, until the end of the visit */
  readonly runsOnChange: boolean;
  readonly setRunsOnChange: (on: boolean) => void;
}

/** Runs a draft on the open matrix on request. The kernel is null until it has been read. */
export function useDraftRunner(library: KernelLibrary, draft: Draft | null, kernel: KernelReading | null): DraftRunner {
  const openMatrix = useSession((s) => s.summary);
  // The id of the only draft that runs on every change.
  const [runningOnChange, setRunningOnChange] = useState<string | null>(null);
  const runsOnChange = draft !== null && runningOnChange === draft.id;
  const runNow = (): void => {
    if (draft === null || kernel === null) return;
    void library.run(draft.id, {
      sizes: kernel.sizes,
      time: true,
      // A kernel may be shown for a small matrix instead of the open one, but runs on the open one.
      on: openMatrix ? matrixText(openMatrix) : 'the matrix',
    });
  };
  const latest = useLatest(runNow);
  const run = useCallback(() => latest.current(), [latest]);
  const runLatest = useEffectEvent(runNow);
  // A draft from a link or a file runs only when the user presses Run.
  const isAllowed = runsOnChange && draft.from === 'here';
  useEffect(() => {
    if (!isAllowed) return;
    const timer = setTimeout(() => runLatest(), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isAllowed, draft?.id, draft?.files, draft?.overrides]);
  return { run, runsOnChange, setRunsOnChange: (isOn) => setRunningOnChange(isOn && draft !== null ? draft.id : null) };
}

/** Returns the name and shape of a matrix; names of generated matrices already include the shape. */
export function matrixText({
  name,
  rows,
  cols,
}: {
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
}) {
  const size = shape(rows, cols);
  return name.includes(size) ? name : `${name}, ${size}`;
}
