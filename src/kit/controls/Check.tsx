import type { ReactNode } from 'react';

interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
  readonly className?: string;
  readonly describedBy?: string;
  readonly children: ReactNode;
}

/** A checkbox with its label after it. */
export function Check(props: CheckProps) {
  const { checked, onChange, disabled = false, className, describedBy, children } = props;
  return (
    <label className={className === undefined ? 'check' : `check ${className}`}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {children}
    </label>
  );
}

/** The list without the item if it contained it, else with the item at its end. */
export function toggled<T>(list: readonly T[], item: T): readonly T[] {
  return list.includes(item) ? list.filter((other) => other !== item) : [...list, item];
}
