import { useLayoutEffect, useState } from 'react';
import { judgeSteps, patternText, type Sliding, type Verdict } from '../../theory/sliding-windows.ts';

/** Work between two looks at what else the page has to do. */
const SLICE_MS = 8;

/** How far the judging of a pattern is. */
export interface Judging {
  /** placements tried so far */
  readonly done: number;
  /** null until it is finished */
  readonly verdict: Verdict | null;
}

const BEGUN: Judging = { done: 0, verdict: null };

/** Judges a pattern in slices, with the page free in between; most patterns are judged before they are first painted. */
export function useVerdict(sliding: Sliding): Judging {
  // `sliding` is made anew with every click; its four numbers are what it depends on.
  const of = `${patternText(sliding.pattern)} ${patternText(sliding.hardware)}`;
  const [state, setState] = useState<Judging & { readonly of: string }>({ ...BEGUN, of });
  useLayoutEffect(() => {
    const steps = judgeSteps(sliding);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = (): void => {
      const end = performance.now() + SLICE_MS;
      for (;;) {
        const step = steps.next();
        if (step.done) return setState({ of, done: step.value.placements, verdict: step.value });
        if (performance.now() < end) continue;
        setState({ of, done: step.value.done, verdict: null });
        timer = setTimeout(run);
        return;
      }
    };
    run();
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `of` holds the four numbers of `sliding`
  }, [of]);
  return state.of === of ? state : BEGUN;
}
