import { useId, useState } from 'react';
import { percent } from '../parts/quantity.ts';

export interface PruneSliderProps {
  readonly label: string;
  /** share of cells that is kept */
  readonly density: number;
  /** called when the slider is let go, not while it moves */
  readonly onChange: (density: number) => void;
}

/** The share of cells that is zero after pruning, in steps of half a percent. */
export function PruneSlider({ label, density, onChange }: PruneSliderProps) {
  const id = useId();
  const [pruned, setPruned] = useState(() => 1 - density);
  const commit = (): void => {
    const next = Number((1 - pruned).toFixed(4));
    if (next !== density) onChange(next);
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
        onChange={(event) => setPruned(Number(event.currentTarget.value))}
        onPointerUp={commit}
        onKeyUp={commit}
        onBlur={commit}
      />
    </div>
  );
}
