import type { Axis } from '../../../../kit/charts/axis.ts';
import { powersBetween } from '../../../../kit/charts/axis.ts';
import { Chart } from '../../../../kit/charts/Chart.tsx';
import type { Rule, Series } from '../../../../kit/charts/series.ts';
import { SectionHead } from '../../../../kit/controls/Section.tsx';
import { cssColorOf, cssTextColorOf } from '../../../../kit/format-color.ts';
import { ratioScale, tickText } from '../../../../kit/report/report-view.ts';
import { density as densityText, ratio as ratioText } from '../../../../kit/words/quantity.ts';
import { type MeasuredSpeed, speedAt } from '../../curves/measured-speeds.ts';
import { BY_WORDS, perByteText } from './side-words.ts';
import type { Side, SideLine, SpeedOf } from './sides.ts';

interface WhyChartProps {
  readonly sides: readonly Side[];
  /** density */
  readonly at: number;
  readonly reference: string;
  readonly wide: boolean;
}

/** A format on a device at one density. */
interface Dot {
  readonly side: Side;
  readonly number: number;
  readonly line: SideLine;
  readonly x: number;
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

const KIND = { measured: 'encoded', published: 'published', bound: 'live' } as const satisfies Record<
  SpeedOf,
  Series['kind']
>;

const EVEN: readonly Rule[] = [{ id: 'even', at: 1, title: null, kind: 'solid' }];

/** Speed at one density over what a device computes while it reads a byte. */
export function WhyChart({ sides, at, reference, wide }: WhyChartProps) {
  const dots = dotsOf(sides, at);
  const placed = sides.filter((side) => side.perByte !== null && dots.some((dot) => dot.side === side));
  if (placed.length < 2) {
    return (
      <p className="field-hint">
        Two devices with speeds at density {densityText(at)}, and a known speed of arithmetic, make a chart of why.
      </p>
    );
  }
  const xs = placed.map(({ perByte }) => perByte ?? 1);
  // bounded: a number for each of at most six devices
  const [least, most] = [Math.min(...xs) / 1.4, Math.max(...xs) * 1.4];
  const x: Axis = {
    scale: 'log',
    domain: [least, most],
    ticks: powersBetween(least, most, 2),
    text: (value) => String(Number(value.toPrecision(2))),
    title: 'f32 multiply-adds per byte, logarithmic',
  };
  const { domain, ticks } = ratioScale(dots.map(({ ratio }) => ratio));
  const y: Axis = { scale: 'log', domain, ticks, text: tickText, title: `speed against ${reference}` };
  const heading = {
    title: `Why: speed at density ${densityText(at)} over multiply-adds per byte`,
    caption: 'dots: measured · squares: published · rings: at most, by bytes',
  };
  // A library's own kernel of a format has another name than ours.
  const formats = [...new Map(dots.map(({ line }) => [line.title, line.format]))];
  const series = formats.flatMap(([title, format]) => {
    const own = dots.filter(({ line }) => line.title === title);
    const kinds = (['measured', 'published', 'bound'] as const).filter((by) => own.some(({ line }) => line.by === by));
    return kinds.map((by, i): Series => ({
      id: `${title} ${by}`,
      group: format,
      kind: KIND[by],
      title: i === 0 ? title : null,
      color: cssColorOf(format),
      textColor: cssTextColorOf(format),
      join: 'none',
      points: own
        .filter(({ line }) => line.by === by)
        .map((dot) => ({
          x: dot.x,
          y: dot.ratio,
          ...(dot.low < dot.high && { low: dot.low, high: dot.high }),
        })),
    }));
  });
  const heads = placed.map((side) => ({
    id: side.device.id,
    x: side.perByte ?? 1,
    title: wide ? side.name : String(sides.indexOf(side) + 1),
    text: wide ? perByteText(side.perByte ?? 0) : '',
  }));
  const spoken = dots.map(({ side, line, ratio }) => `${line.title} on ${side.name} ${ratioText(ratio)}`).join(', ');
  return (
    <>
      <SectionHead level={3} {...heading} />
      <p className="field-hint">
        A device that computes more while it reads a byte waits longer for memory: a byte saved gains more, and what a
        format computes costs less. Published speeds are against another dense kernel.
        {!wide && ' Devices have their numbers.'}
      </p>
      <Chart
        id="speed-by-multiply-adds-per-byte"
        heading={heading}
        spoken={`${heading.title}: ${spoken}.`}
        x={x}
        y={y}
        height={wide ? 320 : 280}
        series={series}
        rules={EVEN}
        heads={heads}
        figures={() => ({
          head: ['device', 'f32 multiply-adds per byte', ...formats.map(([title]) => title)],
          rows: sides.map((side) => {
            const own = formats.map(([title]) => dots.find((dot) => dot.side === side && dot.line.title === title));
            return {
              name: side.device.label,
              cells: [
                side.perByte === null ? '–' : perByteText(side.perByte),
                ...own.map((dot) => (dot ? `${ratioText(dot.ratio)}${BY_WORDS[dot.line.by]}` : '–')),
              ],
              values: [side.device.label, side.perByte, ...own.map((dot) => dot?.ratio ?? null)],
            };
          }),
        })}
      />
    </>
  );
}

function dotsOf(sides: readonly Side[], at: number): readonly Dot[] {
  return sides.flatMap((side, i) => {
    const x = side.perByte;
    if (x === null) return [];
    return side.lines.flatMap((line): readonly Dot[] => {
      const ratio = speedAt(line.points, at);
      if (ratio === null) return [];
      const spread = nearest(line.points, at);
      return [
        {
          side,
          number: i + 1,
          line,
          x,
          ratio,
          low: ratio * (spread.p10 / spread.ratio),
          high: ratio * (spread.p90 / spread.ratio),
        },
      ];
    });
  });
}

/** The spread of the nearest measurement, by which what lies between two is drawn. */
function nearest(points: readonly MeasuredSpeed[], at: number): MeasuredSpeed {
  return points.reduce((best, point) => (Math.abs(point.density - at) < Math.abs(best.density - at) ? point : best));
}
