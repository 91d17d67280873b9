import { type ReactNode, useId } from 'react';

/** Properties for the control of a field, so that screen readers read label, hint and error with it. */
export interface FieldControl {
  readonly id: string;
  readonly title?: string | undefined;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: boolean | undefined;
}

export interface FieldProps {
  readonly label: ReactNode;
  /** below the control */
  readonly hint?: ReactNode;
  /** the error message; null if there is none, absent if there cannot be one */
  readonly error?: string | null;
  /** an explanation, shown while the pointer rests on the field */
  readonly title?: string | undefined;
  readonly className?: string | undefined;
  readonly children: (control: FieldControl) => ReactNode;
  /** below hint and error */
  readonly foot?: ReactNode;
}

/** A control with its label above it, and its hint and error below. */
export function Field({ label, hint, error, title, className, children, foot }: FieldProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={className === undefined ? 'field' : `field ${className}`}>
      <label className="text-muted" htmlFor={id} title={title}>
        {label}
      </label>
      {children({
        id,
        title,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error === undefined ? undefined : error !== null,
      })}
      {error && (
        <p id={`${id}-error`} className="field-error" role="alert">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {foot}
    </div>
  );
}
