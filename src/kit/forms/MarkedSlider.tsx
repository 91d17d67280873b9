import './marked-slider.css';
import { type ReactNode, useId } from 'react';

interface SliderMark {
  readonly name: string;
  /** position along the track, from 0 to 1 */
  readonly at: number;
  readonly color?: string;
  readonly title?: string;
}

interface MarkedSliderProps {
  /** the text of the value beside the slider */
  readonly children: ReactNode;
  /** its purpose, and its value in words, for people who cannot see it */
  readonly name: string;
  readonly text: string;
  readonly value: number;
  readonly max: number;
  readonly step: number;
  readonly marks: readonly SliderMark[];
  readonly onMove: (value: number) => void;
  /** called when it is released */
  readonly onCommit?: () => void;
}

/** A slider from 0 to `max` with named marks below its track. */
export function MarkedSlider({ children, name, text, value, max, step, marks, onMove, onCommit }: MarkedSliderProps) {
  const id = useId();
  return (
    <div className="marked-slider mt-2">
      <label htmlFor={id} className="text-15 whitespace-nowrap">
        {children}
      </label>
      <div className="marked-slider-track relative">
        <input
          id={id}
          className="slider"
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
        {marks.map(({ name: own, at, color, title }) => (
          <span
            key={own}
            className="marked-slider-mark absolute text-12 whitespace-nowrap"
            style={{ '--at': at, ...(color !== undefined && { color }) }}
            title={title}
          >
            {own}
          </span>
        ))}
      </div>
    </div>
  );
}
