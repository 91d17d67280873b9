import { countText } from '../../../core/story/words.ts';
import { CountChart } from '../../charts/CountChart.tsx';
import { binned, firstUsed, lastUsed } from '../../charts/histogram.ts';
import type { Kind, KindCounts } from './kinds.ts';

export interface CostHistogramProps {
  readonly kernel: string;
  readonly kind: Kind;
  readonly counts: KindCounts;
  /** the same in both charts: the most that a load costs in either kernel */
  readonly most: number;
}

const HEIGHT = 190;
const MOST_BARS = 40;

/** How many loads of the whole matrix touch how many lines. */
export function CostHistogram({ kernel, kind, counts, most }: CostHistogramProps) {
  const { histogram, loads, cost } = counts;
  const [least, last] = [firstUsed(histogram), lastUsed(histogram)];
  const mean = cost / loads;
  const title = `Lines that a load of ${kind} touches, ${kernel}`;
  const range = least === last ? `${last}` : `${least} to ${last}`;
  const caption = `${countText(loads)} loads of the whole matrix touch ${range} lines, ${mean.toFixed(1)} on average`;
  return (
    <CountChart
      id={`lines-${kind}-${kernel.replace('/', '-')}`}
      heading={{ title, caption }}
      spoken={`${title}: ${caption}.`}
      what="loads"
      along="lines of a load"
      bins={binned(histogram, { first: 1, last: Math.max(most, last), most: MOST_BARS })}
      limit={null}
      lines={[{ id: 'mean', at: mean }]}
      heads={[{ id: 'mean', x: mean, title: 'mean', text: mean.toFixed(1) }]}
      height={HEIGHT}
    />
  );
}
