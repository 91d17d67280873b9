import { type KeyboardEvent, type PointerEvent, useId, useMemo, useRef } from 'react';
import { valueBits } from '../../../theory/expected-bytes.ts';
import { type ArraySlot, BYTE_MARK, GAP_MARK, type RowLayout } from './row-animation.ts';
import { gapTop, isLit, type Lit, litColumns, litSlots, type RowByte, rowBytes } from './row-bytes.ts';
import type { VisitFacts } from './visit-facts.ts';

/** A hovered or focused cell or byte: its text, and the cells and slots that light up with it. */
export interface Hovered extends Lit {
  /** the byte, by its line and its number there; null: a cell */
  readonly byte: { readonly line: LineId; readonly index: number } | null;
  readonly text: string;
}

/** The lines of bytes: of the cells in format B, of the values in format A, and of its numbers of empty columns. */
type LineId = 'cells' | 'values' | 'gaps';

interface ByteLinesProps {
  readonly facts: VisitFacts;
  readonly layout: RowLayout;
  readonly slots: readonly ArraySlot[];
  readonly weightText: (column: number) => string;
  readonly hovered: Hovered | null;
  readonly onHover: (hovered: Hovered | null) => void;
}

/** The bytes of the row in format B, and of the array of format A: its values, and the numbers of empty columns. */
export function ByteLines({ facts, layout, slots, weightText, hovered, onHover }: ByteLinesProps) {
  const { a, b, slotBits, entries } = facts;
  const { columns, cell, rowY, arrayY } = layout;
  const [bits, denseBits] = [valueBits(a.params), valueBits(b.params)];
  const gapBits = slotBits - bits;
  const nonZeroColumns = useMemo(() => new Set(entries.map(({ column }) => column)), [entries]);
  const slotText = ({ entry, isZero }: ArraySlot): string =>
    isZero ? `a stored zero before weight ${entry.column + 1}` : weightText(entry.column);
  const lines = useMemo(
    () => [
      {
        id: 'cells' as const,
        name: `${b.format.title} ${String(b.params.valueType)}`,
        list: rowBytes(layout, columns, denseBits),
        y: rowY + cell + BYTE_MARK.space,
        height: BYTE_MARK.height,
      },
      {
        id: 'values' as const,
        name: a.format.title,
        list: rowBytes(layout, slots.length, bits),
        y: arrayY + cell + BYTE_MARK.space,
        height: BYTE_MARK.height,
      },
      {
        id: 'gaps' as const,
        name: `${a.format.title}’s counts`,
        list: gapBits > 0 ? rowBytes(layout, slots.length, gapBits) : [],
        y: arrayY + gapTop(layout) - 1,
        height: GAP_MARK.bar + 2,
      },
    ],
    [a, b, layout, columns, denseBits, bits, gapBits, slots, rowY, arrayY, cell],
  );
  return lines.map(({ id, name, list, y, height }) => {
    const text = (byte: number): string => {
      const { from, to } = list[byte];
      const range = Array.from({ length: to - from }, (_, k) => from + k);
      const words =
        id === 'cells'
          ? range.map(weightText)
          : range.map((slot) => (id === 'values' ? slotText(slots[slot]) : gapText(slots[slot])));
      return `byte ${byte + 1} of ${name}: ${words.join(', ')}`;
    };
    return (
      <RowBytes
        key={id}
        {...{ id, list, y, height, text }}
        label={`${list.length} bytes of ${name}`}
        tone={
          id === 'gaps'
            ? 'none'
            : (byte) => (id === 'cells' && !nonZeroColumns.has(list[byte].from) ? 'zero' : 'values')
        }
        lit={id === 'cells' ? hovered?.columns : hovered?.slots}
        active={hovered?.byte?.line === id ? hovered.byte.index : null}
        onHover={(byte) => {
          if (byte === null) return onHover(null);
          const { from, to } = list[byte];
          const range = Array.from({ length: to - from }, (_, k) => from + k);
          const lit = id === 'cells' ? litColumns(range, slots) : litSlots({ from, to }, slots);
          onHover({ ...lit, byte: { line: id, index: byte }, text: text(byte) });
        }}
      />
    );
  });
}

function gapText({ entry, gap }: ArraySlot): string {
  return `${gap} empty before weight ${entry.column + 1}`;
}

interface RowBytesProps {
  readonly id: LineId;
  readonly label: string;
  readonly list: readonly RowByte[];
  /** px from the top of the picture */
  readonly y: number;
  readonly height: number;
  /** cells or slots that light up: their bytes are outlined */
  readonly lit: ReadonlySet<number> | undefined;
  /** how a byte is drawn; none: its bar is drawn already */
  readonly tone: 'none' | ((byte: number) => 'zero' | 'values');
  readonly text: (byte: number) => string;
  /** the hovered byte; null: none of these */
  readonly active: number | null;
  readonly onHover: (byte: number | null) => void;
}

/** A line of bytes: one stop of Tab, then arrow keys. */
function RowBytes({ id, label, list, y, height, lit, tone, text, active, onHover }: RowBytesProps) {
  const domId = useId();
  const last = useRef(0);
  const hover = (byte: number): void => {
    last.current = byte;
    onHover(byte);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = Math.min(active ?? last.current, list.length - 1);
    const next = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: list.length - 1 }[event.key];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (next >= 0 && next < list.length) hover(next);
  };
  // A finger captures the pointer: the byte below it is found by its position.
  const onPointer = ({ clientX, clientY }: PointerEvent): void => {
    const [line, byte] = document.elementFromPoint(clientX, clientY)?.getAttribute('data-row-byte')?.split(' ') ?? [];
    if (line === id) hover(Number(byte));
  };
  if (list.length === 0) return null;
  return (
    <g
      className="visit-bytes"
      transform={`translate(0 ${y})`}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={active === null ? undefined : `${domId}-${active}`}
      onFocus={() => hover(Math.min(last.current, list.length - 1))}
      onBlur={() => onHover(null)}
      onKeyDown={onKeyDown}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onPointerLeave={({ pointerType }) => {
        // What a finger has touched stays.
        if (pointerType !== 'touch') onHover(null);
      }}
    >
      {list.map(({ x, width, from, to }, byte) => (
        <g key={x}>
          {tone !== 'none' && (
            <rect
              className={tone(byte) === 'zero' ? 'fill-[url(#visit-hatch)]' : 'fill-values'}
              fillOpacity={tone(byte) === 'zero' ? 1 : 0.6}
              x={x}
              width={width}
              height={height}
            />
          )}
          {isLit({ from, to }, lit) && (
            <rect className="fill-none stroke-ink" strokeWidth={1.5} x={x} width={width} height={height} />
          )}
          {/* Higher than the byte, so that a finger finds it. */}
          <rect
            id={`${domId}-${byte}`}
            className="fill-none"
            pointerEvents="all"
            role="option"
            aria-selected={byte === active}
            aria-label={text(byte)}
            data-row-byte={`${id} ${byte}`}
            x={x}
            y={-2}
            width={width + 1}
            height={height + 3}
          />
        </g>
      ))}
    </g>
  );
}
