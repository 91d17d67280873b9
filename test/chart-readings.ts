import { axesOf, type Drawn, drawnIn } from './drawn-axes.ts';
import { tableIn } from './drawn-page.ts';

/* Writes a chart as text for snapshots: each mark with its position as numbers of the axes, then the chart's table. */

type Scale = 'linear' | 'log';

const digits = (value: number): string => String(Number(value.toPrecision(4)) + 0);

/** Positions along an SVG path, in px. Commands like 'h0' after a position draw a dot, square or ring there. */
function positionsOf(path: string): readonly (readonly [x: number, y: number])[] {
  const numbers = path.matchAll(/[MLC,](-?[\d.]+)[, ](-?[\d.]+)(?=[A-Za-z]|$)/g);
  return [...numbers].map(([, x, y]) => [Number(x), Number(y)] as const);
}

/** The list, or `atMost` evenly spaced elements of it. */
function sampled<T>(all: readonly T[], atMost: number): readonly T[] {
  const last = all.length - 1;
  return all.length <= atMost
    ? all
    : Array.from({ length: atMost }, (_, i) => all[Math.round((i * last) / (atMost - 1))]);
}

/** A line for each mark of a chart, each button whose name begins with `named`, the accessible name, and each row of the table. */
export function readingsOf(
  markup: string,
  scales: { readonly x: Scale; readonly y: Scale },
  named: string | null = null,
): string {
  const drawn = drawnIn(markup);
  const { x, y } = axesOf(drawn, scales);
  const positionText = (px: number | string, py: number | string): string =>
    `${digits(x(Number(px)))} | ${digits(y(Number(py)))}`;
  const lineOf = ({ tag, attributes, text }: Drawn): string => {
    if (tag === 'text') return `'${text}' at ${digits(x(Number(attributes.x)))}`;
    if (tag === 'circle') return `at ${positionText(attributes.cx, attributes.cy)}`;
    if (tag === 'line')
      return `from ${positionText(attributes.x1, attributes.y1)} to ${positionText(attributes.x2, attributes.y2)}`;
    if (tag === 'rect') {
      const [left, top] = [Number(attributes.x), Number(attributes.y)];
      return `from ${positionText(left, top)} to ${positionText(left + Number(attributes.width), top + Number(attributes.height))}`;
    }
    const positions = positionsOf(attributes.d);
    return `${positions.length} places: ${sampled(positions, 12)
      .map(([px, py]) => positionText(px, py))
      .join(', ')}`;
  };
  const isFrame = ({ attributes }: Drawn): boolean =>
    attributes.class === 'plot-grid' || attributes.class === 'plot-axis';
  const marks = drawn
    .filter(
      (mark) =>
        !isFrame(mark) && (mark.tag !== 'text' || mark.text !== '') && !Object.values(mark.attributes).includes('NaN'),
    )
    .map(
      (mark) => `${mark.tag}${mark.attributes.class === undefined ? '' : ` ${mark.attributes.class}`} ${lineOf(mark)}`,
    );
  const buttons = markup.matchAll(/aria-label="([^"]*)" style="left: ([\d.]+)px; top: ([\d.]+)px;?"/g);
  const buttonLines = [...buttons]
    .filter(([, name]) => named !== null && name.startsWith(named))
    .map(([, name, left, top]) => `button '${name}' at ${positionText(left, top)}`);
  const spoken = /role="img" aria-label="([^"]*)"/.exec(markup)?.[1] ?? '';
  return [...marks, ...buttonLines, `said: ${spoken}`, ...tableIn(markup).map((row) => row.join(' | '))].join('\n');
}
