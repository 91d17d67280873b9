// The spy plot, as the page uses it.
export type { SpyHover, SpyMarginals, SpyMatrix, SpyViewOptions, SpyViewState } from './spy/spy-options.ts';
export { SpyView } from './spy/spy-view.ts';
export type { TileProvider } from './spy/tile.ts';
