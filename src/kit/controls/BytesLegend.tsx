/** A legend of the colours in bars of bytes: a swatch and a text for each role of bytes, such as 'values'. */
export function BytesLegend({ roles }: { readonly roles: readonly (readonly [role: string, text: string])[] }) {
  return (
    <p className="flex flex-wrap gap-y-1 gap-x-3 text-muted text-12" aria-hidden="true">
      {roles.map(([role, text]) => (
        <span key={role}>
          <span className={`swatch me-1 bytes--${role}`} />
          {text}
        </span>
      ))}
    </p>
  );
}
