export { contrast, distance, mix, readable } from './color.ts';
export { densityRamp, magnitudeRamp, type Ramp, signRamp, unpackHex } from './ramps.ts';
export { SceneView, type SceneViewOptions } from './scene-view.ts';
export type { SpyHover, SpyMarginals, SpyMatrix, SpyMode, SpyViewOptions, SpyViewState } from './spy/spy-options.ts';
export { SpyView } from './spy/spy-view.ts';
export type { ColorBy } from './spy/tile-colors.ts';
export type { Tile, TileProvider, TileRequest } from './spy/tile.ts';
export { cssVariables, DARK, FONT_SIZES, FONTS, formatColor, LIGHT, type Theme, tone, withFormats } from './theme.ts';
