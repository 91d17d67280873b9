// matrixFile, which saves one pruned matrix of a model as a file.

import { expect, it } from 'vitest';
import { randomWeights, tinyConfig } from '../../test/decoders.ts';
import { finish, NO_JOB } from '../../../../src/core/job.ts';
import { f16Bits, f16Value } from '../../../../src/core/number/index.ts';
import { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import type { LoadedModel } from '../../models/loaded-model.ts';
import { fileSource } from '../../../../src/io/source.ts';
import { openSafetensors } from '../../../../src/io/tensors/safetensors.ts';
import { pruneAndRoundSteps } from '../../decoders/stored/prune-and-round.ts';
import { matrixFile } from './matrix-file.ts';

const config = tinyConfig();
const weights = randomWeights(config, 3);
const model = { id: 'brought:tiny-1a2b', config, weights } as LoadedModel;
const models: Parameters<typeof matrixFile>[0] = {
  load: async () => model,
  pruned: async (_, recipe) =>
    recipe.pruning.way === 'none' ? weights : finish(pruneAndRoundSteps(config, weights, recipe)),
};
const address = { id: model.id, url: model.id };
const matrixAt = { layer: 1, name: 'down' } as const;

async function opened(pruned: Parameters<typeof matrixFile>[1]['pruned']) {
  const { name, blob } = await matrixFile(
    models,
    { model: address, at: matrixAt, pruned },
    new ServiceJob({ now: () => 0 }),
  );
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const container = await openSafetensors(fileSource({ name, bytes }), NO_JOB);
  const [tensor] = container.tensors;
  const { matrix } = await container.read(tensor.name, NO_JOB);
  return { name, tensor, matrix };
}

it('matrixFile contains the weights in the fewest bits that lose nothing', async () => {
  const { name, tensor, matrix } = await opened(null);
  expect(name).toBe('tiny, layer 1, down.safetensors');
  expect(tensor).toMatchObject({ name: 'down_proj.weight', shape: [24, 40], dtype: 'f32' });
  expect([matrix.rows, matrix.cols]).toEqual([24, 40]);
  const cells = weights.blocks[1].matrices.down;
  cells.set(cells.map((value) => f16Value(f16Bits(value))));
  expect((await opened(null)).tensor.dtype).toBe('f16');
});

it('matrixFile is already pruned if the pruning needs the whole model (Wanda)', async () => {
  const { name, matrix } = await opened({ pruning: { way: 'rows', density: 0.5 } });
  expect(name).toBe('tiny, layer 1, down, pruned.safetensors');
  expect(matrix.nnz).toBe(24 * 20);
});
