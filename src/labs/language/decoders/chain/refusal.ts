import { type DecoderConfig, isRotary } from '../decoder.ts';

/** Why the kernels of a chain cannot compute a model, which the CPU then decodes, as found and expected; null if they can. */
export function chainRefusal(config: DecoderConfig): string | null {
  const has = (found: string, expected: string): string =>
    `${config.name}: found ${found}, expected ${expected} for the GPU`;
  if (config.norm === 'layer') return has('layer norms', 'norms by the root mean square');
  if (!isRotary(config)) return has('learned positions', 'rotary ones');
  if (!config.gated) return has('a feed-forward block without a gate', 'one with a gate');
  if (config.activation === 'gelu') return has('GELU', 'SiLU or ReLU');
  if (config.window === undefined || config.window >= config.context) return null;
  return has(`a window of ${config.window} tokens`, 'attention to all tokens before');
}
