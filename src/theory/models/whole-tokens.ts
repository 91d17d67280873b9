import recorded from './recorded-tokens.json';

/** How fast whole tokens of a model were written on one device: 100 of them from an empty prompt, random weights. */
export interface WholeTokens {
  /** a model of `KNOWN_MODELS` */
  readonly model: string;
  /** id of the format of the matrices of blocks, and its parameters; the head and the embedding are dense f16 */
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** share of the weights of blocks that is left */
  readonly density: number;
  readonly tokensPerSecond: number;
  /** what matrices and head took of one of these tokens, in the same measurement; absent where nothing was timed apart */
  readonly matricesNs?: number;
  /** of the device */
  readonly device: string;
  /** 2026-11-23 */
  readonly date: string;
  /** measured by this project, and delivered with the page */
  readonly isRecorded: boolean;
}

/** What was recorded, the newest first: the file says how. */
const RECORDED_TOKENS: readonly WholeTokens[] = recorded.tokens.map((one) => ({ ...one, isRecorded: true }));

/** The recorded device that a published one is, by its name. */
const RECORDED_AS: ReadonlyMap<string, string> = new Map(Object.entries(recorded.published));

/** A model in a format, on a device. */
export interface WholeTokensQuery extends Pick<WholeTokens, 'model' | 'format' | 'params' | 'device'> {}

/**
 * What was measured of a model in a format on a device, recorded or in `own`, which come first; one for each density,
 * falling. A published card has what was recorded on one of its kind.
 */
export function wholeTokens(asked: WholeTokensQuery, own: readonly WholeTokens[] = []): readonly WholeTokens[] {
  const found: WholeTokens[] = [];
  for (const one of [...own, ...RECORDED_TOKENS]) {
    const isThere = one.device === asked.device || (one.isRecorded && one.device === RECORDED_AS.get(asked.device));
    if (!isThere || one.model !== asked.model || one.format !== asked.format || !isAlike(one.params, asked.params))
      continue;
    if (!found.some(({ density }) => isNear(density, one.density))) found.push(one);
  }
  return found.toSorted((x, y) => y.density - x.density);
}

/** The device whose recorded tokens a published card has; null for every other device. */
export function recordedAs(device: string): string | null {
  return RECORDED_AS.get(device) ?? null;
}

/** The one at a density; null where it was not measured. */
export function wholeAt(all: readonly WholeTokens[], density: number): WholeTokens | null {
  return all.find((one) => isNear(one.density, density)) ?? null;
}

/** Parameters that only one side names do not tell them apart. */
function isAlike(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(a).every(([name, value]) => (b[name] ?? value) === value);
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.004;
}
