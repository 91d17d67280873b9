import type { Pruning } from '../../../../engine/matrix/pruning-way.ts';

/** Number of test images; a request may use fewer, from the first. */
export const TEST_IMAGES = 4_000;
/**
 * How the layers of a network are pruned: like a matrix, or row by row by |w| times the norm of its column's
 * activations over training images.
 */
export type NetworkPruning = Pruning;

/** A way to store the network and to multiply with it. */
export interface NetworkChoice {
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** null: as trained */
  readonly pruning: NetworkPruning | null;
  /** whether the output layer is pruned too, or only the hidden ones */
  readonly layers: 'all' | 'hidden';
  readonly where: 'cpu' | 'gpu';
}

export interface NetworkRequest {
  /** URL of the network's file: public/networks */
  readonly url: string;
  /** how many of the test images, from the first: 1 to TEST_IMAGES */
  readonly images: number;
  readonly choices: readonly NetworkChoice[];
}

/** One layer as stored. */
export interface LayerFacts {
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  /** bytes of its weights in the format; biases, the same for every format, are left out */
  readonly bytes: number;
  /** the kernel used; null on the CPU */
  readonly kernel: string | null;
}

/** The result of one choice, handed out at once. */
export type NetworkResult = { readonly index: number; readonly choice: NetworkChoice } & (
  | { readonly kind: 'refused'; readonly reason: string }
  | NetworkOutcome
);

/** A network that ran. */
export interface NetworkOutcome {
  readonly kind: 'ran';
  readonly layers: readonly LayerFacts[];
  /** bytes of the weights of all layers */
  readonly bytes: number;
  readonly nnz: number;
  /** share of all weights kept */
  readonly density: number;
  readonly images: number;
  /** images classified correctly */
  readonly right: number;
  /** the answer for each image */
  readonly answers: Uint8Array;
  /**
   * Nanoseconds for the products of one image, without biases and rectifiers: a sample is the mean of a few images on
   * the CPU, of all at once on the GPU. Empty on a software adapter, whose times mean nothing.
   */
  readonly samplesNs: readonly number[];
}

/** One image through the network as trained, in the format of the choice, and after its pruning. */
export interface DigitRequest {
  readonly url: string;
  /** index of a test image, or pixels, row by row, from 0 to about 1 */
  readonly image: { readonly test: number } | { readonly pixels: Float32Array };
  readonly choice: NetworkChoice;
}

/** A network's answer to one image. */
export interface LayerActivations {
  readonly name: string;
  /** after the rectifier; the last layer has none and returns a score for each digit */
  readonly values: Float32Array;
}

export interface DigitAnswer {
  readonly pixels: Float32Array;
  /** the digit drawn; null for the caller's pixels */
  readonly label: number | null;
  readonly whole: readonly LayerActivations[];
  /** a sentence if the format cannot hold the network */
  readonly pruned: readonly LayerActivations[] | { readonly refused: string };
}

/** Consecutive test images. */
export interface TestImages {
  /** one image after another, row by row */
  readonly pixels: Float32Array;
  readonly labels: Uint8Array;
}

/** Receives the result of one choice; the next choice waits until it has returned. */
export type OnNetworkResult = (result: NetworkResult) => void | Promise<void>;
