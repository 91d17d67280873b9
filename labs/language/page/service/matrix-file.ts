// Makes a file of one matrix of a model, which other pages open.

import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import { f16FromF32Bits, f16Value } from '../../../../src/core/number/index.ts';
import { Pacer } from '../../../../src/core/pace.ts';
import type { LoadedModels } from '../../models/loaded-models.ts';
import { safetensorsHead } from '../../../../src/io/index.ts';
import { blockMatrixShape } from '../../decoders/decoder.ts';
import { UNCHANGED } from '../../decoders/stored/recipe.ts';
import { unroundedRecipe } from './request-recipes.ts'; // recipe: how a model's weights are pruned and rounded
import type { MatrixFile, MatrixFileRequest } from './types.ts';

/** Cells between two checks of the clock. */
const CELLS_PER_CHECK = 2 ** 18;

/** A matrix of a model as a safetensors file. Throws ReadError and CancelledError. Memory: the matrix twice. */
export async function matrixFile(
  models: Pick<LoadedModels, 'load' | 'pruned'>,
  { model: address, at, pruned }: MatrixFileRequest,
  job: ServiceJob,
): Promise<MatrixFile> {
  const model = await models.load(address, job);
  const weights = await models.pruned(model, pruned === null ? UNCHANGED : unroundedRecipe(pruned), job);
  const cells = weights.blocks[at.layer].matrices[at.name];
  const shape = blockMatrixShape(model.config, at.name);
  const { type, bytes } = await narrowest(cells, job);
  const name = `${model.config.name}, layer ${at.layer}, ${at.name}`;
  const head = safetensorsHead([{ name: `${at.name}_proj.weight`, type, shape, bytes: bytes.length }], { model: name });
  return { name: `${name}${pruned === null ? '' : ', pruned'}.safetensors`, blob: new Blob([head, bytes]) };
}

/** Returns the cells in f16 if all of them are representable, as in most files, else in f32; little endian. */
async function narrowest(cells: Float32Array, job: ServiceJob) {
  const halves = new DataView(new ArrayBuffer(2 * cells.length));
  const bits = new Uint32Array(cells.buffer, cells.byteOffset, cells.length);
  const pacer = new Pacer();
  for (let i = 0; i < cells.length; i++) {
    const half = f16FromF32Bits(bits[i]);
    if (!Object.is(f16Value(half), cells[i])) return { type: 'F32', bytes: f32Bytes(bits) };
    halves.setUint16(2 * i, half, true);
    if (i % CELLS_PER_CHECK > 0) continue;
    job.throwIfCancelled();
    await pacer.pauseIfDue();
  }
  return { type: 'F16', bytes: new Uint8Array(halves.buffer) };
}

function f32Bytes(bits: Uint32Array): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(4 * bits.length));
  for (const [i, cell] of bits.entries()) view.setUint32(4 * i, cell, true);
  return new Uint8Array(view.buffer);
}
