import type { ReactNode } from 'react';

interface FieldGroupProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Checks and fields that answer one question, under a head like a section's. */
export function FieldGroup({ title, aside, className, children }: FieldGroupProps) {
  return (
    <fieldset className={className}>
      <legend className="section-head">
        <span className="legend">{title}</span>
        {aside && <span className="aside">{aside}</span>}
      </legend>
      {children}
    </fieldset>
  );
}
