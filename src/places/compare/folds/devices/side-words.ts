import { capitalised, listText } from '../../../../core/story/words.ts';
import type { Words } from '../../../../core/story/scene.ts';
import type { ChartFigures } from '../../../../kit/charts/chart-csv.ts';
import { ratio as ratioText } from '../../../../kit/words/quantity.ts';
import { roughDensity } from '../../../../kit/words/shares.ts';
import { speedAt } from '../../curves/measured-speeds.ts';
import { changesOfPlace, lineOf, passing, type Side, type SideLine, type SpeedOf } from './sides.ts';

/** Densities at which the table gives the gain. */
const GAINS = [0.5, 0.3, 0.1] as const;

/** Behind a figure that is not measured by this project. */
export const BY_WORDS: Readonly<Record<SpeedOf, string>> = {
  measured: '',
  published: ', published',
  bound: ', at most, by bytes',
};

/** 'passes dense below 0.62', 'never passes dense from 0.05 to 0.9' */
export function passingText(line: Pick<SideLine, 'points'>, reference: string): string {
  const { at, between, startsFaster, from, to } = passing(line);
  const [least, most] = [roughDensity(from), roughDensity(to)];
  const range = least === most ? `at ${least}` : `from ${least} to ${most}`;
  if (between.length > 0) {
    const [[low, high]] = between;
    const side = startsFaster ? 'is behind' : 'is ahead of it';
    return `passes ${reference} somewhere from ${roughDensity(low)}, its last measurement, to ${roughDensity(high)}, where it ${side}`;
  }
  if (at.length === 0) {
    return startsFaster ? `is ahead of ${reference} ${range}` : `stays behind ${reference} ${range}`;
  }
  const [first, second] = at;
  if (at.length === 1) return `passes ${reference} ${startsFaster ? 'below' : 'above'} ${roughDensity(first)}`;
  return startsFaster
    ? `passes ${reference} below ${roughDensity(first)} and above ${roughDensity(second)}`
    : `passes ${reference} from ${roughDensity(first)} to ${roughDensity(second)}`;
}

/**
 * Where a format passes dense on each device, in one sentence: measured devices first, then published figures, then,
 * once, what bytes allow.
 */
export function sideSentence(
  sides: readonly Side[],
  format: { readonly id: string; readonly title: string } | null,
  reference: string,
): readonly Words[] {
  if (format === null)
    return [{ text: 'No speeds of this shape are known: choose another shape, or further devices.' }];
  const found = sides.flatMap((side) => {
    const line = lineOf(side, format.id);
    return line ? [{ side, line }] : [];
  });
  const timed = (['measured', 'published'] as const).flatMap((by) => found.filter(({ line }) => line.by === by));
  const bounded = found.filter(({ line }) => line.by === 'bound');
  const parts = timed.map(({ side, line }, i): readonly Words[] => {
    const said = passingText(line, reference);
    const turn = said.startsWith('passes');
    // The verb is said once.
    const previous = i > 0 ? passingText(timed[i - 1].line, reference) : '';
    const short = i > 0 && turn && previous.startsWith('passes') ? said.replace(`passes ${reference} `, '') : said;
    const name = `on ${side.name}${line.by === 'published' ? ', as published,' : ''} `;
    return [
      {
        text: `${i === 0 ? '' : '; '}${i === 0 ? capitalised(name) : name}${i === 0 ? `${format.title} ` : short === said ? 'it ' : ''}`,
      },
      { text: short, ...(turn && { strong: true as const }) },
    ];
  });
  const [bound] = bounded;
  const allowed: readonly Words[] =
    bound === undefined
      ? []
      : [
          {
            text: `${parts.length === 0 ? `${format.title} is not measured on these devices: b` : '; b'}y bytes alone it ${passingText(bound.line, reference)}`,
          },
        ];
  if (parts.length + allowed.length === 0) {
    return [{ text: `${format.title} has no speeds of this shape on these devices.` }];
  }
  return [...parts.flat(), ...allowed, { text: '.' }];
}

/** Why nothing ranks a device's formats over the densities. */
export function unrankedText({ lines }: Pick<Side, 'lines'>): string {
  return lines.length === 0 ? NO_TIMES : `measured at density ${roughDensity(lines[0].points[0].density)} only`;
}

const NO_TIMES = 'no times of this shape';

/** 'MACKO to 0.62, then dense' */
export function rankingText({ fastest }: Pick<Side, 'fastest'>): string {
  if (fastest.length === 0) return '–';
  return fastest
    .flatMap(({ winner, from, to }, i) => [
      ...(i > 0 && from - fastest[i - 1].to > 1e-4 ? [`unknown to ${roughDensity(from)}`] : []),
      i === fastest.length - 1 ? winner : `${winner} to ${roughDensity(to)}`,
    ])
    .join(', then ');
}

/** Where the speeds of a row come from. */
const FROM: Readonly<Record<SpeedOf, string>> = {
  measured: 'measured',
  published: 'published',
  bound: 'at most, by bytes',
};

/** The table: a row for each device, in their order. */
export function sideFigures(
  sides: readonly Side[],
  format: { readonly id: string; readonly title: string } | null,
  reference: string,
): ChartFigures {
  const of = format?.title ?? 'the format';
  return {
    head: [
      'device',
      'speeds',
      'f32 multiply-adds per byte',
      'fastest, by density',
      `${of} passes ${reference}`,
      ...GAINS.map((density) => `${of} at ${density}`),
    ],
    rows: sides.map((side) => {
      const { device, perByte, lines, fastest } = side;
      const line = format ? lineOf(side, format.id) : undefined;
      const gains = GAINS.map((density) => (line ? speedAt(line.points, density) : null));
      const where = line ? passingText(line, reference).replace(`passes ${reference} `, '') : '–';
      const from = lines.length === 0 ? NO_TIMES : FROM[lines[0].by];
      const atMost = line?.by === 'bound' ? '≤\u00a0' : '';
      const ranking = rankingText({ fastest });
      return {
        name: device.label,
        cells: [
          from,
          perByte === null ? '–' : perByteText(perByte),
          ranking,
          where,
          ...gains.map((gain) => (gain === null ? '–' : `${atMost}${ratioText(gain)}`)),
        ],
        values: [device.label, from, perByte, ranking, where, ...gains],
      };
    }),
  };
}

export function perByteText(perByte: number): string {
  return perByte < 10 ? perByte.toFixed(1) : String(Math.round(perByte));
}

/** 'bitmask and MACKO at 0.57; CSR and MACKO at 0.067': every pair of formats of a device that change places. */
export function changesText({ lines }: Pick<Side, 'lines'>): string {
  const pairs = lines.flatMap((a, i) =>
    lines.slice(i + 1).flatMap((b) => {
      const at = changesOfPlace(a, b);
      return at.length === 0 ? [] : [`${a.title} and ${b.title} at ${listText(at.map(roughDensity))}`];
    }),
  );
  return pairs.length === 0 ? 'no two formats change places' : pairs.join('; ');
}
