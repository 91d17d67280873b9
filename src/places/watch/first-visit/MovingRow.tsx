import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Icon } from '../../../kit/controls/Icon.tsx';
import { useMedia } from '../../../kit/browser/use-media.ts';
import { useWidth } from '../../../kit/browser/use-size.ts';
import { Bars } from './Bars.tsx';
import type { VisitFacts, VisitTimes } from './facts.ts';
import { layoutOf, momentAt, type Paint, slowed, UNTIMED_READ_MS } from './picture.ts';
import { Row } from './Row.tsx';

interface MovingRowProps {
  readonly facts: VisitFacts;
  /** undefined while nobody knows whether there are any */
  readonly times: VisitTimes | null | undefined;
  /** the ways on: they share a line with what stops the movement */
  readonly children: ReactNode;
}

/** A row of the matrix on its way into the format's arrays, and the bytes of both formats as they are read. */
export function MovingRow({ facts, times, children }: MovingRowProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const pace = slowed(times?.b ?? null);
  const readMs = pace?.readMs ?? UNTIMED_READ_MS;
  const painters = useRef<Record<'row' | 'bars', Paint | null>>({ row: null, bars: null });
  const clock = useClock(readMs, painters);
  const isLow = useMedia('(height < 54rem)');
  const flight = isLow || width < NARROW ? 52 : 84;
  const layout = useMemo(() => (width === 0 ? null : layoutOf(width, flight)), [width, flight]);
  return (
    <>
      <div ref={frame} className="visit-row" style={{ height: layoutOf(Math.max(MIN, width), flight).height }}>
        {layout && (
          <Row
            facts={facts}
            layout={layout}
            isNarrow={width < NARROW}
            onPaint={(paint) => {
              painters.current.row = paint;
              clock.repaint();
            }}
          />
        )}
      </div>
      <Bars
        facts={facts}
        times={times}
        by={pace?.by ?? null}
        onPaint={(paint) => {
          painters.current.bars = paint;
          clock.repaint();
        }}
      />
      <div className="visit-ways">
        {children}
        <button type="button" className="button visit-pause" onClick={clock.toggle}>
          <Icon name={clock.state === 'moving' ? 'pause' : 'play'} />
          <span>{clock.state === 'moving' ? 'Pause' : clock.state === 'paused' ? 'Go on' : 'Again'}</span>
        </button>
      </div>
    </>
  );
}

/** Before the first measurement; the height hardly depends on the width. */
const MIN = 320;

/** Below, there is room for fewer words. */
const NARROW = 640;

/** A frame that was late, as of a page that was hidden, makes up for no more than this. */
const MAX_STEP_MS = 100;

/** Runs the picture twice, unless there is to be less motion; then it rests at its end. */
function useClock(readMs: number, painters: { readonly current: Readonly<Record<string, Paint | null>> }) {
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const [wanted, setWanted] = useState<'moving' | 'paused' | 'over'>(() => 'moving');
  const [asked, setAsked] = useState(false);
  const state = isStill && !asked ? 'over' : wanted;
  const now = useRef({ ms: 0, runs: undefined as number | undefined });
  const latest = useRef(readMs);
  const paint = useRef(() => {});
  useEffect(() => {
    // What is known late keeps the share of the run that has passed.
    now.current.ms *= readMs / latest.current;
    latest.current = readMs;
    paint.current = () => {
      const over = { ms: Number.POSITIVE_INFINITY, isOver: true };
      const moment = state === 'over' ? over : momentAt(now.current.ms, readMs, now.current.runs);
      for (const one of Object.values(painters.current)) one?.(moment, readMs);
      if (moment.isOver && state === 'moving') setWanted('over');
    };
    paint.current();
    if (state !== 'moving') return undefined;
    let before: number | null = null;
    let frame = requestAnimationFrame(function step(at) {
      now.current.ms += Math.min(MAX_STEP_MS, at - (before ?? at));
      before = at;
      paint.current();
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [state, readMs, painters]);
  return {
    state,
    repaint: () => paint.current(),
    toggle: () => {
      if (state === 'over') now.current = { ms: 0, runs: 1 };
      setAsked(true);
      setWanted(state === 'moving' ? 'paused' : 'moving');
    },
  };
}
