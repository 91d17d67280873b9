import type { LaidOutScene, PlacedMark, Rect } from './laid-out.ts';
import type { Font } from '../text-measurer.ts';

/** Scales a laid-out picture by `zoom`, for a stage `width` px wide. O(marks + labels + links). */
export function enlarged(layout: LaidOutScene, zoom: number, width: number): LaidOutScene {
  if (zoom === 1) return layout;
  const rect = ({ x, y, w, h }: Rect): Rect => {
    // Rounds edges, not extents, to half px, so that adjacent marks still touch.
    const left = Math.round(x * zoom * 2) / 2;
    const top = Math.round(y * zoom * 2) / 2;
    return {
      x: left,
      y: top,
      w: Math.round((x + w) * zoom * 2) / 2 - left,
      h: Math.round((y + h) * zoom * 2) / 2 - top,
    };
  };
  const point = ([x, y]: readonly [number, number]): [number, number] => [x * zoom, y * zoom];
  const font = enlargedFonts(zoom);
  return {
    width,
    height: Math.ceil(layout.height * zoom),
    panels: layout.panels.map((panel) => ({
      ...panel,
      ...rect(panel),
      unitX: panel.unitX * zoom,
      unitY: panel.unitY * zoom,
      grid: { ...panel.grid, columns: panel.grid.columns.map(rect), rows: panel.grid.rows.map(rect) },
      gridRadius: panel.gridRadius * zoom,
    })),
    marks: layout.marks.map((placed): PlacedMark => {
      const { x, y, w, h } = rect(placed);
      const { mark, unit, radius, text } = placed;
      return { x, y, w, h, mark, unit, radius: radius * zoom, text, font: font(placed.font) };
    }),
    labels: layout.labels.map((label) => ({ ...label, x: label.x * zoom, y: label.y * zoom, font: font(label.font) })),
    tags: layout.tags.map((tag) => ({ ...tag, ...rect(tag), font: font(tag.font) })),
    links: layout.links.map((link) => ({
      ...link,
      start: point(link.start),
      curves: link.curves.map(([ax, ay, bx, by, x, y]) => [...point([ax, ay]), ...point([bx, by]), ...point([x, y])]),
    })),
  };
}

/** Returns a function that scales fonts. Equal fonts become the same object, since painters compare them by identity. */
function enlargedFonts(zoom: number): (font: Font) => Font {
  const enlargedByFont = new Map<Font, Font>();
  return (font) => {
    let larger = enlargedByFont.get(font);
    if (larger === undefined) {
      // Rounded down, or words that just fit would no longer fit.
      larger = { ...font, px: Math.floor(font.px * zoom * 2) / 2 };
      enlargedByFont.set(font, larger);
    }
    return larger;
  };
}
