import type { ReactNode } from 'react';

interface CheckProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
  readonly title?: string;
  readonly className?: string;
  /** read as a switch: it takes effect at once */
  readonly isSwitch?: boolean;
  readonly describedBy?: string;
  /** label of the box */
  readonly children: ReactNode;
}

/** A box to check, with its label behind it. */
export function Check(props: CheckProps) {
  const { checked, onChange, disabled = false, title, className, isSwitch = false, describedBy, children } = props;
  return (
    <label className={className === undefined ? 'check' : `check ${className}`} title={title}>
      <input
        type="checkbox"
        {...(isSwitch && { role: 'switch', 'aria-checked': checked })}
        checked={checked}
        disabled={disabled}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {children}
    </label>
  );
}

/** A list with an item added to its end, or removed where it was in it. */
export function toggled<T>(list: readonly T[], item: T): readonly T[] {
  return list.includes(item) ? list.filter((other) => other !== item) : [...list, item];
}
