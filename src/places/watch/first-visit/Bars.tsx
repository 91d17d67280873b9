import { type ReactNode, useEffect, useRef } from 'react';
import { countText } from '../../../core/story/words.ts';
import { cssTextColorOf } from '../../../kit/format-color.ts';
import { percent, time } from '../../../kit/words/quantity.ts';
import type { VisitFacts, VisitTimes } from './facts.ts';
import type { Paint } from './picture.ts';
import { megabytes } from './visit-words.ts';

interface BarsProps {
  readonly facts: VisitFacts;
  readonly times: VisitTimes | null | undefined;
  /** how much slower than it is */
  readonly by: number | null;
  readonly onPaint: (paint: Paint | null) => void;
}

/** The bytes of both formats; what has been read of them is full. */
export function Bars({ facts, times, by, onPaint }: BarsProps) {
  const { a, b, leftBytes } = facts;
  const bars = useRef<(HTMLElement | null)[]>([]);
  const soFar = useRef<HTMLElement>(null);
  useEffect(() => {
    const sides = times && [times.b, times.a];
    onPaint(({ ms, isOver }, readMs) => {
      const ns = isOver ? Number.POSITIVE_INFINITY : Math.min(1, ms / readMs) * (times?.b ?? 0);
      bars.current.forEach((bar, i) => {
        const share = times === undefined ? 0 : sides ? Math.min(1, ns / sides[i]) : 1;
        bar?.style.setProperty('--read', String(share));
      });
      if (soFar.current && times) soFar.current.textContent = time(Math.min(ns, times.b));
    });
    return () => onPaint(null);
  }, [times, onPaint]);
  const bar = (side: typeof a, i: number, ns: number | undefined): ReactNode => {
    const own = Math.min(1, leftBytes / side.bytes);
    const { title } = side.format;
    return (
      <div className="visit-bar" key={i}>
        <p className="visit-bar-name">
          <b style={{ color: cssTextColorOf(side.format.id) }}>{title}</b> <span>{detailOf(side, i === 0)}</span>
        </p>
        <div
          className="visit-bar-room"
          ref={(element) => {
            bars.current[i] = element;
          }}
        >
          <div
            className="visit-bar-whole"
            style={{ '--width': side.bytes / b.bytes, '--own': own }}
            data-rest={i === 0 ? 'zeros' : 'places'}
          >
            <i />
            <i />
          </div>
          <p className="visit-bar-figures" style={{ '--width': side.bytes / b.bytes }}>
            <b>
              <span className="visit-bar-short">
                {title} {String(side.params.valueType)},{' '}
              </span>
              {megabytes(side.bytes)}
            </b>{' '}
            <span>{ns === undefined ? '' : time(ns)}</span>
          </p>
        </div>
      </div>
    );
  };
  return (
    <div className="visit-bars">
      <p className="visit-caption">
        <b>What the GPU has to read</b>
        <span className="visit-slower">
          for each word{by !== null && `, shown ${countText(by)} times slower than it is`}
        </span>
        {times && (
          <span className="visit-so-far">
            <span>so far</span> <b ref={soFar} />
          </span>
        )}
      </p>
      {bar(b, 0, times?.b)}
      {bar(a, 1, times?.a)}
      <ul className="visit-key" aria-label="Colours">
        <li>weights that are left</li>
        <li data-of="zeros">zeros, {percent(1 - facts.left, 0)}</li>
        <li data-of="places">where they are</li>
      </ul>
    </div>
  );
}

/** 'f16, zeros too', 'f16, 4 bits' */
function detailOf({ params }: VisitFacts['a'], isWhole: boolean): string {
  const [type, ...rest] = [
    params.valueType,
    ...Object.entries(params).flatMap(([name, v]) => (name === 'valueType' ? [] : [v])),
  ];
  return [String(type), ...(isWhole ? ['zeros too'] : rest.map((bits) => `${String(bits)} bits`))].join(', ');
}
