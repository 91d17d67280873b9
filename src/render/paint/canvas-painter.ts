import type { LaidOutScene, PlacedLabel, PlacedLink, PlacedMark, PlacedTag, Rect } from '../layout/laid-out.ts';
import { cssFont, type Font, type TextMeasurer } from '../text-measurer.ts';
import type { Palette } from './palette.ts';
import {
  filledArea,
  FOCUS_WIDTH,
  focusOutlines,
  grown,
  highlightOutlines,
  arrowHeadPath,
  bracketPath,
  linePath,
  lineWidth,
  linkPath,
} from './outlines.ts';
import type { Outline, Sprite } from './sprite.ts';

export type Context2D = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Side of the hatching tile, px. */
export const HATCH_PITCH = 6;
/** Width of the lines of the hatching, px. */
export const HATCH_WIDTH = 1.4;
const DASHES: number[] = [3, 3];
/** Distance of a text's middle below the middle of its box, px. */
const TEXT_SHIFT = 0.5;
/** Texts of at most this opacity are not drawn. */
const INVISIBLE_ALPHA = 0.02;
export const TAG_LINE_WIDTH = 1.5;
export const LINK_WIDTH = 1.5;
/** Width of the stroke in the colour of the ground below a link. */
export const LINK_HALO_WIDTH = 4.5;
/** Radius of the corners of a tag: a letter in a box, for a format, px. */
export const TAG_RADIUS = 4;

/** The colour of a label by its tone, or else by its role. */
export function labelColor({ role, tone }: PlacedLabel, palette: Palette): string {
  if (tone !== undefined) return palette.tone(tone).text;
  const { theme } = palette;
  return role === 'title' ? theme.text : role === 'row' ? theme.textMuted : theme.textQuiet;
}

/** Draws laid-out scenes on a 2D context whose unit is a CSS px. */
export class CanvasPainter {
  readonly palette: Palette;
  readonly #measure: TextMeasurer;
  readonly #pixelRatio: number;
  readonly #hatches = new Map<string, CanvasPattern | null>();

  constructor(palette: Palette, measure: TextMeasurer, pixelRatio: number) {
    this.palette = palette;
    this.#measure = measure;
    this.#pixelRatio = pixelRatio;
  }

  /** Draws the ground, empty grids and labels: everything below the marks. */
  background(ctx: Context2D, scene: LaidOutScene): void {
    const { theme } = this.palette;
    ctx.fillStyle = theme.ground;
    ctx.fillRect(0, 0, scene.width, scene.height);
    ctx.fillStyle = theme.cell;
    for (const panel of scene.panels) {
      if (panel.grid.columns.length === 0) continue;
      ctx.beginPath();
      for (const { y, h } of panel.grid.rows) {
        for (const { x, w } of panel.grid.columns) roundRect(ctx, { x, y, w, h }, panel.gridRadius);
      }
      ctx.fill();
    }
    for (const label of scene.labels) this.#label(ctx, label);
    for (const tag of scene.tags) this.#tag(ctx, tag);
  }

