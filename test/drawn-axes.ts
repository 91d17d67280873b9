import { readFileSync } from 'node:fs';
import { compile } from 'tailwindcss';
import { expect } from 'vitest';

/* Parses the SVG markup of charts, and converts positions in px back to numbers, by the tick labels of the axes. */

const SHEET = readFileSync('src/kit/styles/index.css', 'utf8');
// Tailwind with the theme of the page: it adds a rule for each utility class, and none for other classes.
const utilities = await compile(`${/@theme inline \{.*?\n\}/s.exec(SHEET)?.[0]}\n@tailwind utilities;`);
/** Whether a class only styles, by its name: at first the primitives, then also what isStyle has found. */
const styleClasses = new Map(
  [...readFileSync('src/kit/styles/primitives.css', 'utf8').matchAll(/^\.([\w-]+) \{/gm)].map(([, name]) => [
    name,
    true,
  ]),
);

/** Whether a class only styles an element: a primitive, or a utility, for which Tailwind adds a rule. */
function isStyle(name: string): boolean {
  const isStyleClass = styleClasses.get(name) ?? utilities.build([]).length < utilities.build([name]).length;
  styleClasses.set(name, isStyleClass);
  return isStyleClass;
}

/** An element of a drawing with its attributes; for a text also its content. */
export interface Drawn {
  readonly tag: string;
  readonly text: string;
  /** attributes by name */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A class list without the classes that only style. */
const markClasses = (classList: string): string =>
  classList
    .split(' ')
    .filter((name) => !isStyle(name))
    .join(' ');

/** The elements of a drawing, in order; classes of primitives are omitted. */
export function drawnIn(markup: string): readonly Drawn[] {
  const elements = markup.matchAll(/<(text|circle|line|path|rect)((?: [\w-]+="[^"]*")*)(?:\/>|>(.*?)<\/\1>)/gs);
  return [...elements].map(([, tag, attributeText, inside = '']) => ({
    tag,
    text: inside
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&#x27;', "'"),
    attributes: Object.fromEntries(
      [...attributeText.matchAll(/([\w-]+)="([^"]*)"/g)]
        .map(([, name, value]) => [name, name === 'class' ? markClasses(value) : value])
        .filter(([name, value]) => name !== 'class' || value !== ''),
    ),
  }));
}

/** Converts a position along an axis, in px, to the number at this position. */
export type Reading = (px: number) => number;

/**
 * Returns the conversion of an axis from its tick labels. The first and the last tick define it; the test fails if a tick
 * between them is off by more than 0.5 % of the axis.
 */
export function readingOf(ticks: readonly (readonly [px: number, value: number])[], scale: 'linear' | 'log'): Reading {
  expect(ticks.length).toBeGreaterThan(1);
  const scaled = (value: number): number => (scale === 'log' ? Math.log(value) : value);
  const sorted = ticks.toSorted(([a], [b]) => a - b);
  const [[from, low], [to, high]] = [sorted[0], sorted[sorted.length - 1]];
  const slope = (scaled(high) - scaled(low)) / (to - from);
  const scaledAt = (px: number): number => scaled(low) + (px - from) * slope;
  for (const [px, value] of ticks) {
    expect(Math.abs(scaledAt(px) - scaled(value)), `${value} at ${px} px`).toBeLessThan(
      0.005 * Math.abs(scaled(high) - scaled(low)),
    );
  }
  return (px) => (scale === 'log' ? Math.exp(scaledAt(px)) : scaledAt(px));
}

const UNITS: Readonly<Record<string, number>> = { '%': 0.01, k: 1e3, M: 1e6 };

/** The number of a tick label: '1/4', '50 %', '3k' or '−2'. */
export function tickOf(text: string): number {
  const plain = text.replaceAll('\u202f', '').replace('−', '-');
  const [, digits, denominator = '1', unit] = /^(-?[\d.]+(?:e-?\d+)?)(?:\/(\d+))?(.*)$/.exec(plain) ?? [];
  expect(digits, `'${text}' is no number`).toBeDefined();
  return (Number(digits) / Number(denominator)) * (UNITS[unit] ?? 1);
}

/** Both axes of a chart: the labels of the y axis end at its left edge, and the labels of the x axis are centred below it. */
export function axesOf(
  drawn: readonly Drawn[],
  scales: { readonly x: 'linear' | 'log'; readonly y: 'linear' | 'log' },
) {
  const texts = drawn.filter(({ tag, attributes }) => tag === 'text' && attributes.class === undefined);
  const yLabels = texts.filter(({ attributes }) => attributes.dy === '0.35em' && attributes['text-anchor'] === 'end');
  const lowestY = Math.max(
    ...texts
      .filter(({ attributes }) => attributes['text-anchor'] === 'middle')
      .map(({ attributes }) => Number(attributes.y)),
  );
  const xLabels = texts.filter(
    ({ attributes }) => attributes['text-anchor'] === 'middle' && Number(attributes.y) === lowestY,
  );
  return {
    x: readingOf(
      xLabels.map(({ attributes, text }) => [Number(attributes.x), tickOf(text)]),
      scales.x,
    ),
    y: readingOf(
      yLabels.map(({ attributes, text }) => [Number(attributes.y), tickOf(text)]),
      scales.y,
    ),
  };
}
