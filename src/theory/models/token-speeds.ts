import { isAlike } from '../alike-params.ts';
import { KNOWN_MODELS } from './known-models.ts';
import recorded from './recorded-tokens.json';

/** Tokens per second of a model in a format on one device: 100 tokens from an empty prompt, random weights. */
export interface TokenSpeed {
  /** a model of `KNOWN_MODELS` */
  readonly model: string;
  /** id of the format of the matrices of blocks, and its parameters; the head and the embedding are dense f16 */
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** density of the pruned weights of blocks */
  readonly density: number;
  readonly tokensPerSecond: number;
  /** time of matrices and head in one of these tokens; absent if it was not measured */
  readonly matricesNs?: number;
  /** name of the device */
  readonly device: string;
  /** such as 2026-11-23 */
  readonly date: string;
  /** measured by this project, and delivered with the page */
  readonly isRecorded: boolean;
}

/** The measurements of this project, the newest first. */
const RECORDED_TOKENS: readonly TokenSpeed[] = recorded.tokens.map((speed) => ({ ...speed, isRecorded: true }));

/** The name of a device that was measured, by its name in published tables: 'NVIDIA H200 SXM' is 'NVIDIA H200'. */
const RECORDED_AS: ReadonlyMap<string, string> = new Map(Object.entries(recorded.published));

/**
 * The speeds that were measured for a query, one for each density, descending. Those of this browser, `own`, come
 * before recorded speeds. A device of published tables has the speeds of its recorded device.
 */
export function tokenSpeeds(
  query: Pick<TokenSpeed, 'model' | 'format' | 'params' | 'device'>,
  own: readonly TokenSpeed[] = [],
): readonly TokenSpeed[] {
  const { model, format, params, device } = query;
  const fitting = [...own, ...RECORDED_TOKENS].filter((speed) => {
    const isOnDevice = speed.device === device || (speed.isRecorded && speed.device === recordedDevice(device));
    return isOnDevice && speed.model === model && speed.format === format && isAlike(speed.params, params);
  });
  return fitting
    .filter(({ density }, i) => fitting.findIndex((other) => isNear(other.density, density)) === i)
    .toSorted((x, y) => y.density - x.density);
}

/** The recorded device that is used for a published one; null for every other device. */
export function recordedDevice(device: string): string | null {
  return RECORDED_AS.get(device) ?? null;
}

/** The speed at a density; null if it was not measured. */
export function tokenSpeedAt(all: readonly TokenSpeed[], density: number): TokenSpeed | null {
  return all.find((speed) => isNear(speed.density, density)) ?? null;
}

/** The time of a whole token besides its matrices, for one layer, in ns, with its matrices in a format. */
export interface TokenRest extends Pick<TokenSpeed, 'format' | 'params'> {
  readonly nsPerLayer: number;
}

/** The rest of every token of a device for which the time of the matrices was measured too, the newest first. */
export function tokenRests(device: string, measuredHere: readonly TokenSpeed[] = []): readonly TokenRest[] {
  return [...measuredHere, ...RECORDED_TOKENS].flatMap((token) => {
    const { model, format, params, tokensPerSecond, matricesNs } = token;
    const layers = KNOWN_MODELS.find(({ name }) => name === model)?.layers;
    const isOnDevice = token.device === device || (token.isRecorded && token.device === recordedDevice(device));
    if (!isOnDevice || matricesNs === undefined || !layers) return [];
    return [{ format, params, nsPerLayer: (1e9 / tokensPerSecond - matricesNs) / layers }];
  });
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.004;
}
