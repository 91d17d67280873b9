// The names of src/render that other folders import: drawing scenes and matrices on a canvas or as SVG.

// Whole pictures, the theme, and the measuring of text.
export { exportPng } from './export-png.ts';
export { exportSvg } from './export-svg.ts';
export { SceneView } from './scene-view.ts';
export { stillOf } from './still.ts';
export { canvasMeasurer, type TextMeasurer } from './text-measurer.ts';
export { cssVariables, DARK, FONTS, formatColor, LIGHT, type Theme, withFormats } from './theme.ts';

// Where the marks of a scene are.
export { type Caption, type Heading, withFooter, withHeading } from './layout/heading.ts';
export type { LaidOutScene } from './layout/laid-out.ts';
export { layoutScene } from './layout/layout.ts';
export { ON_SCREEN, ON_STAGE, type ZoomLimits, zoomOf } from './layout/zoom.ts';

// Marks on a canvas.
export { CanvasPainter } from './paint/canvas-painter.ts';
export { Motion } from './paint/motion.ts';
export { Palette } from './paint/palette.ts';
export { type Sprite, spriteOf } from './paint/sprite.ts';

// The non-zeros of a matrix.
export {
  type SpyHover,
  type SpyMarginals,
  type SpyMatrix,
  SpyView,
  type SpyViewOptions,
  type SpyViewState,
} from './spy/spy-view.ts';
export type { TileProvider } from './spy/tile.ts';
