import { type DecoderConfig, isRotary } from '../decoder.ts';

/**
 * Why the decoder on the GPU, a chain of kernels, cannot compute a model, as found and expected; null if it can. The
 * CPU decodes such a model instead.
 */
export function chainRejection(config: DecoderConfig): string | null {
  const text = (found: string, expected: string): string =>
    `${config.name}: found ${found}, expected ${expected} for the GPU`;
  if (config.norm === 'layer') return text('layer norms', 'norms by the root mean square');
  if (!isRotary(config)) return text('learned positions', 'rotary ones');
  if (!config.gated) return text('a feed-forward block without a gate', 'one with a gate');
  if (config.activation === 'gelu') return text('GELU', 'SiLU or ReLU');
  if (config.window === undefined || config.window >= config.context) return null;
  return text(`a window of ${config.window} tokens`, 'attention to all tokens before');
}
