// Test helper: the passes of every stage of a chain (a decoder on the GPU), as planned for a device.

import type { PassPlan } from '../../../src/core/kernel/kernel.ts';
import { cachePass, attentionPass, manyAttentionPass, mergePass } from '../decoders/chain/attention-stages.ts';
import { actPass, packPass } from '../decoders/chain/feed-forward-stages.ts';
import { addPass, beginPass } from '../decoders/chain/norm-stages.ts';
import { samplingPasses } from '../decoders/chain/sampling-stages.ts';
import type { StageDevice } from '../decoders/chain/stage-device.ts';
import type { DecoderConfig } from '../decoders/decoder.ts';

const CONFIG: DecoderConfig = {
  name: 'tiny',
  hidden: 12,
  intermediate: 16,
  layers: 1,
  heads: 2,
  kvHeads: 1,
  headDim: 6,
  vocabulary: 10_000,
  gated: true,
  positions: 0,
  tied: false,
  biases: [],
  normEps: 1e-5,
  activation: 'silu',
  rotary: { theta: 10_000, pairing: 'halves', scaling: null },
  context: 1000,
  bos: null,
  eos: [],
};

/** Every stage of a chain, as planned for a device. */
export function passes(device: StageDevice): readonly PassPlan[] {
  const piece = { at: 0, stride: 24 };
  const shape = {
    config: CONFIG,
    pieces: { q: piece, k: piece, v: piece },
    context: 1000,
    isBiased: false,
    tokens: 2,
    isUnscaled: false,
  };
  return [
    beginPass(CONFIG, { stride: 12, type: 'f16' }, { first: 0, rows: 9 }, 2, device),
    addPass(CONFIG, true, 2, device),
    cachePass(shape, device),
    attentionPass(shape, { fillsCache: false, inSpans: true }, device),
    attentionPass({ ...shape, tokens: 1, isUnscaled: true }, { fillsCache: true, inSpans: false }, device),
    attentionPass({ ...shape, tokens: 1 }, { fillsCache: true, inSpans: true }, device),
    mergePass(shape, device),
    mergePass({ ...shape, tokens: 1 }, device),
    packPass(CONFIG, 2),
    ...[manyAttentionPass(shape, device)].filter((pass) => pass !== null),
    actPass({ ...shape, pieces: { gate: piece, up: piece } }, device),
    actPass({ ...shape, pieces: { gate: piece, up: piece }, tokens: 1, isUnscaled: true }, device),
    ...samplingPasses(
      { ...CONFIG, vocabulary: 100 },
      1000,
      { table: { stride: 12, type: 'f16' }, isUnscaled: true },
      device,
    ),
    ...samplingPasses(CONFIG, 1000, null, device),
  ];
}
