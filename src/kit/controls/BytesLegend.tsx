interface BytesLegendProps {
  /** purposes of bytes, as in the names of their colours, with words for them */
  readonly of: readonly (readonly [role: string, text: string])[];
}

/** What the colours of bars of bytes mean. */
export function BytesLegend({ of }: BytesLegendProps) {
  return (
    <p className="flex wrap gap-1-3 quiet size-12" aria-hidden="true">
      {of.map(([role, text]) => (
        <span key={role}>
          <span className={`swatch me-1 bytes--${role}`} />
          {text}
        </span>
      ))}
    </p>
  );
}
