import { useId, useState } from 'react';

interface LiveSliderProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** the text of the value, next to the slider */
  readonly format: (value: number) => string;
  /** the text for screen readers; default: the text of the value */
  readonly describe?: (value: number) => string;
  /** called when the slider is released, not while it moves */
  readonly onChange: (value: number) => void;
  /** called with every value that the slider passes */
  readonly onMove?: ((value: number) => void) | undefined;
}

/** A slider that reports its value while it moves and when it is released. A new `value` moves it, unless it is dragged. */
export function LiveSlider(props: LiveSliderProps) {
  const { label, value, min, max, step, format, describe = format, onChange, onMove } = props;
  const id = useId();
  const [position, setPosition] = useState(value);
  const [moving, setMoving] = useState(false);
  const [lastValue, setLastValue] = useState(value);
  // Updated instead of replaced, so that it keeps the focus and a drag continues.
  if (lastValue !== value) {
    setLastValue(value);
    if (!moving) setPosition(value);
  }
  const commit = (): void => {
    setMoving(false);
    if (position !== value) onChange(position);
  };
  const move = (to: number): void => {
    setMoving(true);
    setPosition(to);
    onMove?.(to);
  };
  return (
    <div className="grid grid-cols-[1fr_auto] items-baseline gap-y-1 gap-x-2">
      <label htmlFor={id}>{label}</label>
      <output htmlFor={id} className="number">
        {format(position)}
      </output>
      <input
        id={id}
        className="slider col-span-full"
        type="range"
        min={min}
        max={max}
        step={step}
        value={position}
        style={{ '--share': `${((position - min) / (max - min)) * 100}%` }}
        aria-valuetext={describe(position)}
        onChange={(event) => move(Number(event.currentTarget.value))}
        onPointerUp={commit}
        onKeyUp={commit}
        onBlur={commit}
      />
    </div>
  );
}
