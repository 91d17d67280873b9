import type { FormatParams } from '../../../../state/index.ts';
import type { Plot } from '../../../../kit/charts/plot.ts';
import type { PlacedMark, StatisticChartsProps } from './chart-parts.ts';
import { cssColorOf } from '../../../../kit/format-color.ts';

interface MarkLinesProps {
  readonly plot: Plot;
  readonly marks: readonly PlacedMark[];
  readonly ring?: (at: number) => number;
  /** offset of a limit to the right of its count: the edge of the last bar that fits */
  readonly shift?: number;
  readonly onParams: StatisticChartsProps['onParams'];
}

/** The limits of formats. A mark with parameters can be clicked; so can a button below the chart. */
export function MarkLines({ plot: { x, top, bottom }, marks, ring, shift = 0, onParams }: MarkLinesProps) {
  return marks.map(({ id, format, mark, isSet }) => {
    const at = x(mark.at + (mark.isLimit ? shift : 0));
    return (
      <g
        key={id}
        className="compare-mark"
        data-set={isSet ? '' : undefined}
        style={{ color: cssColorOf(format.id), cursor: mark.params ? 'pointer' : undefined }}
        onClick={mark.params ? () => onParams(format.id, mark.params as FormatParams) : undefined}
        aria-hidden="true"
      >
        <line x1={at} x2={at} y1={top - 4} y2={bottom} />
        {ring && <circle cx={at} cy={ring(mark.at)} r={4} />}
      </g>
    );
  });
}
