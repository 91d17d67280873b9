import type { Job } from '../../../../core/job.ts';
import { type DenseMatrix, denseMatrix, toDense } from '../../../../core/matrix/index.ts';
import { ReadError } from '../../../../core/errors.ts';
import { PIXELS } from '../../../../generate/digit-images.ts';
import { readMatrix } from '../../../../io/read.ts';

/** A fully connected layer: outputs = weights x inputs + biases. */
export interface Layer {
  readonly name: string;
  /** outputs x inputs */
  readonly weights: DenseMatrix;
  readonly biases: Float32Array;
}

/** Consecutive layers, with rectifiers between them. */
export interface Network {
  readonly layers: readonly Layer[];
}

const LAYERS: readonly string[] = ['fc1', 'fc2', 'fc3'];

/**
 * Reads the network from its archive: NAME.weight and NAME.bias of every layer. Throws ReadError if a layer's inputs do
 * not match the outputs before it, and like `readMatrix`.
 */
export async function readNetwork(file: { name: string; bytes: Uint8Array }, job?: Job): Promise<Network> {
  const layers: Layer[] = [];
  let inputs = PIXELS;
  for (const name of LAYERS) {
    const read = async (tensor: string): Promise<DenseMatrix> => {
      const { matrix } = await readMatrix(file, { tensor }, job);
      return denseMatrix(matrix.rows, matrix.cols, toDense(matrix));
    };
    const weights = await read(`${name}.weight`);
    const { data: biases } = await read(`${name}.bias`);
    if (weights.cols !== inputs || biases.length !== weights.rows) {
      throw new ReadError(
        `${file.name}, ${name}: found ${weights.rows} × ${weights.cols} weights and ${biases.length} biases, expected ${inputs} columns and a bias for each row`,
      );
    }
    layers.push({ name, weights, biases });
    inputs = weights.rows;
  }
  return { layers };
}
