import { type PointerEvent, useRef } from 'react';

interface LayerColumnProps {
  readonly layers: number;
  /** null: no layer, as for lm_head */
  readonly layer: number | null;
  readonly isWholeLayer: boolean;
  readonly onChoose: (layer: number) => void;
  /** Called when the press or drag that chose a layer ends. */
  readonly onRelease: (layer: number) => void;
  readonly onHover: (layer: number | null) => void;
}

/** Maximum number of bars; with more layers a bar represents several. */
const MAX_BARS = 96;

/** The column 'Layer': all layers as a slider; a press or a drag chooses one. */
export function LayerColumn({ layers, layer, isWholeLayer, onChoose, onRelease, onHover }: LayerColumnProps) {
  const track = useRef<HTMLDivElement>(null);
  const bars = Math.min(layers, MAX_BARS);
  const layerAt = (event: PointerEvent): number => {
    const box = track.current?.getBoundingClientRect();
    if (!box || box.height === 0) return layer ?? 0;
    return Math.min(layers - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * layers)));
  };
  const isChosen = (bar: number): boolean => layer !== null && Math.floor((layer / layers) * bars) === bar;
  return (
    <div className="grid grid-cols-[4.25rem_2rem] gap-3 h-78" data-level={isWholeLayer || undefined}>
      {/* The keys of the matrix picker move the slider, as they move every choice. */}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div
        ref={track}
        className="grid auto-rows-[1fr] cursor-pointer touch-none"
        data-many={bars >= 60 || undefined}
        role="slider"
        tabIndex={0}
        aria-label="Layer"
        aria-orientation="vertical"
        aria-valuemin={0}
        aria-valuemax={layers - 1}
        aria-valuenow={layer ?? 0}
        aria-valuetext={layer === null ? 'in no layer' : `${layer} of ${layers}`}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          onChoose(layerAt(event));
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) onChoose(layerAt(event));
          else if (event.pointerType === 'mouse') onHover(layerAt(event));
        }}
        onPointerUp={(event) => onRelease(layerAt(event))}
        onPointerLeave={() => onHover(null)}
      >
        {Array.from({ length: bars }, (_, bar) => (
          // The position of a bar is its only identity.
          // oxlint-disable-next-line react/no-array-index-key
          <span
            key={bar}
            className="bg-track w-[88%] border-ground border-b-2 in-data-many:border-b data-chosen:bg-values data-chosen:w-full"
            data-chosen={isChosen(bar) || undefined}
          />
        ))}
      </div>
      <div className="text-muted relative number" aria-hidden="true">
        {layerMarks(layers, layer).map((mark) => (
          <span
            className="absolute -translate-y-1/2 data-chosen:text-ink data-chosen:font-semibold"
            key={mark}
            data-chosen={mark === layer || undefined}
            style={{ insetBlockStart: `${((mark + 0.5) / layers) * 100}%` }}
          >
            {mark}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Layers from one number next to the bars to the following. */
const MARK_STEPS = [1, 2, 4, 5, 10, 20, 50];
/** Maximum number of evenly spaced numbers. */
const MAX_MARKS = 9;
/** Smallest distance of numbers from the last one and from the chosen one, in steps; closer texts would overlap. */
const MIN_END_GAP = 0.6;
const MIN_CHOSEN_GAP = 0.7;

/** The layer numbers next to the bars: evenly spaced, the last one, and the chosen one instead of near ones. */
function layerMarks(layers: number, layer: number | null): readonly number[] {
  const step = MARK_STEPS.find((candidate) => layers / candidate <= MAX_MARKS) ?? Math.ceil(layers / (MAX_MARKS - 1));
  const last = layers - 1;
  const even = Array.from({ length: Math.ceil(layers / step) }, (_, i) => i * step).filter(
    (mark) => last - mark >= MIN_END_GAP * step,
  );
  const marks = [...even, last];
  if (layer === null) return marks;
  return [...marks.filter((mark) => mark === layer || Math.abs(mark - layer) > MIN_CHOSEN_GAP * step), layer]
    .filter((mark, i, all) => all.indexOf(mark) === i)
    .toSorted((a, b) => a - b);
}
