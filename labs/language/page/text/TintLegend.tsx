import { TINTS, tintStyle } from './lost-bits.ts';

/** The legend of the tint behind tokens of the dense text: the bits that the pruned model loses at each. */
export function TintLegend() {
  return (
    <p className="tint-legend flex items-center text-muted text-12">
      <span className="me-2">bits lost at a token</span>
      {TINTS.map((bits, i) => (
        <span key={bits} className="number min-w-6.5 px-1 text-ink text-center" style={tintStyle(i + 1)}>
          {bits}
        </span>
      ))}
    </p>
  );
}
