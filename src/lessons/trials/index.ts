import { cache } from './cache.ts';
import { clock } from './clock.ts';
import { drift } from './drift.ts';
import { layer } from './layer.ts';
import type { Told } from './trial.ts';
import { verify } from './verify.ts';

export type { Told } from './trial.ts';

/** What an address of a trial begins with; behind it stands what an address of Visualize has, with a trial as `fmt`. */
export const TRIAL_ADDRESS = '#1/trial?';

/** Every computation that a lesson can have as a figure. */
export const trials: readonly Told[] = [layer, verify, cache, clock, drift];

/** Whether a figure is a trial, which no other place can open. */
export function isTrial(id: string): boolean {
  return trials.some((one) => one.id === id);
}