  #tag(ctx: Context2D, tag: PlacedTag): void {
    const { text, x, y, w, h, font, style } = tag;
    const { theme } = this.palette;
    ctx.beginPath();
    if (style === 'filled') {
      roundRect(ctx, tag, TAG_RADIUS);
      ctx.fillStyle = theme.strong;
      ctx.fill();
    } else {
      roundRect(ctx, grown(tag, -TAG_LINE_WIDTH / 2), TAG_RADIUS);
      ctx.strokeStyle = theme.text;
      ctx.lineWidth = TAG_LINE_WIDTH;
      ctx.stroke();
    }
    ctx.font = cssFont(font);
    ctx.fillStyle = style === 'filled' ? theme.onStrong : theme.text;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.fillText(text, x + w / 2, y + h / 2 + TEXT_SHIFT);
  }

  #label(ctx: Context2D, label: PlacedLabel): void {
    const { text, x, y, align, font } = label;
    ctx.font = cssFont(font);
    ctx.fillStyle = labelColor(label, this.palette);
    ctx.textAlign = align;
    ctx.textBaseline = 'middle';
    ctx.fillText(text, x, y + TEXT_SHIFT);
  }

  /** Draws the dotted links. */
  dottedLinks(ctx: Context2D, links: readonly PlacedLink[], alpha: number): void {
    ctx.save();
    ctx.globalAlpha = alpha;
    ctx.strokeStyle = this.palette.theme.textQuiet;
    ctx.lineWidth = 1;
    ctx.setLineDash([2, 3]);
    for (const link of links) if (link.kind === 'guide') ctx.stroke(new Path2D(linkPath(link)));
    ctx.restore();
  }

  /** Draws the other links, with their arrow heads. */
  otherLinks(ctx: Context2D, links: readonly PlacedLink[], alpha: number): void {
    ctx.save();
    ctx.globalAlpha = alpha;
    ctx.lineCap = 'round';
    for (const link of links) {
      if (link.kind !== 'curve') continue;
      const { theme } = this.palette;
      // A wider stroke in the colour of the ground separates the link from what it crosses.
      ctx.strokeStyle = theme.ground;
      ctx.lineWidth = LINK_HALO_WIDTH;
      ctx.stroke(new Path2D(linkPath(link)));
      ctx.strokeStyle = link.tone === 'neutral' ? theme.text : this.palette.tone(link.tone).full;
      ctx.lineWidth = LINK_WIDTH;
      ctx.setLineDash(link.dashed ? DASHES : []);
      ctx.stroke(new Path2D(linkPath(link)));
      ctx.setLineDash([]);
      if (link.arrow) ctx.stroke(new Path2D(arrowHeadPath(link)));
    }
    ctx.restore();
  }

  /** Draws marks in few strokes: boxes grouped by fill, then outlines and lines, then texts grouped by font. */
  marks(ctx: Context2D, sprites: readonly Sprite[]): void {
    this.#fills(ctx, sprites);
    ctx.save();
    // The last sprite whose outline is in the path and not yet stroked.
    let pending: Sprite | null = null;
    for (const s of sprites) {
      // Adjacent outlines of the same style are one stroke: there are hundreds of empty slots.
      const continues = pending !== null && haveSameOutline(pending, s);
      if (pending !== null && !continues) ctx.stroke();
      pending = s.outline ? s : null;
      if (s.outline) this.#outline(ctx, s, s.outline, continues);
      else if (s.placed.mark.shape === 'bracket') this.#bracket(ctx, s);
      else if (s.placed.mark.shape === 'line') this.#line(ctx, s);
    }
    if (pending !== null) ctx.stroke();
    ctx.restore();
    this.#texts(ctx, sprites);
  }

  #fills(ctx: Context2D, sprites: readonly Sprite[]): void {
    for (const group of sameFillGroups(sprites)) {
      const [{ fill, hatch, alpha }] = group;
      ctx.globalAlpha = alpha;
      ctx.beginPath();
      for (const s of group) roundRect(ctx, filledArea(s), s.placed.radius);
      ctx.fillStyle = fill ?? '';
      ctx.fill();
      const pattern = hatch === null ? null : this.#hatch(ctx, hatch);
      if (pattern) {
        ctx.fillStyle = pattern;
        ctx.fill();
      }
    }
    ctx.globalAlpha = 1;
  }

  /** The pattern of diagonal lines in a colour, made once. */
  #hatch(ctx: Context2D, color: string): CanvasPattern | null {
    let pattern = this.#hatches.get(color);
    if (pattern === undefined) {
      const ratio = this.#pixelRatio;
      const side = Math.round(HATCH_PITCH * ratio);
      const tile = new OffscreenCanvas(side, side);
      const tileContext = tile.getContext('2d');
      if (tileContext) {
        tileContext.strokeStyle = color;
        tileContext.lineWidth = HATCH_WIDTH * ratio;
        tileContext.beginPath();
        for (const shift of [-side, 0, side]) {
          tileContext.moveTo(shift - ratio, side + ratio);
          tileContext.lineTo(shift + side + ratio, -ratio);
        }
        tileContext.stroke();
      }
      pattern = ctx.createPattern(tile, 'repeat');
      pattern?.setTransform(new DOMMatrix().scale(HATCH_PITCH / side));
      this.#hatches.set(color, pattern);
    }
    return pattern;
  }

  /** Adds an outline to the path; starts a new one if it does not continue the one before. */
  #outline(ctx: Context2D, s: Sprite, { color, width, dashed }: Outline, continues: boolean): void {
    if (!continues) {
      ctx.globalAlpha = s.alpha;
      ctx.strokeStyle = color;
      ctx.lineWidth = width;
      ctx.setLineDash(dashed ? DASHES : []);
      ctx.beginPath();
    }
    const isFrame = s.placed.mark.shape === 'frame';
    // Half a px inwards puts a hairline on whole pixels; a frame surrounds its marks.
    roundRect(ctx, grown(s, isFrame ? 1 : -width / 2), isFrame ? 5 : s.placed.radius);
  }

  #bracket(ctx: Context2D, s: Sprite): void {
    const { text, font } = s.placed;
    const { path, middle } = bracketPath(s, this.#measure);
    ctx.globalAlpha = s.alpha;
    ctx.strokeStyle = s.ink;
    ctx.lineWidth = lineWidth(s.placed);
    ctx.setLineDash([]);
    ctx.stroke(new Path2D(path));
    if (text === null) return;
    ctx.globalAlpha = s.alpha * s.textAlpha;
    ctx.font = cssFont(font);
    ctx.fillStyle = s.ink;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.fillText(text, middle[0], middle[1] + TEXT_SHIFT);
  }

  #line(ctx: Context2D, s: Sprite): void {
    ctx.globalAlpha = s.alpha;
    ctx.strokeStyle = s.ink;
    ctx.lineWidth = lineWidth(s.placed);
    ctx.setLineDash(s.placed.mark.state === 'ghost' ? DASHES : []);
    ctx.stroke(new Path2D(linePath(s)));
  }

  #texts(ctx: Context2D, sprites: readonly Sprite[]): void {
    ctx.textBaseline = 'middle';
    let current: Font | null = null;
    for (const s of sprites) {
      const { text, font, mark } = s.placed;
      if (text === null || mark.shape === 'bracket' || mark.shape === 'line') continue;
      const alpha = s.alpha * s.textAlpha;
      if (alpha <= INVISIBLE_ALPHA) continue;
      if (font !== current) {
        current = font;
        ctx.font = cssFont(font);
      }
      ctx.globalAlpha = alpha;
      ctx.fillStyle = s.ink;
      const isText = mark.shape === 'text';
      ctx.textAlign = isText ? 'left' : 'center';
      ctx.fillText(text, isText ? s.x : s.x + s.w / 2, s.y + s.h / 2 + TEXT_SHIFT);
    }
    ctx.globalAlpha = 1;
  }

  /** Outlines the marks that the step is about (`focus` of a mark); not the focus of the keyboard. */
  focus(ctx: Context2D, sprites: Iterable<Sprite>): void {
    ctx.strokeStyle = this.palette.theme.text;
    ctx.lineWidth = FOCUS_WIDTH;
    ctx.setLineDash([]);
    for (const outline of focusOutlines(sprites)) {
      ctx.globalAlpha = outline.alpha;
      ctx.beginPath();
      roundRect(ctx, outline, outline.radius);
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
  }

  /** Outlines the marks that show the same thing as the hovered one (`about` of a mark), with a thin line. */
  highlight(ctx: Context2D, marks: Iterable<PlacedMark>): void {
    ctx.strokeStyle = this.palette.theme.text;
    ctx.lineWidth = 1.25;
    ctx.setLineDash([]);
    ctx.beginPath();
    for (const outline of highlightOutlines(marks)) roundRect(ctx, grown(outline, 1), 4);
    ctx.stroke();
  }

  /** Outlines the cell under the keyboard's cursor, thicker than all others. */
  cursor(ctx: Context2D, cell: Rect): void {
    ctx.strokeStyle = this.palette.theme.text;
    ctx.lineWidth = 2.5;
    ctx.setLineDash([]);
    ctx.beginPath();
    roundRect(ctx, grown(cell, 2), 4);
    ctx.stroke();
  }
}

