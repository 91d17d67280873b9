import type { ReactNode } from 'react';

interface CheckboxProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
  readonly className?: string;
  readonly describedBy?: string;
  readonly children: ReactNode;
}

/** A checkbox with its label after it. */
export function Checkbox(props: CheckboxProps) {
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
