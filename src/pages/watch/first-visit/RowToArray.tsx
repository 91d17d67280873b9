import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { bitsAsBytes } from '../../../kit/words/quantity.ts';
import { valueBits } from '../../../theory/expected-bytes.ts';
import type { VisitFacts } from './visit-facts.ts';
import type { RowWeight, RowLayout, Instant, PaintInstant, ArraySlot } from './row-animation.ts';
import { eased, flightOf, trailOpacity, GAP_MARK, slotsOf, toneOf, flightPath } from './row-animation.ts';
import { ByteLines, type Hovered } from './ByteLines.tsx';
import { gapTop, litColumns } from './row-bytes.ts';
import { valueText } from '../../../core/text/words.ts';

interface RowToArrayProps {
  readonly facts: VisitFacts;
  readonly layout: RowLayout;
  /** switches a weight off, or on */
  readonly onToggle: (column: number) => void;
  readonly onPaint: (paint: PaintInstant | null) => void; // receives a function that draws an instant; null on removal
}

/** The parts of the picture that `paint` moves. */
interface MovingElements {
  readonly cells: readonly SVGGElement[];
  /** one for each slot of the array */
  readonly slotElements: readonly SVGGElement[];
  /** for each non-zero weight, what flies from its cell to its slot, and the trail behind it */
  readonly flying: readonly SVGGElement[];
  readonly trails: readonly SVGPathElement[];
  readonly head: SVGGElement | null; // the marker that reads the cells
}

function movingElements(picture: SVGSVGElement): MovingElements {
  const all = <E extends SVGElement>(part: string): E[] => [...picture.querySelectorAll<E>(`[data-part='${part}']`)];
  return {
    cells: all('cell'),
    slotElements: all('slot'),
    flying: all('flying'),
    trails: all('trail'),
    head: all<SVGGElement>('head')[0] ?? null,
  };
}

