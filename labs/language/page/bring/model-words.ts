// Texts about language models that the user imports: facts, sizes, storage.

import { bytesText, countText } from '../../../../src/core/text/words.ts';
import type { ImportedModel } from '../../models/imported-model.ts';
import type { ModelPlan } from '../../models/imported-models.ts';
import { weightsText } from '../../../../src/kit/words/model-sizes.ts';
import type { DecoderConfig } from '../../decoders/decoder.ts';
import { type ModelShape, weightsOf } from '../../../../src/theory/models/model-shape.ts';
import { IMPORTED_ID_PREFIX } from '../../theory/imported.ts';
import type { StorageSpace } from './storage-space.ts';

/** Bytes of a weight in f16. */
const F16 = 2;

/**
 * Returns a text about the blocks of a model: '30 blocks, 576 wide, feed-forward 1,536 with a gate, 9 heads on 3'
 * (key-value heads).
 */
function blocksText({ layers, hidden, intermediate, gated, heads, kvHeads }: DecoderConfig): string {
  const shared = kvHeads === heads ? `${heads} heads` : `${heads} heads on ${kvHeads}`;
  return `${layers} blocks, ${countText(hidden)} wide, feed-forward ${countText(intermediate)} ${gated ? 'with a gate' : 'without a gate'}, ${shared}`;
}

/**
 * Returns a text about the activation of a model whose code uses ReLU; `configured`: the one that config.json names.
 */
export function builtInText(configured: string): string {
  return `ReLU, which this model has built in; its hidden_act is ${configured}`;
}

/** The facts about a model that the user sees before its weights are fetched, as names and values. */
export function planRows(plan: ModelPlan): readonly (readonly [name: string, text: string])[] {
  const { config, from, kind, files, bytes, memoryBytes, weightBytes, notOnGpu } = plan;
  const inMemory = bytesText(memoryBytes);
  return [
    ['from', `${from}, ${kind}${files.length > 1 ? `, ${files.length} files` : ''}`],
    ['blocks', blocksText(config)],
    ...(config.activationName === undefined ? [] : [['activation', builtInText(config.activationName)] as const]),
    ['weights', plan.weights < 1e7 ? countText(plan.weights) : weightsText(plan.weights)],
    ['text', `${countText(config.vocabulary)} tokens, at most ${countText(config.context)} a text`],
    ['files', bytesText(bytes)],
    [
      'memory',
      `${inMemory} at ${weightBytes ?? '2 to 4'} bytes a weight, as much again for a pruned copy, 4 bytes a weight for its quality`,
    ],
    ['runs on', notOnGpu === null ? 'the GPU, else the CPU' : `the CPU. ${toMessage(notOnGpu)}`],
  ];
}

/** Why a model cannot be saved in this browser; null if it can. */
export function keepProblem(storageSpace: StorageSpace | null, bytes: number): string | null {
  if (storageSpace === null) return 'This browser cannot save files.';
  if (storageSpace.free === null || storageSpace.free >= bytes) return null;
  return `${bytesText(storageSpace.free)} free, the model needs ${bytesText(bytes)}.`;
}

/** How much this browser can store, and for how long. */
export function spaceText(storageSpace: StorageSpace): string {
  const free = storageSpace.free === null ? '' : `${bytesText(storageSpace.free)} free in this browser. `;
  return `${free}${storageSpace.isPersisted ? 'Saved until you delete it.' : 'The browser may clear it.'}`;
}

/** Origin and size of an imported model: 'from this computer, 54.1 MB, saved in this browser'. */
export function importedText({ from, bytes, isKept }: ImportedModel): string {
  return `from ${from}, ${bytesText(bytes)}, ${isKept ? 'saved in this browser' : 'until you leave'}`;
}

/** Origin and size of a shipped model, whose weights are in f16. */
export function shippedText(shape: ModelShape): string {
  return `included, ${bytesText(F16 * weightsOf(shape))} in f16`;
}

/** How much of an interrupted download arrived. */
export function unfinishedText(bytes: number): string {
  return `${bytesText(bytes)} downloaded; import it again`;
}

/** The name in the id of an imported model, without the prefix and the suffix that makes it unique. */
export function nameInId(id: string): string {
  return id.slice(IMPORTED_ID_PREFIX.length).replace(/-[0-9a-f]{4}$/, '');
}

/** Returns the text with a full stop. */
function toMessage(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
