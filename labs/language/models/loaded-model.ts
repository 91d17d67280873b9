import type { DecoderConfig, DecoderWeights } from '../decoders/decoder.ts';
import type { ModelTokenizer } from '../decoders/tokenizer.ts';

/** A language model (it writes text), loaded into memory: configuration, weights and tokenizer. */
export interface LoadedModel {
  readonly id: string;
  readonly config: DecoderConfig;
  readonly weights: DecoderWeights;
  readonly tokenizer: ModelTokenizer;
}
