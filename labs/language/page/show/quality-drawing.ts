// Draws the quality chart as data: two plots over density, for the presentation and saved pictures.

import { QUALITY_TITLE } from '../quality/quality-words.ts';
import { ABOVE_AXIS, DENSITY_AXIS } from '../quality/axes.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import { aboveFloor } from '../curve/above-floor.ts';
import { curveOf, pointName, type QualityPoint } from '../quality/points.ts';
import type { Drawing, DrawingColors, DrawingMark } from './drawing.ts';

interface QualityDrawingOptions {
  /** the pruned models to draw as points, the newest last */
  readonly points: readonly QualityPoint[];
  readonly width: number;
  readonly height: number;
  readonly colors: DrawingColors;
}

const CURVES = [
  { way: 'wanda', color: 'text', dash: [] },
  { way: 'magnitude', color: 'muted', dash: [6, 4] },
  { way: 'random', color: 'quiet', dash: [2, 4] },
] as const;

interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
  readonly text: (value: number) => string;
  readonly valueOf: (point: QualityPoint) => number | null;
}

const [MIN_DENSITY, MAX_DENSITY] = [DENSITY_AXIS.domain[0], DENSITY_AXIS.domain[1]];

/** Two charts of pruned models by density: bits per byte above the least possible, and share of tales without error. */
export function qualityDrawing({ points, width, height, colors }: QualityDrawingOptions): Drawing {
  const isWide = width >= 640; // Otherwise the two charts are above each other.
  const size = Math.max(11, Math.min(20, Math.min(width / 60, height / 26)));
  const gap = 3.2 * size;
  const plotWidth = isWide ? (width - gap) / 2 : width;
  const plotHeight = isWide ? height : (height - gap) / 2;
  const marks: DrawingMark[] = [];
  plot(0, 0, `${QUALITY_TITLE} (bits per byte)`, {
    low: ABOVE_AXIS.domain[0],
    high: ABOVE_AXIS.domain[1],
    ticks: ABOVE_AXIS.ticks ?? [],
    text: ABOVE_AXIS.text,
    valueOf: (point) => aboveFloor(point.excessBits),
  });
  const shareOf = (point: QualityPoint): number | null => (point.judged === 0 ? null : point.unbroken / point.judged);
  const high = points.some((point) => (shareOf(point) ?? 0) > 0.6) ? 1 : 0.6;
  plot(isWide ? plotWidth + gap : 0, isWide ? 0 : plotHeight + gap, 'Unbroken tales', {
    low: 0,
    high,
    ticks: [0, 0.2, 0.4, 0.6, 0.8, 1].filter((tick) => tick <= high),
    text: (share) => `${Math.round(100 * share)} %`,
    valueOf: shareOf,
  });
  return { width, height, marks };

  /** Adds one chart to `marks`: title, axes, curves by pruning method, and a dot for each point. */
  function plot(left: number, top: number, title: string, { low, high, ticks, text, valueOf }: Scale): void {
    const inner = {
      left: left + 4.4 * size,
      right: left + plotWidth - size,
      top: top + 2.6 * size,
      bottom: top + plotHeight - 3 * size,
    };
    const x = (density: number): number =>
      inner.left + ((density - MIN_DENSITY) / (MAX_DENSITY - MIN_DENSITY)) * (inner.right - inner.left);
    const y = (value: number): number =>
      inner.bottom - ((Math.min(high, value) - low) / (high - low)) * (inner.bottom - inner.top);
    const write = (
      position: { x: number; y: number },
      label: string,
      fill: string,
      style: Partial<Extract<DrawingMark, { kind: 'text' }>> = {},
    ): void => {
      marks.push({ kind: 'text', ...position, text: label, size, fill, ...style }); // bounded: labels
    };
    // Title, lines of the y axis, and labels of both axes. Distances are multiples of the font size.
    write({ x: left, y: top + 1.1 * size }, title, colors.text, { weight: 600 });
    for (const tick of ticks) {
      const isBaseline = tick === low;
      // bounded: ticks
      marks.push({
        kind: 'line',
        points: [
          [inner.left, y(tick)],
          [inner.right, y(tick)],
        ],
        stroke: isBaseline ? colors.text : colors.hairline,
        width: isBaseline ? 2 : 1,
      });
      write({ x: inner.left - 0.6 * size, y: y(tick) + 0.35 * size }, text(tick), colors.muted, {
        anchor: 'end',
        size: 0.85 * size,
      });
    }
    for (const density of [1, 0.8, 0.6, 0.4, 0.2]) {
      write({ x: x(density), y: inner.bottom + 1.5 * size }, densityText(density), colors.muted, {
        anchor: 'middle',
        size: 0.85 * size,
      });
    }
    write({ x: inner.right, y: inner.bottom + 2.8 * size }, 'density', colors.muted, {
      anchor: 'end',
      size: 0.85 * size,
    });
    for (const { way, color, dash } of CURVES) {
      const curve = curveOf(points, way).flatMap((point) => {
        const value = valueOf(point);
        return value === null ? [] : [[x(point.density), y(value)] as const];
      });
      if (curve.length > 1) marks.push({ kind: 'line', points: curve, stroke: colors[color], width: 2.5, dash }); // bounded: curves
    }
    for (const [i, point] of points.entries()) {
      const value = valueOf(point);
      if (value === null) continue;
      const isCurrent = i === points.length - 1;
      // A model that was trained after pruning, or is stored in fewer bits, is on no curve.
      const isOffCurve = point.trained > 0 || point.valueType !== 'f16';
      // bounded: points
      marks.push({
        kind: 'dot',
        x: x(point.density),
        y: y(value),
        radius: isCurrent ? 0.5 * size : 0.26 * size,
        fill: isOffCurve ? colors.pruned : colors.text,
        ...(isCurrent && { stroke: colors.ground }),
      });
      if (!isCurrent) continue;
      // The newest point has its name next to it, on the side with more space: left of a point in the right half.
      const isInRightHalf = x(point.density) > (inner.left + inner.right) / 2;
      const name = pointName(point);
      const namePosition = {
        x: x(point.density) + (isInRightHalf ? -0.9 : 0.9) * size,
        y: Math.max(inner.top + size, y(value) - 0.6 * size),
      };
      // A background makes the name legible above curves; letters are about 0.57 of the font size wide.
      const nameWidth = 0.57 * size * name.length;
      // bounded: points
      marks.push({
        kind: 'rect',
        x: isInRightHalf ? namePosition.x - nameWidth : namePosition.x,
        y: namePosition.y - size,
        width: nameWidth,
        height: 1.3 * size,
        fill: colors.ground,
        alpha: 0.85,
      });
      write(namePosition, name, colors.text, { anchor: isInRightHalf ? 'end' : 'start', weight: 600 });
    }
  }
}
