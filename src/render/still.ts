import { narrationText, type Scene } from '../story/scene.ts';
import { exportSvg } from './export-svg.ts';
import { layoutScene } from './layout/layout.ts';
import { Palette } from './paint/palette.ts';
import { estimateTextWidth } from './text-measurer.ts';
import { formatColor, type Theme } from './theme.ts';

/** A scene (one picture of a story) as an image, with its size in px. */
export interface Still {
  /** data URL of the picture as SVG */
  readonly source: string;
  /** its narration */
  readonly words: string;
  readonly width: number;
  readonly height: number;
}

/** Draws a scene as SVG for a width in px, for print; `format`: id of the format whose colour it has. */
export function stillOf(scene: Scene, theme: Theme, format: string, width: number): Still {
  const layout = layoutScene(scene, {
    width,
    stageHeight: scene.drawing ? Infinity : width * 0.8,
    measure: estimateTextWidth,
  });
  const svg = exportSvg(layout, scene, new Palette(theme, formatColor(theme, format)), estimateTextWidth);
  const source = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  return { source, words: narrationText(scene), width: layout.width, height: layout.height };
}
