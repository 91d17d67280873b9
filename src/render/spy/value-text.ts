/** A value in at most `chars` characters, with a real minus sign; null if not even one digit fits. */
export function shortValue(value: number, chars: number): string | null {
  if (Number.isNaN(value)) return chars >= 3 ? 'NaN' : null;
  if (!Number.isFinite(value)) return chars >= 2 ? (value > 0 ? '∞' : '−∞') : null;
  const sign = value < 0 ? '−' : '';
  const room = chars - sign.length;
  const magnitude = Math.abs(value);
  for (let decimals = 3; decimals >= 0; decimals--) {
    const text = magnitude.toFixed(decimals);
    // A non-zero value does not become a zero by rounding.
    if (text.length <= room && (Number(text) !== 0 || magnitude === 0)) return sign + text;
  }
  const exponent = magnitude.toExponential(0).replace('e+', 'e').replace('e-', 'e−');
  return exponent.length <= room ? sign + exponent : null;
}
