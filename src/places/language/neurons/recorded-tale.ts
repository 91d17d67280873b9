import type { FiredToken, FiringRequest } from '../service/types.ts';
import { type PackedTale, unpackFired } from './packed.ts';

/** The beginning of a text that came with the page. */
export interface RecordedTale {
  readonly tokens: readonly FiredToken[];
  /** tokens of the whole text */
  readonly total: number;
}

/** The recorded beginning of a text; null where another text is asked for. */
export function recordedTale(tale: PackedTale, request: FiringRequest): RecordedTale | null {
  const { model, prompt, seed, temperature } = request;
  const isIts =
    tale.model === model.id && tale.prompt === prompt && tale.seed === seed && tale.temperature === temperature;
  return isIts ? { tokens: unpackFired(tale), total: tale.total } : null;
}

/** Loads the tale that comes with the page, with the rest of the tab. */
export async function loadTale(): Promise<PackedTale> {
  const { default: tale } = await import('./tale.json');
  if (tale.schema !== 1) throw new TypeError(`tale.json: found schema ${tale.schema}, expected 1`);
  return tale as PackedTale;
}
