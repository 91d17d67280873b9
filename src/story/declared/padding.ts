import { cachedByRun } from './trace.ts';

/** The elements that are padding, as 'array/index'. */
export const paddingOf = cachedByRun((t): ReadonlySet<string> => {
  const pads = new Set<string>();
  for (const { detail } of t.steps) {
    if (detail.kind === 'stored' && detail.what === 'padding')
      for (const [array, at] of detail.elements) pads.add(`${array}/${at}`);
  }
  return pads;
});
