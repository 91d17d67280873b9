import { type ComponentType, createElement, lazy, type LazyExoticComponent, type ReactNode } from 'react';

// Parts of the page whose code is loaded after the first screen.

/** Thrown if code of the page could not be loaded. */
export class PartLoadError extends Error {
  override name = 'PartLoadError';
}

/** Code that is loaded after the first screen. */
interface Part {
  /** false: loaded only when first shown, not by `preloadParts` */
  readonly isPreloaded: boolean;
  readonly load: () => Promise<unknown>;
  readonly retry: () => void;
}

const parts: Part[] = [];

/**
 * A component outside the first screen: its code is loaded when it is first shown, or earlier by `preloadParts`. If the
 * code does not arrive, the component throws until `retryParts` is called. Call `lazyPart` once per component, at
 * module level. `isPreloaded` false: the code is too large for `preloadParts`.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { isPreloaded = true }: { readonly isPreloaded?: boolean } = {},
): (props: P) => ReactNode {
  let failed = false;
  const begin = (): LazyExoticComponent<ComponentType<P>> =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        failed = true;
        throw new PartLoadError('its code failed to load', { cause: error });
      }
    });
  let component = begin();
  parts.push({
    isPreloaded,
    load,
    retry() {
      // React would keep a failure forever.
      if (failed) component = begin();
      failed = false;
    },
  });
  return function LazyPart(props) {
    return createElement(component, props);
  };
}

/** Adds code without a component to what `preloadParts` loads. */
export function registerPart(load: () => Promise<unknown>): void {
  parts.push({ isPreloaded: true, load, retry() {} });
}

/** Loads the code of all parts, one after the other, so that the page then needs no network; failures are retried later. */
export async function preloadParts(): Promise<void> {
  for (const { isPreloaded, load } of parts) if (isPreloaded) await load().catch(() => {});
  // The first screen may not have used every font.
  if ('fonts' in document) await Promise.allSettled([...document.fonts].map((face) => face.load()));
  performance.mark('all parts loaded');
}

/** Lets components whose code did not arrive request the code again when they are next shown. */
export function retryParts(): void {
  for (const { retry } of parts) retry();
}
