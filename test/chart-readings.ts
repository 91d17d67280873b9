import { axesOf, type Drawn, drawnIn } from './drawn-axes.ts';
import { tableIn } from './drawn-page.ts';

/* The contents of a chart by the numbers along its axes, for a file to read next to the chart's table. */

type Scale = 'linear' | 'log';

const digits = (value: number): string => String(Number(value.toPrecision(4)) + 0);

/** Positions along a path, in px; a step to the right by 0 is a dot, one by more a square or a ring. */
function positionsOf(path: string): readonly (readonly [x: number, y: number])[] {
  const numbers = path.matchAll(/[MLC,](-?[\d.]+)[, ](-?[\d.]+)(?=[A-Za-z]|$)/g);
  return [...numbers].map(([, x, y]) => [Number(x), Number(y)] as const);
}

/** At most this many positions of a line. */
function some<T>(all: readonly T[], atMost: number): readonly T[] {
  const last = all.length - 1;
  return all.length <= atMost
    ? all
    : Array.from({ length: atMost }, (_, i) => all[Math.round((i * last) / (atMost - 1))]);
}

/** Each mark of a chart, positioned by its axes, and each button whose name begins so; then its spoken name and table. */
export function readingsOf(
  markup: string,
  scales: { readonly x: Scale; readonly y: Scale },
  named: string | null = null,
): string {
  const drawn = drawnIn(markup);
  const { x, y } = axesOf(drawn, scales);
  const at = (px: number | string, py: number | string): string =>
    `${digits(x(Number(px)))} | ${digits(y(Number(py)))}`;
  const lineOf = ({ tag, of, text }: Drawn): string => {
    if (tag === 'text') return `'${text}' at ${digits(x(Number(of.x)))}`;
    if (tag === 'circle') return `at ${at(of.cx, of.cy)}`;
    if (tag === 'line') return `from ${at(of.x1, of.y1)} to ${at(of.x2, of.y2)}`;
    if (tag === 'rect') {
      const [left, top] = [Number(of.x), Number(of.y)];
      return `from ${at(left, top)} to ${at(left + Number(of.width), top + Number(of.height))}`;
    }
    const positions = positionsOf(of.d);
    return `${positions.length} places: ${some(positions, 12)
      .map(([px, py]) => at(px, py))
      .join(', ')}`;
  };
  const isFrame = ({ of }: Drawn): boolean => of.class === 'plot-grid' || of.class === 'plot-axis';
  const marks = drawn
    .filter((one) => !isFrame(one) && (one.tag !== 'text' || one.text !== '') && !Object.values(one.of).includes('NaN'))
    .map((one) => `${one.tag}${one.of.class === undefined ? '' : ` ${one.of.class}`} ${lineOf(one)}`);
  const buttons = markup.matchAll(/aria-label="([^"]*)" style="left: ([\d.]+)px; top: ([\d.]+)px;?"/g);
  const own = [...buttons]
    .filter(([, name]) => named !== null && name.startsWith(named))
    .map(([, name, left, top]) => `button '${name}' at ${at(left, top)}`);
  const spoken = /role="img" aria-label="([^"]*)"/.exec(markup)?.[1] ?? '';
  return [...marks, ...own, `said: ${spoken}`, ...tableIn(markup).map((row) => row.join(' | '))].join('\n');
}
