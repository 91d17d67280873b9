// Fuzz target for the reader of a model's config.json, from which the page takes the sizes of its matrices.

import { ReadError } from '../../src/core/errors.ts';
import { threadPace } from '../../src/core/pace.ts';
import { defaultParams } from '../../src/core/format.ts';
import type { Random } from '../../src/core/number/random.ts';
import { formats } from '../../src/formats/registry.ts';
import { modelBytes } from '../../src/theory/models/model-bytes.ts';
import { readModelConfig } from '../../src/theory/models/model-config.ts';
import { type ModelShape, weightsOf } from '../../src/theory/models/model-shape.ts';
import { modelOfSizes, sizesText } from '../../src/theory/models/model-sizes.ts';
import { modelFormats } from '../../src/pages/compare/model/model-formats.ts';
import { type Json, mutatedJson, smallerJson } from '../json.ts';
import { pick } from '../pieces.ts';
import { defineTarget, type Fault, SILENT_STEPS } from '../target.ts';
import { errorFault, messageFault } from '../words.ts';

/** A valid config.json of a Llama model. */
const LLAMA = {
  _name_or_path: 'meta-llama/Llama-2-7b-hf',
  model_type: 'llama',
  hidden_size: 4096,
  intermediate_size: 11008,
  num_attention_heads: 32,
  num_hidden_layers: 32,
  num_key_value_heads: 8,
  head_dim: 128,
  attention_bias: false,
  tie_word_embeddings: false,
  vocab_size: 32000,
};

/** Valid files, which mutations begin with. */
const ORIGINALS: readonly string[] = [
  LLAMA,
  { ...LLAMA, model_type: 'qwen2' },
  { model_type: 'gemma3', tie_word_embeddings: true, text_config: { ...LLAMA, model_type: 'gemma3_text' } },
  {
    model_type: 'opt',
    ffn_dim: 16384,
    hidden_size: 4096,
    max_position_embeddings: 2048,
    num_attention_heads: 32,
    num_hidden_layers: 32,
    vocab_size: 50272,
    word_embed_proj_dim: 4096,
  },
  { model_type: 'gpt2', n_embd: 768, n_head: 12, n_inner: null, n_layer: 12, n_positions: 1024, vocab_size: 50257 },
].map((config) => JSON.stringify(config));

/** Values that mutations put into a file. */
const HOSTILE_VALUES: readonly ((random: Random) => Json)[] = [
  () => null,
  () => [],
  () => ({}),
  (random) => random.below(2) === 0,
  (random) => pick(random, [0, -0, -1, 0.5, 1, 2, 3, 7, 2 ** 24, 2 ** 24 + 1, 2 ** 53, 1e308, 5e-324]),
  (random) => pick(random, ['', '64', 'NaN', '__proto__', 'constructor', '\u202e', '\ud800', 'mixtral', 'opt', 'gpt2']),
  (random) => `${pick(random, ['/', '\\', 'a/', 'ü', '\ud83d\ude00']).repeat(pick(random, [1, 61, 300_000]))}a`,
  (random) => {
    let nested: Json = 1;
    for (let i = pick(random, [3, 3000]); i > 0; i--) nested = [nested];
    return nested;
  },
];

/** Checks a file: it is rejected with a ReadError, or its sizes can be written to an address, and every format has a size in bytes. */
async function check(text: string): Promise<Fault | null> {
  let model: ModelShape;
  try {
    model = readModelConfig(text, 'config.json');
  } catch (error) {
    return errorFault(error, ReadError);
  }
  const fault = messageFault(model.name);
  if (fault) return fault;
  const sizes = sizesText(model);
  // Throws for text that an address cannot contain, such as half of a surrogate pair.
  encodeURIComponent(sizes);
  const readBack = modelOfSizes(sizes);
  if (JSON.stringify(readBack) !== JSON.stringify(model)) {
    return { law: 'a link carries the model', message: `${sizes}: found ${JSON.stringify(readBack)}` };
  }
  if (!Number.isFinite(weightsOf(model))) return { law: 'sizes are finite numbers', message: sizes };
  for (const format of modelFormats(formats)) {
    await threadPace.pause();
    const stored = { format, params: defaultParams(format.params), fusion: 'fused', keepHead: true } as const;
    for (const density of [0.02, 0.5, 1]) {
      const bytes = modelBytes(model, { ...stored, density })?.readStored;
      if (bytes === undefined || !Number.isFinite(bytes) || bytes < 0) {
        return { law: 'sizes are finite numbers', message: `${format.id}, ${sizes}: ${bytes} at ${density}` };
      }
    }
  }
  return null;
}

/** The target 'models': config.json with malicious contents. */
export const modelsTarget = defineTarget<string>({
  id: 'models',
  unit: 'models',
  share: 0.05,
  maxSteps: SILENT_STEPS,
  generate: (random) =>
    JSON.stringify(mutatedJson(random, JSON.parse(pick(random, ORIGINALS)) as Json, HOSTILE_VALUES)),
  check,
  smaller: smallerJson,
  toJson: (text) => text,
  fromJson: String,
});
