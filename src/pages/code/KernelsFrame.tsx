import { type ReactNode, type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react';
import { useWidth } from '../../kit/browser/use-width.ts';

interface KernelsFrameProps {
  readonly isWide: boolean;
  /** `list` is the task of an exercise, which comes first on a narrow page */
  readonly isTask?: boolean;
  readonly list: ReactNode;
  readonly code: ReactNode;
  /** below the code */
  readonly details: ReactNode;
  /** runs and versions of a kernel that the user edits, next to the code; on a narrow page `code` contains it */
  readonly outcome?: ReactNode;
}

/** The layout of the page Code: columns for list, code with details sections, outcome; list last on narrow pages. */
export function KernelsFrame({ isWide, isTask = false, list, code, details, outcome }: KernelsFrameProps) {
  const centre = useRef<HTMLDivElement>(null);
  const [widths, setWidths] = useState<Readonly<Partial<Record<Side, number | null>>>>({});
  if (!isWide) {
    return (
      <main
        className="narrow-page pt-4 px-3 pb-8 min-h-0 overflow-x-hidden overflow-y-auto kernels-narrow"
        id="content"
        tabIndex={-1}
      >
        {isTask && list}
        {code}
        {details}
        {!isTask && list}
      </main>
    );
  }
  const widthOf = (side: Side): string | undefined => (widths[side] == null ? undefined : `${widths[side]}px`);
  const column = (side: Side, label: string, content: ReactNode) => (
    <SideColumn side={side} centre={centre} onResize={(px) => setWidths((before) => ({ ...before, [side]: px }))}>
      <aside
        className="panel [padding:1rem_calc(1rem_-_8px)_2rem_1rem] h-full overflow-x-hidden overflow-y-auto"
        aria-label={label}
      >
        {content}
      </aside>
    </SideColumn>
  );
  return (
    <main
      className={outcome ? 'panels grid min-h-0' : 'panels grid min-h-0 panels--two'}
      style={{ '--left-width': widthOf('left'), '--right-width': widthOf('right') }}
    >
      {column('left', isTask ? 'Exercise' : 'All kernels', list)}
      <div ref={centre} className="column min-w-0 min-h-0">
        <div className="panel flex flex-col h-full overflow-hidden" id="content" tabIndex={-1}>
          {code}
          {details}
        </div>
      </div>
      {outcome && column('right', 'About this draft', outcome)}
    </main>
  );
}

type Side = 'left' | 'right';

/** For each side column: the name of the line that resizes it, for screen readers, and the limits of its width, px. */
const SIDES = {
  left: { label: 'Width of the list', min: 220, max: 480 },
  right: { label: 'Width of the outcome', min: 240, max: 480 },
};

/** Minimum width of the middle column, px. */
const MIN_CENTRE = 420;
const KEY_STEP_PX = 16;

interface SideColumnProps {
  readonly side: Side;
  readonly centre: RefObject<HTMLElement | null>;
  /** null: the initial width */
  readonly onResize: (px: number | null) => void;
  readonly children: ReactNode;
}

/** A column that can be resized by pointer or arrow keys; a double click or Enter restores the width of layout.css. */
function SideColumn({ side, centre, onResize, children }: SideColumnProps) {
  const { label, min, max } = SIDES[side];
  const column = useRef<HTMLDivElement>(null);
  const width = useWidth(column);
  const start = useRef<{ readonly x: number; readonly width: number } | null>(null);
  /** the sign of a width change when the line moves to the right */
  const direction = side === 'left' ? 1 : -1;
  const shownWidth = (): number => column.current?.getBoundingClientRect().width ?? 0;
  const resize = (px: number): void => {
    const available = shownWidth() + (centre.current?.clientWidth ?? 0) - MIN_CENTRE;
    onResize(Math.round(Math.max(min, Math.min(max, available, px))));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -direction, ArrowRight: direction }[event.key];
    const nextWidth = step === undefined ? { Home: min, End: max }[event.key] : shownWidth() + step * KEY_STEP_PX;
    if (event.key === 'Enter') onResize(null);
    else if (nextWidth === undefined) return;
    else resize(nextWidth);
    event.preventDefault();
    // Elsewhere, arrow keys step through the animation.
    event.stopPropagation();
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width: shownWidth() };
  };
  const onPointerMove = ({ clientX }: PointerEvent): void => {
    if (start.current) resize(start.current.width + direction * (clientX - start.current.x));
  };
  const line = (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that can be moved is a control
    <div
      role="separator"
      // The area to drag is wider than the visible line.
      className="relative touch-none bg-hairline transition-[background-color] duration-(--quick) cursor-col-resize after:absolute after:z-1 after:inset-y-0 after:-inset-x-[6px] hover:bg-quiet active:bg-quiet focus-visible:bg-quiet focus-visible:outline-offset-0"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={width}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      onKeyDown={onKeyDown}
      // Neither dragging nor a double click may select text: the selection would be dragged the next time.
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onLostPointerCapture={() => (start.current = null)}
      onDoubleClick={() => onResize(null)}
    />
  );
  return (
    <>
      {side === 'right' && line}
      <div ref={column} className="column min-w-0 min-h-0">
        {children}
      </div>
      {side === 'left' && line}
    </>
  );
}
