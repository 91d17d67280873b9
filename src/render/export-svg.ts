import { narrationText, type Scene } from '../story/scene.ts';
import type { LaidOutScene, PlacedLabel, PlacedLink, PlacedPanel, PlacedTag, Rect } from './layout/laid-out.ts';
import {
  HATCH_PITCH,
  HATCH_WIDTH,
  labelColor,
  LINK_HALO_WIDTH,
  LINK_WIDTH,
  TAG_LINE_WIDTH,
  TAG_RADIUS,
} from './paint/canvas-painter.ts';
import type { Palette } from './paint/palette.ts';
import {
  filledArea,
  FOCUS_WIDTH,
  type FocusOutline,
  focusOutlines,
  grown,
  arrowHeadPath,
  bracketPath,
  decimal,
  linePath,
  lineWidth,
  linkPath,
} from './paint/outlines.ts';
import { type Sprite, spriteOf } from './paint/sprite.ts';
import { type Font, FONT_FACES_IN_SVG, type TextMeasurer } from './text-measurer.ts';

/** A laid-out scene as a standalone SVG document, with its narration in <desc> and the labels of marks in <title>. */
export function exportSvg(layout: LaidOutScene, scene: Scene, palette: Palette, measure: TextMeasurer): string {
  const { width, height } = layout;
  const { theme } = palette;
  const sprites = layout.marks.map((mark) => spriteOf(mark, palette));
  const narration = narrationText(scene);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    narration === '' ? '' : `<desc>${escape(narration)}</desc>`,
    `<rect width="${width}" height="${height}" fill="${theme.ground}"/>`,
    ...layout.panels
      .filter((p) => p.grid.columns.length > 0)
      .map((p) => `<g fill="${theme.cell}">${gridCells(p).join('')}</g>`),
    ...layout.labels.map((label) => labelText(label, palette)),
    ...layout.tags.map((tag) => tagElement(tag, palette)),
    ...layout.links.filter((l) => l.kind === 'guide').map((l) => linkElement(l, palette)),
    ...sprites.map((s) => spriteElement(s, measure)),
    ...layout.links.filter((l) => l.kind === 'curve').map((l) => linkElement(l, palette)),
    ...focusOutlines(sprites).map((outline) => focusRect(outline, theme.text)),
    '</svg>',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** The hatching of a rectangle, as on the canvas. Not an SVG pattern: Chromium prints one as an image of each area. */
function hatchPath({ x, y, w, h }: Rect, color: string): string {
  let path = '';
  for (let sum = Math.ceil((x + y) / HATCH_PITCH) * HATCH_PITCH; sum < x + w + y + h; sum += HATCH_PITCH) {
    const [left, right] = [Math.max(x, sum - y - h), Math.min(x + w, sum - y)];
    if (left < right) path += `M${decimal(left)} ${decimal(sum - left)}L${decimal(right)} ${decimal(sum - right)}`;
  }
  return path === '' ? '' : `<path d="${path}" fill="none" stroke="${color}" stroke-width="${HATCH_WIDTH}"/>`;
}

function rect({ x, y, w, h }: Rect, radius: number, attributes: string): string {
  const rx = Math.min(radius, w / 2, h / 2);
  return `<rect x="${decimal(x)}" y="${decimal(y)}" width="${decimal(w)}" height="${decimal(h)}" rx="${decimal(rx)}"${attributes}/>`;
}

function spriteElement(s: Sprite, measure: TextMeasurer): string {
  const { mark } = s.placed;
  const inner = spriteShapes(s, measure).join('');
  const title = mark.label === undefined ? '' : `<title>${escape(mark.label)}</title>`;
  const opacity = s.alpha === 1 ? '' : ` opacity="${decimal(s.alpha)}"`;
  return `<g${opacity}>${title}${inner}</g>`;
}

function spriteShapes(s: Sprite, measure: TextMeasurer): string[] {
  const { mark, text, font, radius } = s.placed;
  if (mark.shape === 'bracket') return bracketShapes(s, measure);
  const shapes: string[] = [];
  if (mark.shape === 'line') {
    const stroke = ` stroke="${s.ink}"${lineWidth(s.placed) === 1 ? '' : ` stroke-width="${decimal(lineWidth(s.placed))}"`}`;
    const dash = mark.state === 'ghost' ? ' stroke-dasharray="3 3"' : '';
    return [`<path d="${linePath(s)}" fill="none"${stroke}${dash}/>`];
  }
  if (s.fill !== null) {
    const area = filledArea(s);
    shapes.push(rect(area, radius, ` fill="${s.fill}"`));
    if (s.hatch !== null) shapes.push(hatchPath(area, s.hatch));
  }
  if (s.outline) {
    const { color, width, dashed } = s.outline;
    const isFrame = mark.shape === 'frame';
    const stroke = ` fill="none" stroke="${color}" stroke-width="${width}"${dashed ? ' stroke-dasharray="3 3"' : ''}`;
    shapes.push(rect(grown(s, isFrame ? 1 : -width / 2), isFrame ? 5 : radius, stroke));
  }
  if (text !== null) {
    const isText = mark.shape === 'text';
    shapes.push(
      textElement(text, isText ? s.x : s.x + s.w / 2, s.y + s.h / 2, isText ? 'left' : 'center', font, s.ink),
    );
  }
  return shapes;
}

function bracketShapes(s: Sprite, measure: TextMeasurer): string[] {
  const { text, font } = s.placed;
  const { path, middle } = bracketPath(s, measure);
  const shapes = [`<path d="${path}" fill="none" stroke="${s.ink}" stroke-width="${lineWidth(s.placed)}"/>`];
  if (text !== null) shapes.push(textElement(text, ...middle, 'center', font, s.ink)); // bounded: two coordinates
  return shapes;
}

function focusRect(outline: FocusOutline, color: string): string {
  return rect(outline, outline.radius, ` fill="none" stroke="${color}" stroke-width="${FOCUS_WIDTH}"`);
}

function labelText(label: PlacedLabel, palette: Palette): string {
  const { text, x, y, align, font } = label;
  return textElement(text, x, y, align, font, labelColor(label, palette));
}

function tagElement(tag: PlacedTag, { theme }: Palette): string {
  const { text, x, y, w, h, font, style } = tag;
  const isFilled = style === 'filled';
  const box = isFilled
    ? rect(tag, TAG_RADIUS, ` fill="${theme.strong}"`)
    : rect(
        grown(tag, -TAG_LINE_WIDTH / 2),
        TAG_RADIUS,
        ` fill="none" stroke="${theme.text}" stroke-width="${TAG_LINE_WIDTH}"`,
      );
  const words = textElement(text, x + w / 2, y + h / 2, 'center', font, isFilled ? theme.onStrong : theme.text);
  return `<g>${box}${words}</g>`;
}

const ANCHORS = { left: 'start', center: 'middle', right: 'end' } as const;

function textElement(
  text: string,
  x: number,
  y: number,
  align: PlacedLabel['align'],
  { face, px, strong }: Font,
  color: string,
): string {
  // Not every program that reads SVG supports dominant-baseline, so the middle of the x-height is computed.
  const baseline = y + px * 0.35;
  const weight = strong ? ' font-weight="600"' : '';
  // A piece of a line may end with the space before a piece in another style.
  const spaces = text.trim() === text ? '' : ' xml:space="preserve"';
  return (
    `<text x="${decimal(x)}" y="${decimal(baseline)}" text-anchor="${ANCHORS[align]}" font-family="${FONT_FACES_IN_SVG[face]}" ` +
    `font-size="${px}"${weight}${spaces} fill="${color}">${escape(text)}</text>`
  );
}

function linkElement(link: PlacedLink, palette: Palette): string {
  const { theme } = palette;
  const d = linkPath(link);
  if (link.kind === 'guide') return `<path d="${d}" fill="none" stroke="${theme.textQuiet}" stroke-dasharray="2 3"/>`;
  const color = link.tone === 'neutral' ? theme.text : palette.tone(link.tone).full;
  const path = (data: string, stroke: string, width: number, dash = ''): string =>
    `<path d="${data}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"${dash}/>`;
  const head = link.arrow ? path(arrowHeadPath(link), color, LINK_WIDTH) : '';
  return (
    path(d, theme.ground, LINK_HALO_WIDTH) +
    path(d, color, LINK_WIDTH, link.dashed ? ' stroke-dasharray="3 3"' : '') +
    head
  );
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The empty cells of a panel's grid, row by row. */
function gridCells({ grid, gridRadius }: PlacedPanel): readonly string[] {
  return grid.rows.flatMap(({ y, h }) => grid.columns.map(({ x, w }) => rect({ x, y, w, h }, gridRadius, '')));
}
