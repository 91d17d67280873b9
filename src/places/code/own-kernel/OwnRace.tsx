import type { BenchReport, BenchRow } from '../../../core/report.ts';
import { sharedRounds } from '../../../core/bench/shared-rounds.ts';
import { largest, median } from '../../../core/number/statistics.ts';
import { counted } from '../../../core/story/words.ts';
import { ownId } from '../../../own/source.ts';
import { useApp } from '../../../kit/app-context.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { noCardOf, withMark } from '../../../kit/words/no-card.ts';
import { percent, ratio, time } from '../../../kit/words/quantity.ts';

interface OwnRaceProps {
  readonly report: BenchReport;
  /** of the format's draft */
  readonly name: string;
  readonly title: string;
}

/** A kernel that took part. */
interface Raced {
  readonly row: BenchRow;
  readonly medianNs: number;
  readonly spreadNs: number;
  /** how many times as long as the kernel of one's own it takes, of the rounds of both; null without the other */
  readonly vsOwn: number | null;
}

/** What the race says, from fast to slow. */
export function racedRows({ rows }: Pick<BenchReport, 'rows'>, ownFormat: string): readonly Raced[] {
  const own = rows.find(({ format }) => format === ownFormat);
  return rows
    .flatMap((row): readonly Raced[] => {
      const { medianNs, p10Ns, p90Ns, verified } = row;
      if (medianNs === null || p10Ns === null || p90Ns === null || !verified.ok) return [];
      const { a, b } = own ? sharedRounds(own, row) : { a: [], b: [] };
      const isRead = a.length > 0 && !a.includes(0) && !b.includes(0);
      const vsOwn = isRead ? median(a.map((ns, i) => b[i] / ns)) : null;
      return [{ row, medianNs, spreadNs: (p90Ns - p10Ns) / 2, vsOwn }];
    })
    .toSorted((a, b) => a.medianNs - b.medianNs);
}

/** The kernel of one's own beside the fastest of every format that takes the matrix. */
export function OwnRace({ report, name, title }: OwnRaceProps) {
  const { formats } = useApp();
  const id = ownId(name);
  const all = racedRows(report, id);
  const mark = noCardOf(report);
  const longest = largest(all.map(({ medianNs }) => medianNs));
  const titleOf = (format: string): string =>
    format === id ? title : (formats.find((one) => one.id === format)?.title ?? format);
  if (all.length === 0) return null;
  const rounds = largest(all.map(({ row }) => row.samplesNs.length));
  return (
    <Section title="Beside the others" aside={withMark(`${counted(rounds, 'round')}, cold`, mark)}>
      <table className="table own-race">
        <caption className="unseen">Time of one product, from fast to slow</caption>
        <thead>
          <tr>
            <th scope="col">Format</th>
            <th scope="col">Kernel</th>
            <th scope="col" className="number">
              Time
            </th>
            <th scope="col" className="number">
              Against yours
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map(({ row, medianNs, spreadNs, vsOwn }) => {
            const isOwn = row.format === id;
            return (
              <tr key={row.kernel} className={isOwn ? 'own-race-own' : undefined}>
                <th scope="row">
                  {isOwn ? <span className="own-mark" aria-hidden="true" /> : <Swatch format={row.format} />}{' '}
                  {titleOf(row.format)}
                </th>
                <td>{isOwn ? 'yours' : row.kernel.slice(row.kernel.indexOf('/') + 1)}</td>
                <td className="number">
                  <span className="own-race-bar" style={{ inlineSize: `${(60 * medianNs) / longest}px` }} />{' '}
                  {withMark(time(medianNs, report.clock.quantumNs), mark)} ± {percent(spreadNs / medianNs, 0)}
                </td>
                <td className="number">{isOwn || vsOwn === null ? '–' : `${ratio(vsOwn)} as long`}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}
