import type { ReactNode } from 'react';
import { SideColumns } from '../../kit/frame/SideColumns.tsx';

interface KernelsFrameProps {
  readonly wide: boolean;
  /** `list` is a task, which comes first on a narrow page */
  readonly isTask?: boolean;
  readonly list: ReactNode;
  readonly code: ReactNode;
  /** below the code */
  readonly folds: ReactNode;
  /** for a draft: beside the code, if there is room */
  readonly outcome?: ReactNode;
}

/** Wide: the list beside the code and the outcome of a draft. Narrow: a task first, the list of kernels last. */
export function KernelsFrame({ wide, isTask = false, list, code, folds, outcome }: KernelsFrameProps) {
  if (!wide) {
    return (
      <main className="narrow-page min-h-0 scroll-y kernels-narrow" id="content" tabIndex={-1}>
        {isTask && list}
        {code}
        {folds}
        {!isTask && list}
      </main>
    );
  }
  return (
    <SideColumns
      minCentre={420}
      left={{
        label: 'Width of the list',
        min: 220,
        max: 480,
        content: (
          <aside className="panel panel--side h-full scroll-y" aria-label={isTask ? 'Exercise' : 'All kernels'}>
            {list}
          </aside>
        ),
      }}
      {...(outcome && {
        right: {
          label: 'Width of the outcome',
          min: 240,
          max: 480,
          content: (
            <aside className="panel panel--side h-full scroll-y" aria-label="About this draft">
              {outcome}
            </aside>
          ),
        },
      })}
    >
      <div className="panel flex flex-col h-full overflow-hidden" id="content" tabIndex={-1}>
        {code}
        {folds}
      </div>
    </SideColumns>
  );
}
