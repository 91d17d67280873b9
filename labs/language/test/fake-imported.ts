// Test data: an imported model, the plan for importing it, and a request to write with a shipped model.

import type { ImportedModel } from '../models/imported-model.ts';
import type { ModelPlan } from '../models/imported-models.ts';
import type { WriteRequest } from '../page/service/types.ts';
import type { DecoderConfig } from '../decoders/decoder.ts';

const CONFIG: DecoderConfig = {
  name: 'Tiny',
  hidden: 576,
  intermediate: 1536,
  layers: 30,
  heads: 9,
  kvHeads: 3,
  headDim: 64,
  vocabulary: 49_152,
  gated: true,
  positions: 0,
  tied: true,
  biases: [],
  normEps: 1e-5,
  activation: 'silu',
  rotary: { theta: 10_000, pairing: 'halves', scaling: null },
  context: 2048,
  bos: 1,
  eos: [2],
};

/** For tests: the properties of an inspected model. */
export const PLAN: ModelPlan = {
  config: CONFIG,
  from: 'huggingface.co/org/tiny',
  kind: 'safetensors',
  files: [
    { name: 'config.json', bytes: 1e6 },
    { name: 'model.safetensors', bytes: 39e6 },
  ],
  bytes: 40e6,
  memoryBytes: 650e6,
  weightBytes: 4,
  weights: 134_515_008,
  notOnGpu: null,
};

/** For tests: the same model after it was imported. */
export const BROUGHT_MODEL: ImportedModel = {
  id: 'brought:Tiny-1a2b',
  config: CONFIG,
  from: PLAN.from,
  files: ['config.json', 'model.safetensors'],
  bytes: PLAN.bytes,
  notOnGpu: null,
  isKept: false,
};

/** For tests: a request for a text by the smallest model of the page. */
export const WRITE_REQUEST: WriteRequest = {
  model: { id: 'tales-small', url: 'labs/language/public/models/tales-small/' },
  pruning: { way: 'rows', density: 0.5 },
  format: 'macko',
  params: {},
  prompt: 'One day, Omar',
  seed: 3,
  temperature: 0.8,
  count: 24,
};
