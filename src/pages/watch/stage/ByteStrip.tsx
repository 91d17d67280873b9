import './byte-strip.css';
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { ByteClass } from '../../../core/encoded/ledger.ts';
import { countText, bytesText, valueText } from '../../../core/text/words.ts';
import { cellOfMark } from '../../../story/scene-parts.ts';
import type { StoredArray } from '../../../story/stored-bytes.ts';
import type { Trace } from '../../../story/trace.ts';
import { type LoadedStory, visibleStory } from '../../../state/index.ts';
import { useApp } from '../../../kit/app-context.ts';
import type { Side } from '../use-sides.ts';
import { bitGroups, byteText, cellsText, namesOfByte, rangesText } from './byte-words.ts';

/** Bytes of an array that are drawn: a window of 64 x 64 has at most four times as many in any array. */
const MAX_BYTES = 2048;

interface ByteStripProps {
  /** the formats in the picture: A, or A and B */
  readonly sides: readonly Side[];
  /** whether names of elements begin with their side, as in a picture of two formats */
  readonly isJoined: boolean;
}

/**
 * Every byte of the arrays of the formats in the picture. Pointing at a byte, or moving to it with the arrow keys, lights
 * its cell and its number in the picture, and writes its bits; pointing at a cell of the picture lights its bytes here.
 */
export function ByteStrip({ sides, isJoined }: ByteStripProps) {
  return (
    <div className="byte-strips flex-none sticky z-3 bg-ground grid gap-1">
      {sides.map((side) => {
        const loaded = visibleStory(side.story);
        return loaded?.story.bytes ? (
          <FormatBytes
            key={side.side}
            title={side.name}
            isNamed={sides.length > 1}
            loaded={loaded}
            side={isJoined ? side.side : null}
          />
        ) : null;
      })}
    </div>
  );
}

/** A byte of an array, by their indices. */
interface Pointed {
  readonly array: number;
  readonly byte: number;
}

interface FormatBytesProps {
  /** name of the format */
  readonly title: string;
  /** whether its name stands before what is pointed at: two formats are shown */
  readonly isNamed: boolean;
  readonly loaded: LoadedStory;
  readonly side: 'a' | 'b' | null;
}

/** The arrays of one format, byte by byte, and a line about the byte or the cell that is pointed at. */
function FormatBytes({ title, isNamed, loaded: { story, trace }, side }: FormatBytesProps) {
  const { hover } = useApp();
  const mark = useStore(hover, (state) => state.mark);
  const arrays = useMemo(() => story.bytes?.(trace) ?? [], [story, trace]);
  const byName = useMemo(() => bytesByName(arrays, side), [arrays, side]);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const root = useRef<HTMLElement>(null);
  const corner = trace.origin ?? ORIGIN;
  const total = arrays.reduce((sum, { bytes }) => sum + bytes.length, 0);
  // After a change of the window, the array may no longer have the byte.
  const current = pointed && pointed.byte < (arrays[pointed.array]?.bytes.length ?? 0) ? pointed : null;
  const isPointedHere = current !== null && mark?.id === markId(side, arrays[current.array], current.byte);
  const lit = useMemo(
    () => (mark?.highlightNames ? litBytes(mark.highlightNames, byName, arrays) : NONE),
    [mark, byName, arrays],
  );

  // Marked without React: it would compare some hundred elements at every move of the pointer.
  useEffect(() => {
    const elements = [...lit].flatMap((key) => [
      ...(root.current?.querySelectorAll<HTMLElement>(`[data-byte='${key}']`) ?? []),
    ]);
    for (const element of elements) element.dataset.lit = '';
    return () => {
      for (const element of elements) delete element.dataset.lit;
    };
  }, [lit]);

  const point = (next: Pointed | null): void => {
    setPointed(next);
    if (next === null) return hover.setState({ mark: null });
    const array = arrays[next.array];
    hover.setState({
      mark: {
        id: markId(side, array, next.byte),
        shape: 'box',
        x: 0,
        y: 0,
        w: 1,
        h: 1,
        tone: array.byteClass,
        label: byteText(array, next.byte, corner),
        highlightNames: [...namesOfByte(array, next.byte, side), classKey(side, classOf(array, next.byte))],
      },
    });
  };
  return (
    <section ref={root} aria-label={`${title}: every byte`}>
      <p className="byte-words text-13 leading-5 min-h-5 flex gap-x-2 min-w-0 text-muted whitespace-nowrap overflow-hidden">
        {isNamed && (isPointedHere || lit.size > 0) && <b className="text-ink">{title}</b>}
        {isPointedHere && current ? (
          <ByteWords array={arrays[current.array]} byte={current.byte} corner={corner} />
        ) : mark && (lit.size > 0 || cellOfMark(mark.id)) ? (
          <CellWords {...{ lit, arrays, trace }} cell={mark.id} />
        ) : (
          <span>
            {title} stores these cells in {bytesText(total)}. Point at a byte, or at a cell.
          </span>
        )}
      </p>
      <div className="flex flex-wrap gap-x-4" style={{ '--bytes': Math.max(1, total), '--arrays': arrays.length }}>
        {arrays.map((array, i) => (
          <ArrayBytes
            key={array.name}
            array={array}
            index={i}
            corner={corner}
            active={isPointedHere && current?.array === i ? current.byte : null}
            onPoint={(byte) => point(byte === null ? null : { array: i, byte })}
            onLeaveTo={(by) => {
              const lists = [...(root.current?.querySelectorAll<HTMLElement>('[role="listbox"]') ?? [])];
              lists[i + by]?.focus({ preventScroll: true });
            }}
          />
        ))}
      </div>
    </section>
  );
}