/** The picture of the first screen: a row of the matrix and, below, format A's array, into which the non-zeros fly. */
export function RowToArray({ facts, layout, onToggle, onPaint }: RowToArrayProps) {
  const { columns, pitch, cell, rowY, width, height } = layout;
  const { a, b, slotBits } = facts;
  const entries = useMemo(() => facts.entries.filter(({ column }) => column < columns), [facts, columns]);
  const byColumn = useMemo(() => new Map(entries.map((entry) => [entry.column, entry])), [entries]);
  // A slot contains a weight or a stored zero, and the number of empty columns before it (`gap`).
  const slots = useMemo(() => slotsOf(facts, entries), [facts, entries]);
  const max = facts.entries.reduce((largest, { value }) => Math.max(largest, Math.abs(value)), 0);
  const gapText: string = a.format.headline?.storedPerWeight?.says(a.params) ?? 'its place';
  const [bits, gapBits] = [valueBits(a.params), slotBits - valueBits(a.params)];
  const denseBits = valueBits(b.params);
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const weightText = (column: number): string => {
    const entry = byColumn.get(column);
    return `weight ${column + 1}: ${entry ? valueText(entry.value) : 'zero'}`;
  };
  const picture = useRef<SVGSVGElement>(null);
  /** column of the cell that Tab focuses */
  const [tabColumn, setTabColumn] = useState(0);
  const onKeyDown = (event: KeyboardEvent<SVGGElement>, column: number): void => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (direction === undefined && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    if (direction === undefined) return onToggle(column);
    const next = (column + direction + columns) % columns;
    setTabColumn(next);
    picture.current?.querySelectorAll<SVGGElement>("[data-part='cell']")[next]?.focus();
  };
  useEffect(() => {
    const moving = picture.current && movingElements(picture.current);
    onPaint((instant, readMs) => moving && paint(moving, layout, { entries, slots }, instant, readMs));
    return () => onPaint(null);
  }, [entries, slots, layout, onPaint]);
  const weight = ({ value }: RowWeight): ReactNode => <Weight cell={cell} share={Math.abs(value) / max} />;
  return (
    <>
      <p className="absolute top-0 max-w-full truncate text-muted text-15 leading-5 min-h-6">
        {hovered ? (
          <span className="text-ink">{hovered.text}</span>
        ) : (
          <>
            {columns} of its weights: <b className="text-ink">{bitsAsBytes(columns * denseBits)}</b>
          </>
        )}
      </p>
      <svg
        ref={picture}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={`Of ${columns} weights of a row, ${entries.length} move into an array, each with ${gapText}.`}
      >
        <pattern id="visit-hatch" width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className="fill-cell" width={5} height={5} />
          <rect className="fill-padding" fillOpacity={0.45} width={1.5} height={5} />
        </pattern>
        {Array.from({ length: columns }, (_, column) => {
          const entry = byColumn.get(column);
          return (
            <g
              key={column}
              data-part="cell"
              className="visit-cell visit-switch cursor-pointer outline-none"
              data-at="ahead"
              transform={`translate(${column * pitch} ${rowY})`}
              role="button"
              tabIndex={column === Math.min(tabColumn, columns - 1) ? 0 : -1}
              aria-label={weightText(column)}
              onClick={() => onToggle(column)}
              onFocus={() => setTabColumn(column)}
              onPointerEnter={() => {
                const lit = litColumns([column], slots);
                setHovered({ ...lit, byte: null, text: weightText(column) });
              }}
              onPointerLeave={() => setHovered(null)}
              onKeyDown={(event) => onKeyDown(event, column)}
            >
              {/* The whole cell can be pressed, however small its weight is drawn. */}
              <rect className="fill-none" pointerEvents="all" width={pitch} height={cell} />
              {entry && <Ghost cell={cell} />}
              <g className="visit-what [transition:opacity_0.25s]">{entry ? weight(entry) : <Zero cell={cell} />}</g>
              {hovered?.columns.has(column) && <Outline cell={cell} />}
            </g>
          );
        })}
        <Slots {...{ slots, layout, weight }} lit={hovered?.slots ?? NO_SLOTS} />
        <ByteLines {...{ facts, layout, slots, weightText, hovered }} onHover={setHovered} />
        {entries.map(({ column }) => (
          <path key={column} data-part="trail" className="fill-none stroke-[2px] stroke-values" />
        ))}
        {entries.map((entry) => (
          <g key={entry.column} data-part="flying" style={{ visibility: 'hidden' }}>
            {weight(entry)}
          </g>
        ))}
        <g data-part="head" className="fill-ink">
          <path d={`M-5 0h10l-5 6zM-1 3h2v${cell + rowY + 4}h-2z`} />
        </g>
      </svg>
      <p className="min-h-9 pt-1 pr-12 leading-[1.45] text-ink text-15 max-sm:text-13 text-pretty">
        <b>{a.format.title}</b> stores each weight in{' '}
        <span className="bytes-text--values font-medium">{bits} bits</span>, and in{' '}
        <span className="bytes-text--indices font-medium">{gapBits} more</span> how many empty columns precede it:{' '}
        <b>{bitsAsBytes(slots.length * slotBits)}</b>
      </p>
    </>
  );
}

const NO_SLOTS: ReadonlySet<number> = new Set();

interface SlotsProps {
  readonly slots: readonly ArraySlot[];
  readonly layout: RowLayout;
  readonly weight: (entry: RowWeight) => ReactNode;
  /** slots that are outlined */
  readonly lit: ReadonlySet<number>;
}

/** The array of format A: its values, and below each the number of empty columns before it. */
function Slots({ slots, layout, weight, lit }: SlotsProps) {
  const { cell, pitch, arrayY } = layout;
  const gapY = gapTop(layout);
  return (
    <>
      {slots.map(({ entry, gap, isZero }, slot) => (
        <g
          key={slot}
          data-part="slot"
          className="visit-cell"
          data-at="empty"
          transform={`translate(${slot * pitch} ${arrayY})`}
        >
          <Slot cell={cell} gapY={gap === null ? null : gapY} />
          <g className="visit-what [transition:opacity_0.25s]">
            {isZero ? <Zero cell={cell} /> : weight(entry)}
            {gap !== null && (
              <>
                <rect className="fill-indices" y={gapY} width={cell} height={GAP_MARK.bar} rx={2} />
                {gap > 0 && (
                  <text
                    className="fill-(--indices-text)"
                    x={cell / 2}
                    y={gapY + GAP_MARK.bar + 11}
                    textAnchor="middle"
                    dominantBaseline="central"
                  >
                    {gap}
                  </text>
                )}
              </>
            )}
          </g>
          {lit.has(slot) && <Outline cell={cell} />}
        </g>
      ))}
    </>
  );
}

