import block from './block-times.json';

/** Shares of the neurons that fired in a recorded feed-forward block, rising, and how many times as fast as dense it was. */
export const BLOCK_SPEEDS: readonly { readonly share: number; readonly speed: number }[] = block.rows.map(
  ({ nonZeros, denseMs, ms }) => ({ share: nonZeros / block.neurons, speed: denseMs / ms }),
);

/** What was recorded, and on which card. */
export const RECORDED_BLOCK = block;

/**
 * How many times as fast as dense the recorded block would be where this share of its neurons fires. Between two recorded
 * shares its time is taken to grow by as much for every neuron; null outside of them, where nothing was measured.
 */
export function blockSpeed(share: number): number | null {
  const at = share * block.neurons;
  const next = block.rows.findIndex(({ nonZeros }) => nonZeros >= at);
  if (next < 0 || (next === 0 && block.rows[0].nonZeros > at)) return null;
  const above = block.rows[next];
  const below = block.rows[Math.max(0, next - 1)];
  const fraction = above === below ? 0 : (at - below.nonZeros) / (above.nonZeros - below.nonZeros);
  const between = (a: number, b: number): number => a + fraction * (b - a);
  return between(below.denseMs, above.denseMs) / between(below.ms, above.ms);
}
