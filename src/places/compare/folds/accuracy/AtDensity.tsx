import { counted } from '../../../../core/story/words.ts';
import type { NetworkResult } from '../../service/network/types.ts';
import {
  bytes as bytesText,
  density as densityText,
  percent,
  time as timeText,
} from '../../../../kit/words/quantity.ts';
import { linesOf, nearest, type Run } from './figures.ts';
import { pruningText, type Way } from './plan.ts';
import { Swatch } from '../../../../kit/controls/Swatch.tsx';
import { SectionHead } from '../../../../kit/controls/Section.tsx';

export interface AtDensityProps {
  readonly runs: readonly Run[];
  readonly refused: readonly (NetworkResult & { readonly kind: 'refused' })[];
  readonly whole: Run | null;
  readonly at: number;
  readonly titleOf: (format: string) => string;
  /** the way of pruning that every format runs with */
  readonly way: Way | undefined;
}

/** The runs nearest to the cursor's density: bytes, accuracy and time, smallest first; then refusals. */
export function AtDensity({ runs, refused, whole, at, titleOf, way }: AtDensityProps) {
  const lines = linesOf(runs);
  const near = nearest(
    lines.filter((line) => line.way === way && line.way !== null),
    at,
  ).toSorted((a, b) => a.outcome.bytes - b.outcome.bytes);
  const rivals = nearest(
    lines.filter((line) => line.way !== way && line.way !== null),
    at,
  );
  const unpruned = runs.filter((run) => run.way === null);
  return (
    <div className="network-at">
      <SectionHead
        level={3}
        title={`At density ${densityText(at)}`}
        aside={near[0] && pruningText(near[0].choice.pruning)}
      />
      {near.length === 0 && <p className="field-hint">Nothing near this density has run yet.</p>}
      {near.length > 0 && <RunTable caption="Pruned" runs={near} whole={whole} titleOf={titleOf} />}
      {unpruned.length > 0 && (
        <>
          <h4 className="network-sub">Not pruned, quantised</h4>
          <RunTable caption="Not pruned" runs={unpruned} whole={whole} titleOf={titleOf} />
        </>
      )}
      {rivals.length > 0 && (
        <>
          <h4 className="network-sub">Pruned in another way</h4>
          <table className="table network-table">
            <caption className="unseen">Accuracy of other ways of pruning</caption>
            <tbody>
              {rivals.map((run) => (
                <tr key={pruningText(run.choice.pruning)}>
                  <th scope="row">{pruningText(run.choice.pruning)}</th>
                  <td className="number">{percent(run.accuracy, 2)}</td>
                  <td className="number faint">{counted(run.outcome.images - run.outcome.right, 'error')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      <Refused refused={refused} titleOf={titleOf} />
    </div>
  );
}

interface RunTableProps {
  readonly caption: string;
  readonly runs: readonly Run[];
  readonly whole: Run | null;
  readonly titleOf: (format: string) => string;
}

function RunTable({ caption, runs, whole, titleOf }: RunTableProps) {
  return (
    <table className="table network-table">
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">format</th>
          <th scope="col" className="number">
            bytes
          </th>
          <th scope="col" className="number">
            told right
          </th>
          <th scope="col" className="number">
            per image
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map(({ choice, valueType, outcome, accuracy, time }) => (
          <tr key={`${choice.format} ${valueType}`}>
            <th scope="row">
              <Swatch format={choice.format} />
              {titleOf(choice.format)} <span className="faint">{valueType}</span>
            </th>
            <td className="number">
              {bytesText(outcome.bytes)}
              {whole && <span className="network-share faint">{percent(outcome.bytes / whole.outcome.bytes, 0)}</span>}
            </td>
            <td className="number">{percent(accuracy, 2)}</td>
            <td className="number">{time === null ? '–' : timeText(time.median)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Each format's first reason for refusing. */
function Refused({ refused, titleOf }: Pick<AtDensityProps, 'refused' | 'titleOf'>) {
  const first = new Map(refused.toReversed().map((result) => [result.choice.format, result]));
  if (first.size === 0) return null;
  return (
    <>
      <h4 className="network-sub">Refused</h4>
      <ul className="network-refused">
        {[...first.values()].map(({ choice, reason }) => (
          <li key={choice.format}>
            <Swatch format={choice.format} />
            <strong>{titleOf(choice.format)}</strong>{' '}
            <span className="faint">
              {counted(refused.filter((r) => r.choice.format === choice.format).length, 'time')}, first at{' '}
              {pruningText(choice.pruning)}: {reason}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
