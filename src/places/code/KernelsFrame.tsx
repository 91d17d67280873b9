import type { ReactNode } from 'react';
import { SideColumns } from '../../kit/frame/SideColumns.tsx';

interface KernelsFrameProps {
  readonly wide: boolean;
  /** `list` is a task: it comes first on a narrow page */
  readonly isTask?: boolean;
  readonly list: ReactNode;
  readonly code: ReactNode;
  readonly facts: ReactNode;
  /** above the facts, where there is room */
  readonly outcome?: ReactNode;
}

/** Wide, three columns; narrow, one, in which a task comes first and the list of kernels last. */
export function KernelsFrame({ wide, isTask = false, list, code, facts, outcome }: KernelsFrameProps) {
  if (!wide) {
    return (
      <main className="narrow-page kernels-narrow" id="content" tabIndex={-1}>
        {isTask && list}
        {code}
        {facts}
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
          <aside className="panel panel--side" aria-label={isTask ? 'Exercise' : 'All kernels'}>
            {list}
          </aside>
        ),
      }}
      right={{
        label: 'Width of the facts',
        min: 240,
        max: 480,
        content: (
          <aside className="panel panel--side" aria-label="About this kernel">
            {outcome}
            {facts}
          </aside>
        ),
      }}
    >
      <div className="panel kernel-panel" id="content" tabIndex={-1}>
        {code}
      </div>
    </SideColumns>
  );
}
