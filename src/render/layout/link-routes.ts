import { largest, smallest } from '../../core/number/statistics.ts';
import type { Link } from '../../story/scene.ts';
import type { TextMeasurer } from '../text-measurer.ts';
import type { PlacedLabel, PlacedLink, PlacedMark, Rect } from './laid-out.ts';

type Point = readonly [number, number];
type Curve = readonly [number, number, number, number, number, number];

/** Cost of a route per px, and more per px inside a panel and inside words: any detour around words is cheaper. */
const PER_PX = 0.2;
const THROUGH_PANEL = 1;
const THROUGH_TEXT = 60;
/** Height above a mark in which its column label may be, px. */
const HEADROOM = 46;
/** Distance of a lane (a detour past all panels) from the edge of the picture, or of the panels, px. */
const LANE = 4;
/** Gap between the end of a curve and its mark, px. */
const CLEARANCE = 2;

/** Paths of the links (lines between marks) whose two marks are in view: around words and across few panels. */
export function routeLinks(
  links: readonly Link[],
  marks: readonly PlacedMark[],
  words: readonly Rect[],
  panels: readonly Rect[],
): PlacedLink[] {
  if (links.length === 0) return [];
  const linkedIds = new Set(links.flatMap(({ from, to }) => [from, to]));
  const byId = new Map<string, PlacedMark>();
  for (const placedMark of marks) if (linkedIds.has(placedMark.mark.id)) byId.set(placedMark.mark.id, placedMark);
  const placedLinks: PlacedLink[] = [];
  for (const { id, kind, tone, from, to } of links) {
    const a = byId.get(from);
    const b = byId.get(to);
    if (!a || !b) continue;
    if (kind === 'guide') {
      placedLinks.push({ id, kind, tone, ...guide(a, b) });
      continue;
    }
    const exit = exitOf(a, b, panels);
    if (exit)
      placedLinks.push({
        id: `${id} stem`,
        kind: 'guide',
        tone,
        start: exit.from,
        curves: [straight(exit.from, exit.to)],
      });
    placedLinks.push({ id, kind, tone, ...route(a, b, exit?.to ?? null, words, panels) });
  }
  return placedLinks;
}

/** The bounds of a label. */
export function labelRect({ text, x, y, align, font }: PlacedLabel, measure: TextMeasurer): Rect {
  const w = measure(text, font);
  return { x: align === 'left' ? x : align === 'right' ? x - w : x - w / 2, y: y - font.px / 2, w, h: font.px };
}

/** The labels without the column numbers that a curve crosses. */
export function withoutCrossedNumbers(
  links: readonly PlacedLink[],
  labels: readonly PlacedLabel[],
  measure: TextMeasurer,
): readonly PlacedLabel[] {
  const curves = links.filter(({ kind }) => kind === 'curve');
  if (curves.length === 0) return labels;
  return labels.filter((label) => {
    if (label.align !== 'center' || label.role !== 'quiet') return true;
    const rect = labelRect(label, measure);
    return !curves.some((link) => runsThrough(link.start, link.curves, rect));
  });
}

/** Step by which a row label is moved to the right, off the curves, px. */
const ASIDE = 4;

/**
 * The labels, with row labels directly above marks moved aside if a curve to those marks would cross them: to the
 * nearest position further right without curves, words or marks. If there is none they stay.
 */
export function withRowLabelsAside(
  links: readonly PlacedLink[],
  labels: readonly PlacedLabel[],
  marks: readonly PlacedMark[],
  width: number,
  measure: TextMeasurer,
): readonly PlacedLabel[] {
  const curves = links.filter(({ kind }) => kind === 'curve');
  if (curves.length === 0) return labels;
  const isCrossed = (r: Rect): boolean => curves.some(({ start, curves: path }) => runsThrough(start, path, r));
  const touches = (a: Rect, b: Rect): boolean =>
    a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  return labels.map((label) => {
    if (label.role !== 'row' || label.align !== 'left') return label;
    const rect = labelRect(label, measure);
    if (!isCrossed(rect)) return label;
    const otherRects = labels.filter((other) => other !== label).map((other) => labelRect(other, measure));
    for (let x = rect.x + ASIDE; x + rect.w <= width; x += ASIDE) {
      const movedRect = { ...rect, x };
      if (!isCrossed(movedRect) && ![...otherRects, ...marks].some((r) => touches(movedRect, r)))
        return { ...label, x };
    }
    return label;
  });
}

/** Straight down (or up) from the middle of the first mark to the near edge of the second. */
function guide(a: PlacedMark, b: PlacedMark): Pick<PlacedLink, 'start' | 'curves'> {
  const x = a.x + a.w / 2;
  const isDownward = b.y >= a.y;
  // A bracket's line is in the middle of its rectangle, where a guide ends.
  const edge = b.mark.shape === 'bracket' ? b.y + b.h / 2 : isDownward ? b.y : b.y + b.h;
  const start: Point = [x, isDownward ? a.y + a.h : a.y];
  return { start, curves: [straight(start, [x, edge])] };
}

