import { percent } from '../../../kit/words/quantity.ts';
import { LiveSlider } from '../../../kit/forms/LiveSlider.tsx';

export interface PruneSliderProps {
  readonly label: string;
  /** share of cells to keep */
  readonly density: number;
  /** called when the slider is released, not while it moves */
  readonly onChange: (density: number) => void;
  /** called with every value while the slider moves; null: it is back at its old value */
  readonly onMove?: (density: number | null) => void;
}

/** The share of cells that is zero after pruning, in steps of half a percent. */
export function PruneSlider({ label, density, onChange, onMove }: PruneSliderProps) {
  return (
    <LiveSlider
      label={label}
      value={1 - density}
      min={0}
      max={0.995}
      step={0.005}
      format={percent}
      describe={(pruned) => `${percent(pruned)} of the cells are zero`}
      onChange={(pruned) => {
        const next = densityOf(pruned);
        if (next !== density) onChange(next);
      }}
      onMove={(pruned) => {
        const next = densityOf(pruned);
        onMove?.(next === density ? null : next);
      }}
    />
  );
}

/** The share to keep, without floating-point residue. */
function densityOf(pruned: number): number {
  return Number((1 - pruned).toFixed(4));
}
