import { useState } from 'react';
import { NumberInput } from '../../kit/controls/NumberInput.tsx';

interface LayerNumbersProps {
  readonly layers: number;
  readonly layer: number;
  readonly onChoose: (layer: number) => void;
  readonly onHover: (layer: number | null) => void;
}

/** Numbers in a line. */
const PER_LINE = 8;

/** So many layers have a button each; of more, one is typed. */
const MAX_BUTTONS = 256;

/** The layers of a model by their numbers. */
export function LayerNumbers({ layers, layer, onChoose, onHover }: LayerNumbersProps) {
  const [typed, setTyped] = useState<number | null>(layer);
  if (layers > MAX_BUTTONS) {
    return (
      <form
        className="chooser-typed-layer"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed !== null) onChoose(typed);
        }}
      >
        <NumberInput
          label="layer"
          value={typed ?? layer}
          min={0}
          max={layers - 1}
          whole
          onChange={setTyped}
          onValidity={(isValid) => {
            if (!isValid) setTyped(null);
          }}
        />
        <button type="submit" className="button button--solid" disabled={typed === null}>
          Take
        </button>
      </form>
    );
  }
  return (
    <div className="chooser-numbers" role="listbox" aria-label="Layer" onPointerLeave={() => onHover(null)}>
      {Array.from({ length: layers }, (_, number) => (
        <button
          // Layers are their numbers.
          // oxlint-disable-next-line react/no-array-index-key
          key={number}
          type="button"
          role="option"
          className="number"
          aria-label={`layer ${number}`}
          aria-selected={number === layer}
          tabIndex={number === layer ? 0 : -1}
          onPointerEnter={() => onHover(number)}
          onFocus={() => onHover(number)}
          onClick={() => onChoose(number)}
        >
          {number}
        </button>
      ))}
    </div>
  );
}

LayerNumbers.perLine = PER_LINE;
