import { useId, useState } from 'react';
import { percent } from '../parts/quantity.ts';

export interface PruneSliderProps {
  readonly label: string;
  /** share of cells that is kept */
  readonly density: number;
  /** called when the slider is let go, not while it moves */
  readonly onChange: (density: number) => void;
  /** called with every place that the slider passes; null: it is back where it was */
  readonly onMove?: (density: number | null) => void;
}

/** The share of cells that is zero after pruning, in steps of half a percent. */
export function PruneSlider({ label, density, onChange, onMove }: PruneSliderProps) {
  const id = useId();
  const [pruned, setPruned] = useState(() => 1 - density);
  const commit = (): void => {
    const next = densityOf(pruned);
    if (next !== density) onChange(next);
  };
  const move = (to: number): void => {
    setPruned(to);
    const next = densityOf(to);
    onMove?.(next === density ? null : next);
  };
  return (
    <div className="slider-field">
      <label htmlFor={id}>{label}</label>
      <output htmlFor={id} className="number">
        {percent(pruned)}
      </output>
      <input
        id={id}
        className="slider"
        type="range"
        min={0}
        max={0.995}
        step={0.005}
        value={pruned}
        style={{ '--share': `${(pruned / 0.995) * 100}%` }}
        aria-valuetext={`${percent(pruned)} of the cells are zero`}
        onChange={(event) => move(Number(event.currentTarget.value))}
        onPointerUp={commit}
        onKeyUp={commit}
        onBlur={commit}
      />
    </div>
  );
}

/** The share that is kept, without what is left over from floating-point arithmetic. */
function densityOf(pruned: number): number {
  return Number((1 - pruned).toFixed(4));
}
