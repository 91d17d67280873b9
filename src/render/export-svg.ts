import { narrationText, type Scene } from '../core/story/scene.ts';
import type { LaidOutScene, PlacedLabel, PlacedLink, PlacedPanel, PlacedTag, Rect } from './layout/laid-out.ts';
import { HATCH_PITCH, labelColor, TAG_RADIUS } from './paint/canvas-painter.ts';
import type { Palette } from './paint/palette.ts';
import {
  arrowHead,
  bracketLine,
  filledArea,
  FOCUS_WIDTH,
  type FocusOutline,
  focusOutlines,
  lineWidth,
  type Sprite,
  spriteOf,
} from './paint/sprite.ts';
import { type Font, FONT_FACES_IN_SVG, type TextMeasurer } from './text-measurer.ts';

/** A laid-out scene as a standalone SVG document, with the narration as its description and labels of marks as titles. */
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
    ...layout.links.filter((l) => l.kind === 'guide').map((l) => linkPath(l, palette)),
    ...sprites.map((s) => spriteElement(s, measure)),
    ...layout.links.filter((l) => l.kind === 'curve').map((l) => linkPath(l, palette)),
    ...focusOutlines(sprites).map((outline) => focusRect(outline, theme.text)),
    '</svg>',
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** Diagonal lines on the grid of the canvas. Lines, because Chromium prints an SVG pattern as an image of each area. */
function hatchPath({ x, y, w, h }: Rect, color: string): string {
  let path = '';
  for (let sum = Math.ceil((x + y) / HATCH_PITCH) * HATCH_PITCH; sum < x + w + y + h; sum += HATCH_PITCH) {
    const [left, right] = [Math.max(x, sum - y - h), Math.min(x + w, sum - y)];
    if (left < right) path += `M${n(left)} ${n(sum - left)}L${n(right)} ${n(sum - right)}`;
  }
  return path === '' ? '' : `<path d="${path}" fill="none" stroke="${color}" stroke-width="1.4"/>`;
}

function rect({ x, y, w, h }: Rect, radius: number, attributes: string): string {
  const rx = Math.min(radius, w / 2, h / 2);
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" rx="${n(rx)}"${attributes}/>`;
}

function spriteElement(s: Sprite, measure: TextMeasurer): string {
  const { mark } = s.placed;
  const inner = spriteShapes(s, measure).join('');
  const title = mark.label === undefined ? '' : `<title>${escape(mark.label)}</title>`;
  const opacity = s.alpha === 1 ? '' : ` opacity="${n(s.alpha)}"`;
  return `<g${opacity}>${title}${inner}</g>`;
}

function spriteShapes(s: Sprite, measure: TextMeasurer): string[] {
  const { mark, text, font, radius } = s.placed;
  if (mark.shape === 'bracket') return bracketShapes(s, measure);
  const shapes: string[] = [];
  if (mark.shape === 'line') {
    const { points } = s.placed;
    const stroke = ` stroke="${s.ink}"${lineWidth(s.placed) === 1 ? '' : ` stroke-width="${n(lineWidth(s.placed))}"`}`;
    const y = Math.floor(s.y) + 0.5;
    const dash = mark.state === 'ghost' ? ' stroke-dasharray="3 3"' : '';
    const path = points
      ? `M${points.map(([px, py]) => `${n(px)} ${n(py)}`).join('L')}`
      : `M${n(s.x)} ${n(y)}H${n(s.x + s.w)}`;
    return [`<path d="${path}"${points ? ' fill="none"' : ''}${stroke}${dash}/>`];
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
    const isLoose = mark.shape === 'text';
    shapes.push(
      textElement(text, isLoose ? s.x : s.x + s.w / 2, s.y + s.h / 2, isLoose ? 'left' : 'center', font, s.ink),
    );
  }
  return shapes;
}

function bracketShapes(s: Sprite, measure: TextMeasurer): string[] {
  const { y, tick } = bracketLine(s);
  const { text, font } = s.placed;
  const width = lineWidth(s.placed);
  const [left, right] = [s.x + width / 2, s.x + s.w - width / 2];
  const line = Math.round(y) + (width === 1 ? 0.5 : 0);
  const middle = (left + right) / 2;
  const hole = text === null ? 0 : measure(text, font) / 2 + 5;
  const across =
    middle - hole > left ? `H${n(middle - hole)}M${n(middle + hole)} ${n(line)}` : `M${n(right)} ${n(line)}`;
  const path = `M${n(left)} ${n(line - tick)}V${n(line)}${across}H${n(right)}V${n(line - tick)}`;
  const shapes = [`<path d="${path}" fill="none" stroke="${s.ink}" stroke-width="${width}"/>`];
  if (text !== null) shapes.push(textElement(text, middle, y, 'center', font, s.ink));
  return shapes;
}

function focusRect(outline: FocusOutline, color: string): string {
  return rect(outline, outline.radius, ` fill="none" stroke="${color}" stroke-width="${FOCUS_WIDTH}"`);
}

function grown({ x, y, w, h }: Rect, by: number): Rect {
  return { x: x - by, y: y - by, w: w + 2 * by, h: h + 2 * by };
}

function labelText(label: PlacedLabel, palette: Palette): string {
  const { text, x, y, align, font } = label;
  return textElement(text, x, y, align, font, labelColor(label, palette));
}

function tagElement(tag: PlacedTag, { theme }: Palette): string {
  const { text, x, y, w, h, font, look } = tag;
  const isFilled = look === 'filled';
  const box = isFilled
    ? rect(tag, TAG_RADIUS, ` fill="${theme.strong}"`)
    : rect(grown(tag, -0.75), TAG_RADIUS, ` fill="none" stroke="${theme.text}" stroke-width="1.5"`);
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
  // Text in another style continues a line after a space.
  const spaces = text.trim() === text ? '' : ' xml:space="preserve"';
  return (
    `<text x="${n(x)}" y="${n(baseline)}" text-anchor="${ANCHORS[align]}" font-family="${FONT_FACES_IN_SVG[face]}" ` +
    `font-size="${px}"${weight}${spaces} fill="${color}">${escape(text)}</text>`
  );
}

function linkPath(link: PlacedLink, palette: Palette): string {
  const { theme } = palette;
  const d = `M${link.start.map(n).join(' ')}${link.curves.map((c) => `C${c.map(n).join(' ')}`).join('')}`;
  if (link.kind === 'guide') return `<path d="${d}" fill="none" stroke="${theme.textQuiet}" stroke-dasharray="2 3"/>`;
  const color = link.tone === 'neutral' ? theme.text : palette.tone(link.tone).full;
  const path = (data: string, stroke: string, width: number, dash = ''): string =>
    `<path d="${data}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"${dash}/>`;
  const head = link.arrow
    ? path(
        `M${arrowHead(link)
          .map(([x, y]) => `${n(x)} ${n(y)}`)
          .join('L')}`,
        color,
        1.5,
      )
    : '';
  return path(d, theme.ground, 4.5) + path(d, color, 1.5, link.dashed ? ' stroke-dasharray="3 3"' : '') + head;
}

/** A number with at most two decimals. */
function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The cells of an empty grid, row by row. */
function gridCells({ grid, gridRadius }: PlacedPanel): readonly string[] {
  return grid.rows.flatMap(({ y, h }) => grid.columns.map(({ x, w }) => rect({ x, y, w, h }, gridRadius, '')));
}
