import { type PointerEvent, useRef } from 'react';

interface LayerColumnProps {
  readonly layers: number;
  /** null: none of them, such as for lm_head */
  readonly layer: number | null;
  readonly isLevel: boolean;
  readonly onChoose: (layer: number) => void;
  /** the press or drag that chose is over */
  readonly onRelease: (layer: number) => void;
  readonly onHover: (layer: number | null) => void;
}

/** Bars that are drawn at most; of more layers each stands for several. */
const MAX_BARS = 96;

/** The layers from the first on, as a slider: one press or drag chooses one. */
export function LayerColumn({ layers, layer, isLevel, onChoose, onRelease, onHover }: LayerColumnProps) {
  const track = useRef<HTMLDivElement>(null);
  const bars = Math.min(layers, MAX_BARS);
  const at = (event: PointerEvent): number => {
    const box = track.current?.getBoundingClientRect();
    if (!box || box.height === 0) return layer ?? 0;
    return Math.min(layers - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * layers)));
  };
  const isDrawn = (bar: number): boolean => layer !== null && Math.floor((layer / layers) * bars) === bar;
  return (
    <div className="chooser-layers" data-level={isLevel || undefined}>
      {/* The keys of the chooser move it, as they move every choice. */}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus */}
      <div
        ref={track}
        className="chooser-layer-track"
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
          onChoose(at(event));
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) onChoose(at(event));
          else if (event.pointerType === 'mouse') onHover(at(event));
        }}
        onPointerUp={(event) => onRelease(at(event))}
        onPointerLeave={() => onHover(null)}
      >
        {Array.from({ length: bars }, (_, bar) => (
          // Bars have no order but this one.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={bar} className="chooser-layer" data-chosen={isDrawn(bar) || undefined} />
        ))}
      </div>
      <div className="chooser-layer-names number" aria-hidden="true">
        {marksOf(layers, layer).map((mark) => (
          <span
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

/** The numbers beside the bars: evenly apart, the last one, and the chosen one in place of those too near to it. */
function marksOf(layers: number, layer: number | null): readonly number[] {
  const steps = [1, 2, 4, 5, 10, 20, 50];
  const step = steps.find((one) => layers / one <= 9) ?? Math.ceil(layers / 8);
  const last = layers - 1;
  const even = Array.from({ length: Math.ceil(layers / step) }, (_, i) => i * step).filter(
    (mark) => last - mark >= 0.6 * step,
  );
  const marks = [...even, last];
  if (layer === null) return marks;
  return [...marks.filter((mark) => mark === layer || Math.abs(mark - layer) > 0.7 * step), layer]
    .filter((mark, i, all) => all.indexOf(mark) === i)
    .toSorted((a, b) => a - b);
}