/** Draws an instant: which cells have been read (all after `readMs`), which weights fly, and which slots are filled. */
function paint(
  { cells, slotElements, flying, trails, head }: MovingElements,
  layout: RowLayout,
  { entries, slots }: { readonly entries: readonly RowWeight[]; readonly slots: readonly ArraySlot[] },
  { ms, isOver }: Instant,
  readMs: number,
): void {
  const { columns, pitch, cell, width } = layout;
  const read = Math.min(1, ms / readMs) * columns;
  head?.setAttribute('transform', `translate(${Math.min(width, read * pitch) - 1.5} 0)`);
  head?.style.setProperty('visibility', isOver ? 'hidden' : 'visible');
  cells.forEach((element, column) => setPhase(element, isOver ? 'rest' : column + 1 <= read ? 'gone' : 'ahead'));
  const arrived = new Set(entries.filter(({ column }) => flightOf(layout, column, ms, readMs) === 1));
  slots.forEach(({ entry }, slot) => setPhase(slotElements[slot], arrived.has(entry) ? 'there' : 'empty'));
  entries.forEach((entry, i) => {
    const { column } = entry;
    const share = flightOf(layout, column, ms, readMs);
    const isFlying = share > 0 && share < 1;
    flying[i].style.setProperty('visibility', isFlying ? 'visible' : 'hidden');
    trails[i].style.setProperty('opacity', String(0.45 * trailOpacity(layout, column, ms, readMs)));
    if (!isFlying) return;
    const slot = slots.findLastIndex((candidate) => candidate.entry === entry);
    const points = flightPath(layout, column, slot, eased(share));
    const [x, y] = points[points.length - 1];
    flying[i].setAttribute('transform', `translate(${x - cell / 2} ${y - cell / 2})`);
    trails[i].setAttribute('d', `M${points[0].join(' ')}C${points.slice(1).flat().join(' ')}`);
  });
}

function setPhase(element: SVGGElement, at: string): void {
  if (element.dataset.at !== at) element.dataset.at = at;
}

/** A weight as a square of `cell` px; `share`: its magnitude over the largest one. */
function Weight({ cell, share }: { readonly cell: number; readonly share: number }) {
  return (
    <>
      <rect className="fill-ground" width={cell} height={cell} rx={3} />
      <rect className="fill-values" width={cell} height={cell} rx={3} fillOpacity={toneOf(share)} />
    </>
  );
}

/** A zero: hatched, as in the bar of all bytes. */
function Zero({ cell }: { readonly cell: number }) {
  return <rect className="fill-[url(#visit-hatch)]" width={cell} height={cell} rx={3} />;
}

/** What a weight leaves in its cell: a pale square of its colour. */
function Ghost({ cell }: { readonly cell: number }) {
  return <rect className="visit-ghost fill-values" fillOpacity={0.14} width={cell} height={cell} rx={3} />;
}

/** A slot that waits for its weight. */
function Slot({ cell, gapY }: { readonly cell: number; readonly gapY: number | null }) {
  const frame = { className: 'visit-ghost fill-none stroke-hairline', x: 0.5, width: cell - 1 };
  return (
    <>
      <rect {...frame} y={0.5} height={cell - 1} rx={3} />
      {gapY !== null && <rect {...frame} y={gapY + 0.5} height={GAP_MARK.bar - 1} rx={2} />}
    </>
  );
}

/** Around a hovered cell or slot. */
function Outline({ cell }: { readonly cell: number }) {
  return (
    <rect
      className="fill-none stroke-ink pointer-events-none"
      strokeWidth={1.5}
      x={-1}
      y={-1}
      width={cell + 2}
      height={cell + 2}
      rx={4}
    />
  );
}
