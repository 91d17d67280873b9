export type { SpyHover, SpyViewOptions, SpyViewState } from './spy/spy-options.ts';
export { SpyView } from './spy/spy-view.ts';
