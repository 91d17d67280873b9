import { useId } from 'react';

interface SegmentedProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly {
    readonly value: T;
    readonly label: string;
    readonly disabled?: boolean;
    readonly title?: string;
  }[];
  readonly onChange: (value: T) => void;
}

/** A choice among a few options: radio buttons drawn as a single control. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className="segmented-field">
      <legend className="legend">{label}</legend>
      <div className="segmented">
        {options.map((option) => (
          <label key={option.value} title={option.title}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              disabled={option.disabled ?? false}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