function straight(a: Point, b: Point): Curve {
  return [a[0] + (b[0] - a[0]) / 3, a[1] + (b[1] - a[1]) / 3, b[0] + (a[0] - b[0]) / 3, b[1] + (a[1] - b[1]) / 3, ...b];
}

/**
 * The dotted stem from a mark inside a panel to the panel's lower edge, where its curve begins, so that the curve does
 * not cross the panel; null for a bracket, a mark at the edge, and a curve that goes up.
 */
function exitOf(a: PlacedMark, b: PlacedMark, panels: readonly Rect[]): { from: Point; to: Point } | null {
  const panel = panels.find((p) => contains(p, [a.x + a.w / 2, a.y + a.h / 2], 0));
  if (!panel || a.mark.shape === 'bracket') return null;
  const bottom = panel.y + panel.h;
  if (b.y < bottom || bottom - a.y - a.h < 8) return null;
  const x = a.x + a.w / 2;
  return { from: [x, a.y + a.h], to: [x, bottom] };
}

/** The cheapest path from the lower edge of the upper mark to the upper edge of the lower; at one height, an arc. */
function route(a: PlacedMark, b: PlacedMark, exit: Point | null, allWords: readonly Rect[], panels: readonly Rect[]) {
  if (a.y + a.h > b.y && b.y + b.h > a.y) return arc(a, b);
  const isDownward = a.y < b.y;
  const [upperMark, lowerMark] = isDownward ? [a, b] : [b, a];
  const start: Point = exit ?? [exitX(upperMark), bottomOf(upperMark) + CLEARANCE];
  const words = allWords.filter((r) => r.y + r.h > start[1] - 2 && r.y < lowerMark.y + 2);
  const end: Point = [entryX(lowerMark, start[0], words), lowerMark.y - CLEARANCE];
  let bestRoute: readonly Curve[] = [smooth(start, end)];
  let minCost = cost(start, bestRoute, words, panels);
  const strips = freeStrips(start, end, panels);
  const lanes = strips.length < 2 ? [] : lanesNextTo(start, end, panels);
  const candidates = [
    ...strips.map((strip) => throughStrip(start, end, strip)),
    ...lanes.map((x) => throughLane(start, end, strips[0], strips[strips.length - 1], x)),
  ];
  const consider = (candidate: readonly Curve[]): void => {
    const candidateCost = cost(start, candidate, words, panels);
    if (candidateCost < minCost - 1) {
      bestRoute = candidate;
      minCost = candidateCost;
    }
  };
  candidates.forEach(consider);
  // Words that are still in the way are passed on their left or on their right.
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const crossedWords = words.filter((r) => runsThrough(start, bestRoute, r));
    if (crossedWords.length === 0) break;
    const previousBest = bestRoute;
    const crossedBounds = boundsOf(crossedWords);
    for (const r of crossedWords) {
      detoursAround(start, end, r).forEach(consider);
      detoursAround(start, end, { ...crossedBounds, x: r.x, w: r.w }).forEach(consider);
    }
    detoursAround(start, end, crossedBounds).forEach(consider);
    if (bestRoute === previousBest) break;
  }
  return isDownward ? { start, curves: bestRoute } : reversedRoute(start, bestRoute);
}

/** A curve leaves a bracket at its right end, the position that it measures. */
function exitX({ mark, x, w }: PlacedMark): number {
  return mark.shape === 'bracket' ? x + w : x + w / 2;
}

/** Where a curve enters a mark: next to words directly above it, on the curve's side; else in the middle. */
function entryX({ x, y, w }: PlacedMark, startX: number, words: readonly Rect[]): number {
  const middle = x + w / 2;
  const wordsAbove = words.find(
    (r) => middle > r.x - 2 && middle < r.x + r.w + 2 && r.y < y && r.y + r.h > y - HEADROOM,
  );
  if (!wordsAbove) return middle;
  const besideX = startX < middle ? wordsAbove.x - 6 : wordsAbove.x + wordsAbove.w + 6;
  return besideX > x + 4 && besideX < x + w - 4 ? besideX : middle;
}

function bottomOf(m: PlacedMark): number {
  return m.mark.shape === 'bracket' ? m.y + m.h / 2 : m.y + m.h;
}

/** An S-shaped curve with vertical ends. */
function smooth(a: Point, b: Point): Curve {
  const middle = (a[1] + b[1]) / 2;
  return [a[0], middle, b[0], middle, ...b];
}

/** The free strips between panels on the way, as top and bottom, that are high enough for a curve to turn: 14 px. */
function freeStrips(start: Point, end: Point, panels: readonly Rect[]): readonly (readonly [number, number])[] {
  const edges = [start[1], end[1]];
  for (const p of panels) {
    for (const y of [p.y - 2, p.y + p.h + 2]) if (y > start[1] && y < end[1]) edges.push(y);
  }
  edges.sort((x, y) => x - y);
  const strips: (readonly [number, number])[] = [];
  for (let i = 0; i + 1 < edges.length; i++) if (edges[i + 1] - edges[i] >= 14) strips.push([edges[i], edges[i + 1]]);
  return strips;
}

