import type { View } from '../state/index.ts';

/** The places of the page, in the order of the header. */
export const PLACES: readonly { readonly view: View; readonly title: string }[] = [
  { view: 'visualize', title: 'Visualize' },
  { view: 'benchmark', title: 'Benchmark' },
  { view: 'explore', title: 'Explore' },
  { view: 'kernels', title: 'Kernels' },
  { view: 'learn', title: 'Learn' },
];

/** What a place is called. */
export function titleOf(view: View): string {
  return PLACES.find((place) => place.view === view)?.title ?? view;
}
