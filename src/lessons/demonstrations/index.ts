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
 * All demonstrations that lessons can show, as sources of stories beside the formats: small experiments on measuring and on
 * sizes, told step by step. Made once for each list of formats, since `formulas` evaluates many of their closed forms.
 */
export function demosOf(formats: Catalog['formats']): readonly StorySource[] {
  const all = known.get(formats) ?? [layer, verify, cache, clock, drift, formulas(formats)];
  known.set(formats, all);
  return all;
}

const IDS = new Set(demosOf([]).map(({ id }) => id));

/** Whether an id is that of a demonstration, and not of a format: no page but a lesson can show it. */
export function isDemo(id: string): boolean {
  return IDS.has(id);
}