const ORIGIN = { row: 0, col: 0 };
const NONE: ReadonlySet<string> = new Set();

const markId = (side: string | null, { name }: StoredArray, byte: number): string =>
  `${side ?? ''} ${name} byte ${byte}`;
/** The name of all bytes of one purpose, as the segments of byte bars have it. */
const classKey = (side: 'a' | 'b' | null, byteClass: string): string =>
  `${side === null ? '' : `${side} `}bytes ${byteClass}`;

/** The purpose of a byte. */
function classOf(array: StoredArray, byte: number): ByteClass {
  const elements = array.elementsOf(byte);
  return elements.length > 0 && elements.every(({ isPadding }) => isPadding) ? 'padding' : array.byteClass;
}

/** By name of an element or cell: its bytes, as 'array byte'. */
function bytesByName(arrays: readonly StoredArray[], side: 'a' | 'b' | null): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  arrays.forEach((array, i) => {
    for (let byte = 0; byte < Math.min(MAX_BYTES, array.bytes.length); byte++) {
      for (const name of namesOfByte(array, byte, side)) {
        const bytes = found.get(name);
        if (bytes) bytes.push(`${i} ${byte}`);
        else found.set(name, [`${i} ${byte}`]);
      }
    }
  });
  return found;
}

/** The bytes that a mark of the picture shows; of a segment of a byte bar, all of its purpose. */
function litBytes(
  about: readonly string[],
  byName: ReadonlyMap<string, readonly string[]>,
  arrays: readonly StoredArray[],
): ReadonlySet<string> {
  const byteClass = about.length === 1 ? /^(?:[ab] )?bytes (\w+)$/.exec(about[0])?.[1] : undefined;
  if (byteClass === undefined) return new Set(about.flatMap((name) => byName.get(name) ?? []));
  return new Set(
    arrays.flatMap((array, i) =>
      Array.from({ length: Math.min(MAX_BYTES, array.bytes.length) }, (_, byte) => byte).flatMap((byte) =>
        classOf(array, byte) === byteClass ? [`${i} ${byte}`] : [],
      ),
    ),
  );
}

interface ByteWordsProps {
  readonly array: StoredArray;
  readonly byte: number;
  readonly corner: { readonly row: number; readonly col: number };
}

/** 'values, byte 4: 1011 0011, values[2] = 0.13, row 464, column 262' */
function ByteWords({ array, byte, corner }: ByteWordsProps) {
  return (
    <>
      <span>
        <b className="text-ink">{array.name}</b>, byte {countText(byte)} of {countText(array.bytes.length)}
      </span>
      <code className="flex gap-x-1 text-ink">
        {bitGroups(array, byte).map(({ bits, name }, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- a group is its position in the byte
          <span key={i} className={`bytes-text--${array.byteClass} font-semibold`} title={name}>
            {bits}
          </span>
        ))}
      </code>
      <span className="text-ink truncate">{byteText(array, byte, corner)}</span>
    </>
  );
}

interface CellWordsProps {
  readonly lit: ReadonlySet<string>;
  readonly arrays: readonly StoredArray[];
  readonly trace: Trace;
  /** id of the mark that is pointed at */
  readonly cell: string;
}