/** Straight down, an S inside the strip, straight down. */
function throughStrip(start: Point, end: Point, [top, bottom]: readonly [number, number]): readonly Curve[] {
  const from: Point = [start[0], top];
  const to: Point = [end[0], bottom];
  return [straight(start, from), smooth(from, to), straight(to, end)];
}

/** Where a route can go down past all panels in between: to their left and to their right. */
function lanesNextTo(start: Point, end: Point, panels: readonly Rect[]): readonly number[] {
  const panelsBetween = panels.filter((p) => p.y + p.h > start[1] && p.y < end[1]);
  const right = largest(panelsBetween.map((p) => p.x + p.w));
  return [LANE, right + LANE];
}

/** An S to the lane in the first strip, down, an S back in the last. */
function throughLane(
  start: Point,
  end: Point,
  first: readonly [number, number],
  last: readonly [number, number],
  lane: number,
): readonly Curve[] {
  const [a, b, c, d]: readonly Point[] = [
    [start[0], first[0]],
    [lane, first[1]],
    [lane, last[0]],
    [end[0], last[1]],
  ];
  return [straight(start, a), smooth(a, b), straight(b, c), smooth(c, d), straight(d, end)];
}

/** Rounds of searching for a route around words. */
const MAX_TRIES = 3;
/** Minimum height of an S, px. */
const MIN_S = 8;
/** Distance of a detour from words, px. */
const WORD_MARGIN = 6;

/** An S to one side of words, down past them, an S back; none without enough height. */
function detoursAround(start: Point, end: Point, r: Rect): readonly (readonly Curve[])[] {
  const top = r.y - WORD_MARGIN;
  const bottom = r.y + r.h + WORD_MARGIN;
  if (top - start[1] < MIN_S || end[1] - bottom < MIN_S) return [];
  return [r.x - WORD_MARGIN, r.x + r.w + WORD_MARGIN].map((x) => [
    smooth(start, [x, top]),
    straight([x, top], [x, bottom]),
    smooth([x, bottom], end),
  ]);
}

/** The bounding rectangle of several rectangles. */
function boundsOf(rects: readonly Rect[]): Rect {
  const x = smallest(rects.map((r) => r.x));
  const y = smallest(rects.map((r) => r.y));
  return { x, y, w: largest(rects.map((r) => r.x + r.w)) - x, h: largest(rects.map((r) => r.y + r.h)) - y };
}

/** Whether a route crosses the rectangle of words. */
function runsThrough(start: Point, curves: readonly Curve[], r: Rect): boolean {
  let previous = start;
  for (const c of curves) {
    const samples = samplesOf(previous, c);
    for (let i = 0; i <= samples; i++) if (contains(r, pointAt(previous, c, i / samples), 1)) return true;
    previous = [c[4], c[5]];
  }
  return false;
}

/** Number of samples of a curve, large enough that no word fits between two samples. */
function samplesOf([x, y]: Point, c: Curve): number {
  return Math.min(96, Math.max(8, Math.ceil((Math.abs(c[4] - x) + Math.abs(c[5] - y)) / 6)));
}

/** A curve between marks at one height, over their tops. */
function arc(a: PlacedMark, b: PlacedMark): Pick<PlacedLink, 'start' | 'curves'> {
  const start: Point = [a.x + a.w / 2, a.y - CLEARANCE];
  const end: Point = [b.x + b.w / 2, b.y - CLEARANCE];
  const rise = Math.min(28, 10 + Math.abs(end[0] - start[0]) * 0.12);
  const top = Math.min(start[1], end[1]) - rise;
  return { start, curves: [[start[0], top, end[0], top, ...end]] };
}

function reversedRoute(start: Point, curves: readonly Curve[]): Pick<PlacedLink, 'start' | 'curves'> {
  const ends: Point[] = [start, ...curves.map((c): Point => [c[4], c[5]])];
  const back = curves.map(([ax, ay, bx, by], i): Curve => [bx, by, ax, ay, ...ends[i]]);
  return { start: ends[ends.length - 1], curves: back.toReversed() };
}

function cost(start: Point, curves: readonly Curve[], words: readonly Rect[], panels: readonly Rect[]): number {
  let total = 0;
  let previous = start;
  for (const c of curves) {
    const samples = samplesOf(previous, c);
    for (let i = 1; i <= samples; i++) {
      const p = pointAt(previous, c, i / samples);
      const q = pointAt(previous, c, (i - 1) / samples);
      const length = Math.hypot(p[0] - q[0], p[1] - q[1]);
      total += length * PER_PX;
      if (words.some((r) => contains(r, p, 2))) total += length * THROUGH_TEXT;
      if (panels.some((r) => contains(r, p, 0))) total += length * THROUGH_PANEL;
    }
    previous = [c[4], c[5]];
  }
  return total;
}

function contains(r: Rect, [x, y]: Point, margin: number): boolean {
  return x >= r.x - margin && x <= r.x + r.w + margin && y >= r.y - margin && y <= r.y + r.h + margin;
}

/** Point of a cubic curve at share t. */
function pointAt([x0, y0]: Point, [x1, y1, x2, y2, x3, y3]: Curve, t: number): Point {
  const u = 1 - t;
  const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
  return [a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3];
}
