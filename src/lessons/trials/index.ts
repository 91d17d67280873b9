import { cache } from './cache.ts';
import { clock } from './clock.ts';
import { drift } from './drift.ts';
import { layer } from './layer.ts';
import type { Told } from './trial.ts';
import { verify } from './verify.ts';

export type { Told } from './trial.ts';

/** The prefix of a trial's address, followed by parameters as in an address of Visualize, with a trial as `fmt`. */
export const TRIAL_ADDRESS = '#1/trial?';

/** Every simulation that a lesson can use as a figure. */
export const trials: readonly Told[] = [layer, verify, cache, clock, drift];

/** Whether a figure is a trial, which cannot be opened anywhere else. */
export function isTrial(id: string): boolean {
  return trials.some((one) => one.id === id);
}
