import type { StatisticChart, StatisticMark } from '../../../../core/comparison/comparison.ts';
import type { AnyListedFormat } from '../../../../core/format.ts';
import type { FormatParams } from '../../../../state/index.ts';
import type { Comparison } from '../../../../engine/matrix/types.ts';
import type { FormatVerdict } from '../../../../engine/matrix/verdicts.ts';
import type { ChartHeadLabel } from '../../../../kit/charts/ChartWords.tsx';
import { cssTextColorOf } from '../../../../kit/format-color.ts';

export interface StatisticChartsProps {
  readonly comparison: Comparison;
  /** of the matrix, for file names of saved charts */
  readonly caption: string;
  readonly onParams: (format: string, params: FormatParams) => void;
}

/** Properties shared by all charts. */
export interface ChartParts extends StatisticChartsProps {
  readonly marks: readonly PlacedMark[];
}

/** Size of each chart of statistics, px. */
export const HEIGHT = 236;

/** A mark with its format. */
export interface PlacedMark {
  readonly id: string;
  readonly format: AnyListedFormat;
  readonly mark: StatisticMark<FormatParams>;
  /** it belongs to the current parameters */
  readonly isSet: boolean;
}

/** The marks of all formats in a chart, in format order. */
export function marksOf(
  formats: readonly AnyListedFormat[],
  verdicts: Readonly<Record<string, FormatVerdict>>,
  params: Readonly<Record<string, FormatParams>>,
  isIn: (chart: StatisticChart) => boolean,
): readonly PlacedMark[] {
  return formats.flatMap((format) =>
    (verdicts[format.id]?.marks ?? [])
      .filter(({ chart }) => isIn(chart))
      .map((found, i) => {
        const mark = found as StatisticMark<FormatParams>;
        const own = params[format.id] ?? {};
        const isSet = Object.entries(mark.params ?? {}).every(([name, value]) => own[name] === value);
        return { id: `${format.id} ${i}`, format, mark, isSet: mark.params !== undefined && isSet };
      }),
  );
}

/** Names of marks above a chart. */
export function headsOf(marks: readonly PlacedMark[]): readonly ChartHeadLabel[] {
  return marks.map(({ id, format, mark }) => ({
    id,
    x: mark.at,
    title: mark.title,
    text: mark.lines.join(', '),
    color: cssTextColorOf(format.id),
  }));
}
