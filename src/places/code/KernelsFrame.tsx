import { type ReactNode, type CSSProperties, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { useWidth } from '../../kit/browser/use-size.ts';

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

interface SideColumn {
  readonly content: ReactNode;
  /** names the line that changes its width, for people who cannot see it */
  readonly label: string;
  /** px */
  readonly min: number;
  readonly max: number;
}

type Side = 'left' | 'right';

const KEY_STEP_PX = 16;

/**
 * Two or three columns, of which a person can resize the outer ones, by pointer or by arrow keys. Initially they have the
 * widths of layout.css, which index.html uses before any code runs. A double click, or Enter, restores them. The middle keeps
 * at least `minCentre` px.
 */
function SideColumns({
  left,
  right,
  minCentre,
  children,
}: {
  readonly left: SideColumn;
  /** absent: two columns */
  readonly right?: SideColumn;
  readonly minCentre: number;
  readonly children: ReactNode;
}) {
  const columns = useRef<HTMLElement>(null);
  const leftColumn = useRef<HTMLDivElement>(null);
  const rightColumn = useRef<HTMLDivElement>(null);
  const laidOut = { left: useWidth(leftColumn), right: useWidth(rightColumn) };
  const [widths, setWidths] = useState<Readonly<Record<Side, number | null>>>({ left: null, right: null });
  const widthOf = (side: Side): string | undefined => (widths[side] === null ? undefined : `${widths[side]}px`);
  const style: CSSProperties = { '--left-width': widthOf('left'), '--right-width': widthOf('right') };

  /** The width of a column on the screen, px. */
  const shownWidth = (side: Side): number =>
    (side === 'left' ? leftColumn : rightColumn).current?.getBoundingClientRect().width ?? 0;
  const resize = (side: Side, wanted: number): void => {
    const column = side === 'left' ? left : right;
    if (!column) return;
    const other = shownWidth(side === 'left' ? 'right' : 'left');
    const room = (columns.current?.clientWidth ?? 0) - other - minCentre - 2;
    const width = Math.round(Math.max(column.min, Math.min(column.max, room, wanted)));
    setWidths((before) => ({ ...before, [side]: width }));
  };
  const line = (side: Side, column: SideColumn): ReactNode => (
    <Separator
      side={side}
      column={column}
      width={laidOut[side]}
      shownWidth={() => shownWidth(side)}
      onResize={(px) => resize(side, px)}
      onReset={() => setWidths((before) => ({ ...before, [side]: null }))}
    />
  );

  return (
    <main ref={columns} className={right ? 'panels stack min-h-0' : 'panels stack min-h-0 panels--two'} style={style}>
      <div ref={leftColumn} className="column min-w-0 min-h-0">
        {left.content}
      </div>
      {line('left', left)}
      <div className="column min-w-0 min-h-0">{children}</div>
      {right && (
        <>
          {line('right', right)}
          <div ref={rightColumn} className="column min-w-0 min-h-0">
            {right.content}
          </div>
        </>
      )}
    </main>
  );
}

interface SeparatorProps {
  readonly side: Side;
  readonly column: SideColumn;
  readonly width: number;
  readonly shownWidth: () => number;
  readonly onResize: (px: number) => void;
  readonly onReset: () => void;
}

function Separator({ side, column, width, shownWidth, onResize, onReset }: SeparatorProps) {
  const start = useRef<{ readonly x: number; readonly width: number } | null>(null);
  /** the sign of a width change when the line moves to the right */
  const sign = side === 'left' ? 1 : -1;
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps = { ArrowLeft: -sign, ArrowRight: sign }[event.key];
    const target =
      steps === undefined ? { Home: column.min, End: column.max }[event.key] : shownWidth() + steps * KEY_STEP_PX;
    if (event.key === 'Enter') onReset();
    else if (target === undefined) return;
    else onResize(Math.max(target, column.min));
    event.preventDefault();
    // Elsewhere the arrow keys belong to the player.
    event.stopPropagation();
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width: shownWidth() };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const from = start.current;
    if (from) onResize(from.width + sign * (event.clientX - from.x));
  };
  const end = (): void => {
    start.current = null;
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that can be moved is a control
    <div
      role="separator"
      className="separator relative touch-none"
      aria-label={column.label}
      aria-orientation="vertical"
      aria-valuemin={column.min}
      aria-valuemax={column.max}
      aria-valuenow={width}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      onKeyDown={onKeyDown}
      // Neither dragging nor a double click may select text: the selection would be dragged the next time.
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={onReset}
    />
  );
}
