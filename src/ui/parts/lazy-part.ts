import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

const loaders: (() => Promise<unknown>)[] = [];

/**
 * A component whose code is not part of the first screen: it is loaded when it is first shown, or by `loadParts` before.
 * Call it once per component, where modules are evaluated.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  loaders.push(load);
  return lazy(async () => ({ default: await load() }));
}

/**
 * Loads the code of every such component, one after the other, so that the page needs no network from then on. One that
 * does not arrive is asked for again when it is to be shown.
 */
export async function loadParts(): Promise<void> {
  for (const load of loaders) await load().catch(() => {});
}
