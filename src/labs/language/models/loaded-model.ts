import type { DecoderConfig, DecoderWeights } from '../decoders/decoder.ts';
import type { ModelTokenizer } from '../decoders/tokenizer.ts';

/** A model that writes, in memory: configuration, weights and tokenizer. */
export interface LoadedModel {
  readonly id: string;
  readonly config: DecoderConfig;
  readonly weights: DecoderWeights;
  readonly tokens: ModelTokenizer;
}
