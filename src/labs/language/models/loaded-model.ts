import type { DecoderConfig, DecoderWeights } from '../decoders/decoder.ts';
import type { Tokens } from '../decoders/tokens.ts';

/** A model in memory. */
export interface LoadedModel {
  readonly id: string;
  readonly config: DecoderConfig;
  readonly weights: DecoderWeights;
  readonly tokens: Tokens;
}
