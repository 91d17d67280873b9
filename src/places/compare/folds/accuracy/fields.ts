import { type ChoiceFields, numberChoice, oneOf, someOf } from '../../../../kit/browser/choices.ts';
import { FIRST_LOOK } from './network-runs.ts';
import { WAYS, type Way } from './plan.ts';

/** A person's choices for the question of what pruning costs. What is left is the sentence's. */
export interface NetworkChoices {
  readonly prune: readonly Way[];
  /** formats that are tried */
  readonly tried: readonly string[];
  readonly layers: 'all' | 'hidden';
  readonly where: 'cpu' | 'gpu';
  readonly images: number;
  /** test image sent through the layers */
  readonly image: number;
}

/** Number of the network's test images. */
export const ALL_IMAGES = 4000;

/** The least density at the cursor: without weights there is no network. */
export const LEAST_DENSITY = 0.01;

/** `formats` by id, of which the first two are the default. */
export function networkFields(formats: readonly string[]): ChoiceFields<NetworkChoices> {
  return {
    prune: someOf(WAYS, ['magnitude', 'wanda', 'random']),
    tried: someOf(formats, formats.slice(0, 2)),
    layers: oneOf(['all', 'hidden'], 'all'),
    where: oneOf(['cpu', 'gpu'], 'cpu'),
    images: numberChoice(20, ALL_IMAGES, FIRST_LOOK, true),
    image: numberChoice(0, ALL_IMAGES - 1, 0, true),
  };
}
