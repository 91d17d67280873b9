// The table that compares the times of a user's kernel with those of other formats.

import type { BenchReport, BenchRow } from '../../../../src/core/report.ts';
import { sharedRounds } from '../../../../src/core/bench/shared-rounds.ts';
import { largest } from '../../../../src/core/number/statistics.ts';
import { counted } from '../../../../src/core/text/words.ts';
import { userFormatId } from '../../own/user-format-source.ts';
import { useApp } from '../../../../src/kit/app-context.ts';
import { Section } from '../../../../src/kit/controls/Section.tsx';
import { Swatch } from '../../../../src/kit/controls/Swatch.tsx';
import { substituteOf, withSubstitute } from '../../../../src/kit/words/ran-instead.ts';
import { percent, ratio, time } from '../../../../src/kit/words/quantity.ts';
import { speedFromTimes } from '../../../../src/kit/words/speed-of.ts';

interface UserKernelRaceProps {
  readonly report: BenchReport;
  /** the format's name in its address */
  readonly name: string;
  readonly title: string;
}

/** A kernel in the table of times. */
interface RaceRow {
  readonly row: BenchRow;
  readonly medianNs: number;
  /** half of the distance from the 10th to the 90th percentile */
  readonly spreadNs: number;
  /** its time over the time of the user's kernel; null if no rounds timed both */
  readonly vsUserKernel: number | null;
}

/** The correct kernels of a report that were timed, fastest first. */
export function raceRows({ rows }: Pick<BenchReport, 'rows'>, formatId: string): readonly RaceRow[] {
  const userRow = rows.find(({ format }) => format === formatId);
  return rows
    .flatMap((row): readonly RaceRow[] => {
      const { medianNs, p10Ns, p90Ns, verified } = row;
      if (medianNs === null || p10Ns === null || p90Ns === null || !verified.ok) return [];
      const { a, b } = userRow ? sharedRounds(userRow, row) : { a: [], b: [] };
      const isTimed = a.length > 0 && !a.includes(0) && !b.includes(0);
      const vsUserKernel = isTimed ? speedFromTimes(userRow?.medianNs, medianNs).ratio : null;
      return [{ row, medianNs, spreadNs: (p90Ns - p10Ns) / 2, vsUserKernel }];
    })
    .toSorted((a, b) => a.medianNs - b.medianNs);
}

/** A table of times: the user's kernel, and the fastest of every other format that can store the matrix. */
export function UserKernelRace({ report, name, title }: UserKernelRaceProps) {
  const { formats } = useApp();
  const id = userFormatId(name);
  const rows = raceRows(report, id);
  const substitute = substituteOf(report);
  const longest = largest(rows.map(({ medianNs }) => medianNs));
  const titleOf = (format: string): string =>
    format === id ? title : (formats.find((candidate) => candidate.id === format)?.title ?? format);
  if (rows.length === 0) return null;
  const rounds = largest(rows.map(({ row }) => row.samplesNs.length));
  return (
    <Section
      title="Compared with other formats"
      aside={withSubstitute(`${counted(rounds, 'round')}, cold`, substitute)}
    >
      <table className="table">
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
          {rows.map(({ row, medianNs, spreadNs, vsUserKernel }) => {
            const isUserKernel = row.format === id;
            return (
              <tr key={row.kernel} className={isUserKernel ? 'font-semibold' : undefined}>
                <th scope="row">
                  {isUserKernel ? (
                    <span className="inline-block size-[9px] border-2 border-ink" aria-hidden="true" />
                  ) : (
                    <Swatch format={row.format} />
                  )}{' '}
                  {titleOf(row.format)}
                </th>
                <td>{isUserKernel ? 'yours' : row.kernel.slice(row.kernel.indexOf('/') + 1)}</td>
                <td className="number">
                  <span
                    className="inline-block h-[6px] bg-muted align-middle"
                    style={{ inlineSize: `${(60 * medianNs) / longest}px` }}
                  />{' '}
                  {withSubstitute(time(medianNs), substitute)} ± {percent(spreadNs / medianNs, 0)}
                </td>
                <td className="number">
                  {isUserKernel || vsUserKernel === null ? '–' : `${ratio(vsUserKernel)} as long`}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Section>
  );
}
