import type { Pruning } from '../../../../engine/matrix/pruning-way.ts';

/** Test images that there are; a request may ask for fewer, the first ones. */
export const TEST_IMAGES = 4_000;
/**
 * How the layers of a network are pruned: like a matrix, or by |w| times the norm of the activations of its column over
 * training images, row by row.
 */
export type NetworkPruning = Pruning;

/** One way to store the network and to multiply with it. */
export interface NetworkChoice {
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** null: as it was trained */
  readonly pruning: NetworkPruning | null;
  /** whether the output layer is pruned too, or the hidden ones alone */
  readonly layers: 'all' | 'hidden';
  readonly where: 'cpu' | 'gpu';
}

export interface NetworkRequest {
  /** where the file of the network lies: public/networks */
  readonly url: string;
  /** how many of the test images, from the first: 1 to TEST_IMAGES */
  readonly images: number;
  readonly choices: readonly NetworkChoice[];
}

/** One layer as it was stored. */
export interface LayerFacts {
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  /** of its weights in the format; biases, the same for every format, are left out */
  readonly bytes: number;
  /** the kernel that multiplied; null on the CPU */
  readonly kernel: string | null;
}

/** What came of one choice, handed out as soon as it is there. */
export type NetworkResult = { readonly index: number; readonly choice: NetworkChoice } & (
  | { readonly kind: 'refused'; readonly reason: string }
  | NetworkOutcome
);

/** A network that ran. */
export interface NetworkOutcome {
  readonly kind: 'ran';
  readonly layers: readonly LayerFacts[];
  /** of the weights of all layers */
  readonly bytes: number;
  readonly nnz: number;
  /** share of all weights that are left */
  readonly density: number;
  readonly images: number;
  /** images whose digit was told */
  readonly right: number;
  /** the digit that each image was taken for */
  readonly answers: Uint8Array;
  /**
   * Nanoseconds of the products of one image, biases and rectifiers left out: a sample is the mean of a few images on the
   * CPU, of all at once on the GPU. Empty on a software adapter, whose times say nothing.
   */
  readonly samplesNs: readonly number[];
}

/** One image through the network as it was trained, in the format of the choice, and as the choice leaves it. */
export interface DigitRequest {
  readonly url: string;
  /** a test image by its number, or pixels, row by row, from 0 to about 1 */
  readonly image: { readonly test: number } | { readonly pixels: Float32Array };
  readonly choice: NetworkChoice;
}

/** What a network makes of one image. */
export interface LayerActivations {
  readonly name: string;
  /** behind the rectifier; the last layer has none and gives a score for each digit */
  readonly values: Float32Array;
}

export interface DigitAnswer {
  readonly pixels: Float32Array;
  /** the digit that was drawn; null for pixels of the caller */
  readonly label: number | null;
  readonly whole: readonly LayerActivations[];
  /** a sentence where the format cannot hold the network */
  readonly pruned: readonly LayerActivations[] | { readonly refused: string };
}

/** Test images in a row. */
export interface TestImages {
  /** one image after the other, row by row */
  readonly pixels: Float32Array;
  readonly labels: Uint8Array;
}

/** Gets the result of one choice; the next choice waits until it is taken. */
export type TakeNetworkResult = (result: NetworkResult) => void | Promise<void>;
