import type { DecoderConfig, DecoderWeights } from '../../language/decoder.ts';
import type { Tokens } from '../../language/tokens.ts';

/** A model that was read. */
export interface LoadedModel {
  readonly id: string;
  readonly config: DecoderConfig;
  readonly weights: DecoderWeights;
  readonly tokens: Tokens;
}