/** 'row 464, column 262: 0.13, in values, bytes 4 to 5, and deltas, byte 1' */
function CellWords({ lit, arrays, trace, cell: id }: CellWordsProps) {
  const cell = cellOfMark(id);
  const places = arrays.flatMap(({ name }, i) => {
    const bytes = [...lit].flatMap((key) => (key.startsWith(`${i} `) ? [Number(key.slice(key.indexOf(' ') + 1))] : []));
    return bytes.length === 0 ? [] : [`${name}, ${rangesText(bytes.toSorted((a, b) => a - b))}`];
  });
  return (
    <>
      {cell && (
        <b className="text-ink">
          {cellsText([cell], trace.origin ?? ORIGIN)}: {valueText(valueIn(trace, cell))}
        </b>
      )}
      <span className="text-ink truncate">{places.length === 0 ? 'in no byte' : places.join('; ')}</span>
    </>
  );
}

/** The value of a cell of the window. */
function valueIn({ window }: Trace, { row, col }: { readonly row: number; readonly col: number }): number {
  const buffer = { columns: new Uint32Array(window.cols), values: new Float32Array(window.cols) };
  const n = window.readRow(row, buffer);
  const at = buffer.columns.subarray(0, n).indexOf(col);
  return at < 0 ? 0 : buffer.values[at];
}

interface ArrayBytesProps {
  readonly array: StoredArray;
  readonly index: number;
  readonly corner: { readonly row: number; readonly col: number };
  /** the byte that is pointed at; null: none of this array */
  readonly active: number | null;
  readonly onPoint: (byte: number | null) => void;
  /** moves the focus to the array before (-1) or after (1) */
  readonly onLeaveTo: (by: -1 | 1) => void;
}

/** The bytes of an array as small boxes: one stop of Tab, then arrow keys. */
function ArrayBytes({ array, index, corner, active, onPoint, onLeaveTo }: ArrayBytesProps) {
  const id = useId();
  const last = useRef(0);
  const count = Math.min(MAX_BYTES, array.bytes.length);
  const point = (byte: number): void => {
    last.current = byte;
    onPoint(byte);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = Math.min(active ?? last.current, count - 1);
    const next = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: count - 1 }[event.key];
    const arrayStep = { ArrowUp: -1, ArrowDown: 1 }[event.key] as -1 | 1 | undefined;
    if ((next === undefined && arrayStep === undefined) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (arrayStep !== undefined) onLeaveTo(arrayStep);
    else if (next !== undefined && next >= 0 && next < count) point(next);
  };
  // A finger captures the pointer: the byte below it is found by its position.
  const onPointer = ({ clientX, clientY }: PointerEvent): void => {
    const key = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-byte]')?.dataset.byte;
    if (key?.startsWith(`${index} `)) point(Number(key.slice(key.indexOf(' ') + 1)));
  };
  // Bytes do not change while one is pointed at.
  const boxes = useMemo(
    () =>
      Array.from({ length: count }, (_, byte) => {
        const elements = array.elementsOf(byte);
        const isFirst = elements.length > 0 && elements[0].bits[0] >= 8 * byte;
        return { text: byteText(array, byte, corner), byteClass: classOf(array, byte), isFirst };
      }),
    [array, corner, count],
  );
  return (
    <div className="min-w-0 flex gap-x-2 items-start">
      <p className="text-12 text-muted leading-5 whitespace-nowrap">
        <b className={`bytes-text--${array.byteClass} font-medium`}>{array.name}</b>{' '}
        {count < array.bytes.length ? `the first ${countText(count)} of ` : ''}
        {bytesText(array.bytes.length)}
      </p>
      <div
        className="byte-row flex flex-wrap min-w-0"
        role="listbox"
        aria-orientation="horizontal"
        aria-label={`${array.name}, ${bytesText(array.bytes.length)}`}
        tabIndex={0}
        aria-activedescendant={active === null ? undefined : `${id}-${active}`}
        onFocus={() => point(Math.min(last.current, count - 1))}
        onBlur={() => onPoint(null)}
        onKeyDown={onKeyDown}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={({ pointerType, currentTarget }) => {
          // What a finger has touched stays.
          if (pointerType !== 'touch' && !currentTarget.matches(':focus-visible')) onPoint(null);
        }}
      >
        {boxes.map(({ text, byteClass, isFirst }, byte) => (
          <span
            // oxlint-disable-next-line react/no-array-index-key -- a byte is its position
            key={byte}
            id={`${id}-${byte}`}
            role="option"
            aria-selected={byte === active}
            aria-label={`byte ${byte}: ${text}`}
            className={`bytes--${byteClass}`}
            data-byte={`${index} ${byte}`}
            data-first={isFirst || undefined}
          />
        ))}
      </div>
    </div>
  );
}
