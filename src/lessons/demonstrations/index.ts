import type { Catalog } from '../../state/index.ts';
import { cache } from './cache.ts';
import { clock } from './clock.ts';
import { drift } from './drift.ts';
import type { StorySource } from './demonstration.ts';
import { formulas } from './formulas.ts';
import { layer } from './layer.ts';
import { verify } from './verify.ts';

export type { StorySource } from './demonstration.ts';

const known = new WeakMap<Catalog['formats'], readonly StorySource[]>();

/**
 * All demonstrations: small experiments on measuring and on sizes that a lesson shows step by step, like the story of a
 * format. Made once for each list of formats, since `formulas` evaluates many closed forms of the formats.
 */
export function demosOf(formats: Catalog['formats']): readonly StorySource[] {
  const all = known.get(formats) ?? [layer, verify, cache, clock, drift, formulas(formats)];
  known.set(formats, all);
  return all;
}

const IDS = new Set(demosOf([]).map(({ id }) => id));

/** Whether an id names a demonstration, which only lessons show, rather than a format. */
export function isDemo(id: string): boolean {
  return IDS.has(id);
}
