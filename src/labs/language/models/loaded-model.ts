import type { DecoderConfig, DecoderWeights } from '../decoders/decoder.ts';
import type { ModelTokenizer } from '../decoders/tokenizer.ts';

/** A model in memory. */
export interface LoadedModel {
  readonly id: string;
  readonly config: DecoderConfig;
  readonly weights: DecoderWeights;
  readonly tokens: ModelTokenizer;
}
