import { PUBLISHED_DEVICES, publishedId } from '../roofline/devices.ts';

/** Memory and speed of a whole model, dense and sparse, as a paper prints them. */
export interface PublishedModelRun {
  /** URL of the paper, the same as in a format's `source` */
  readonly paper: string;
  /** the table or section in it */
  readonly place: string;
  /** name of the model in `KNOWN_MODELS` */
  readonly model: string;
  readonly device: string;
  /** by falling density; gigabytes (10^9 bytes) include everything that the runtime keeps in memory */
  readonly points: readonly PublishedModelPoint[];
}

/** A model's memory and speed at one density, in the paper's format and dense. */
export interface PublishedModelPoint {
  readonly density: number;
  readonly denseGigabytes: number;
  readonly gigabytes: number;
  readonly denseTokensPerSecond: number;
  readonly tokensPerSecond: number;
}

/** Source: MACKO paper (Macko and Boža 2025), table 1: one token at a time, the whole model. */
const PUBLISHED_MODEL_RUNS: readonly PublishedModelRun[] = [
  {
    paper: 'https://arxiv.org/abs/2511.13061',
    place: 'Table 1',
    model: 'Llama-2-7B',
    device: 'RTX 4090',
    points: [
      [0.8, 13.59, 13.77, 66.55, 66.36],
      [0.7, 13.59, 12.08, 66.49, 73.88],
      [0.6, 13.59, 10.53, 66.48, 85.46],
      [0.5, 13.59, 8.87, 66.53, 98.6],
      [0.4, 13.59, 7.14, 66.51, 119.27],
      [0.3, 13.59, 5.61, 66.5, 150.78],
      [0.2, 13.59, 4.06, 66.54, 193.79],
      [0.1, 13.59, 2.67, 66.48, 255.01],
    ].map(([density, denseGigabytes, gigabytes, denseTokensPerSecond, tokensPerSecond]) => ({
      density,
      denseGigabytes,
      gigabytes,
      denseTokensPerSecond,
      tokensPerSecond,
    })),
  },
];

/** The published figures of a model in the paper with this URL; null if there are none. */
export function publishedRun(paper: string | undefined, model: string): PublishedModelRun | null {
  return PUBLISHED_MODEL_RUNS.find((run) => run.paper === paper && run.model === model) ?? null;
}

/** The point of a run within a hundredth of this density; null if there is none. */
export function publishedAt(run: PublishedModelRun, density: number): PublishedModelPoint | null {
  return run.points.find((point) => Math.abs(point.density - density) < 0.01) ?? null;
}

/**
 * The share of a card's bandwidth, from its data sheet, that a model reads if every token reads all of its gigabytes
 * (10^9 bytes): a little more than it reads, since most of an embedding is not read. `device`: as papers print it, such
 * as 'RTX 4090'; null if its bandwidth is unknown.
 */
export function bandwidthShare(gigabytes: number, tokensPerSecond: number, device: string): number | null {
  const id = publishedId(device);
  const card = PUBLISHED_DEVICES.find((one) => one.id === id);
  return card ? (gigabytes * tokensPerSecond) / card.readGBps : null;
}