/** Groups of sprites that one path can fill, in the order of their first sprites. `alpha` is compared to two decimals. */
function sameFillGroups(sprites: readonly Sprite[]): readonly (readonly Sprite[])[] {
  const groups: Sprite[][] = [];
  const byFill = new Map<string, Sprite[][]>();
  const haveSameStyle = (a: Sprite, b: Sprite): boolean =>
    a.hatch === b.hatch && Math.round(a.alpha * 100) === Math.round(b.alpha * 100);
  for (const s of sprites) {
    if (s.fill === null) continue;
    const sameFill = byFill.get(s.fill);
    const group = sameFill?.find(([first]) => haveSameStyle(first, s));
    if (group) {
      group.push(s);
      continue;
    }
    const created = [s];
    groups.push(created);
    if (sameFill) sameFill.push(created);
    else byFill.set(s.fill, [created]);
  }
  return groups;
}

/** Whether two outlines can be one stroke: only opaque ones do not change where they overlap. */
function haveSameOutline(a: Sprite, b: Sprite): boolean {
  return (
    a.outline !== null &&
    b.outline !== null &&
    a.alpha === 1 &&
    b.alpha === 1 &&
    a.outline.color === b.outline.color &&
    a.outline.width === b.outline.width &&
    a.outline.dashed === b.outline.dashed
  );
}

function roundRect(ctx: Context2D, { x, y, w, h }: Rect, radius: number): void {
  if (w <= 0 || h <= 0) return;
  if (radius < 1) ctx.rect(x, y, w, h);
  else ctx.roundRect(x, y, w, h, Math.min(radius, w / 2, h / 2));
}
