import { capitalised, countText } from '../../../core/story/words.ts';
import { CountChart } from '../../../kit/charts/CountChart.tsx';
import { binned, firstUsed, lastUsed } from '../../../kit/charts/histogram.ts';
import { type Kind, KIND_WORDS, type KindCounts, unitOf } from './kinds.ts';
import { oneDecimal } from '../../../kit/words/rates.ts';

export interface CostHistogramProps {
  readonly kernel: string;
  readonly kind: Kind;
  readonly counts: KindCounts;
  /** the same in both charts: the most that a load costs in either kernel */
  readonly most: number;
}

const HEIGHT = 190;
const MOST_BARS = 40;

/** How many loads of the whole matrix cost how many lines or turns. */
export function CostHistogram({ kernel, kind, counts, most }: CostHistogramProps) {
  const { histogram, loads, cost } = counts;
  const [least, last] = [firstUsed(histogram), lastUsed(histogram)];
  const mean = cost / loads;
  const unit = unitOf(counts);
  const title = `${capitalised(unit)}s of each of the ${KIND_WORDS[kind].loads}, ${kernel}`;
  const range = least === last ? `${last}` : `${least} to ${last}`;
  const caption = `${countText(loads)} of the whole matrix: ${range} ${unit}s, ${oneDecimal(mean)} on average`;
  return (
    <CountChart
      id={`${unit}s-${kind}-${kernel.replace('/', '-')}`}
      heading={{ title, caption }}
      spoken={`${title}: ${caption}.`}
      what="loads"
      along={`${unit}s of a load`}
      bins={binned(histogram, { first: 1, last: Math.max(most, last), most: MOST_BARS })}
      limit={null}
      lines={[{ id: 'mean', at: mean }]}
      heads={[{ id: 'mean', x: mean, title: 'mean', text: oneDecimal(mean) }]}
      height={HEIGHT}
    />
  );
}
