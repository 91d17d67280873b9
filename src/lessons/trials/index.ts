import type { Catalog } from '../../state/index.ts';
import { cache } from './cache.ts';
import { clock } from './clock.ts';
import { drift } from './drift.ts';
import { formulas } from './formulas.ts';
import { layer } from './layer.ts';
import type { StorySource } from './trial.ts';
import { verifyTrial } from './verify.ts';

export type { StorySource } from './trial.ts';

/** The prefix of a trial's address, followed by parameters as in an address of Watch, with a trial as `a`. */
export const TRIAL_ADDRESS = '#2/trial?';

/** The prefix of an address of Watch. */
export const WATCH_ADDRESS = '#2/watch?';

/** Whether this is the address of a figure: of a trial, or of Watch. */
export function isFigureAddress(address: string): boolean {
  return isTrialAddress(address) || address.startsWith(WATCH_ADDRESS);
}

/** Whether a figure of this address would be one that a place offers. */
export function isPlaceAddress(address: string): boolean {
  return !isFigureAddress(address) && /^#2\/[a-z]+(?:\/[a-z-]+)?\?/.test(address);
}

export function isTrialAddress(address: string): boolean {
  return address.startsWith(TRIAL_ADDRESS);
}

/** A figure's address as one of Watch, the only kind that is parsed; without its cells, whose shape is elsewhere. */
export function watchAddress(address: string): string {
  return address.replace(TRIAL_ADDRESS, WATCH_ADDRESS).replace(/([?&])own=[^&]*/, '$1');
}

/** The id of the format, or of the trial, in a figure's address; '' if it has none. */
export function formatIn(address: string): string {
  return /[?&]a=([^&]*)/.exec(address)?.[1] ?? '';
}

const known = new WeakMap<Catalog['formats'], readonly StorySource[]>();

/** Every simulation for figures of lessons. Made once: one of them evaluates many closed forms of `formats`. */
export function trialsOf(formats: Catalog['formats']): readonly StorySource[] {
  const trials = known.get(formats) ?? [layer, verifyTrial, cache, clock, drift, formulas(formats)];
  known.set(formats, trials);
  return trials;
}

const IDS = new Set(trialsOf([]).map(({ id }) => id));

/** Whether a figure is a trial, which cannot be opened anywhere else. */
export function isTrial(id: string): boolean {
  return IDS.has(id);
}
