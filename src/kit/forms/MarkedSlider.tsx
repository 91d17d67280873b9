import './marked-slider.css';
import { type ReactNode, useId } from 'react';

interface SliderMark {
  readonly name: string;
  /** position along the track, from 0 to 1 */
  readonly position: number;
  readonly color?: string;
  readonly title?: string;
}

interface MarkedSliderProps {
  /** the text of the value, next to the slider */
  readonly children: ReactNode;
  /** the slider's purpose, for screen readers */
  readonly name: string;
  /** the value in words, for screen readers */
  readonly text: string;
  readonly value: number;
  readonly max: number;
  readonly step: number;
  readonly marks: readonly SliderMark[];
  readonly onMove: (value: number) => void;
  /** called when the slider is released */
  readonly onCommit?: () => void;
}

/** A slider from 0 to `max` with named marks below its track. */
export function MarkedSlider({ children, name, text, value, max, step, marks, onMove, onCommit }: MarkedSliderProps) {
  const id = useId();
  return (
    <div className="marked-slider grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 mt-2 max-sm:grid-cols-[minmax(0,1fr)]">
      {/* Wide enough that the track stays in place while the words change. */}
      <label htmlFor={id} className="text-15 whitespace-nowrap min-w-40 leading-6">
        {children}
      </label>
      <div className="relative pb-4.5">
        {/* The thumb is above the marks, and as large as a finger on a phone. */}
        <input
          id={id}
          className="slider relative z-1 block max-sm:h-10 focus-visible:outline-none"
          type="range"
          min={0}
          max={max}
          step={step}
          value={value}
          style={{ '--share': `${(100 * value) / max}%` }}
          aria-label={name}
          aria-valuetext={text}
          onChange={(event) => onMove(Number(event.currentTarget.value))}
          onPointerUp={onCommit}
          onKeyUp={onCommit}
          onBlur={onCommit}
        />
        {/* The names of the first and the last mark end at the ends of the track. */}
        {marks.map(({ name: markName, position, color, title }) => (
          <span
            key={markName}
            className="marked-slider-mark absolute top-[1.375rem] left-[calc(100%*var(--at))] [transform:translateX(calc(-100%*var(--at)))] text-12 whitespace-nowrap max-sm:top-[1.875rem]"
            style={{ '--at': position, ...(color !== undefined && { color }) }}
            title={title}
          >
            {markName}
          </span>
        ))}
      </div>
    </div>
  );
}
