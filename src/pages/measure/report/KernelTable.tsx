import { NumberHeads } from '../../../kit/primitives/Boxes.tsx';
import { countText, withGroups } from '../../../core/text/words.ts';
import { useMemo, useState } from 'react';
import type { BenchReport, BenchRow } from '../../../core/report.ts';
import { percent } from '../../../kit/words/quantity.ts';
import { greyOf, type Substitute, substituteOf, withSubstitute } from '../../../kit/words/ran-instead.ts';
import { Select } from '../../../kit/controls/Select.tsx';
import { useApp } from '../../../kit/app-context.ts';
import { isOfSimpleKernel, SIMPLE_KERNEL } from '../../../kit/words/speed-of.ts';
import { outputName } from '../../../kit/report/operation-words.ts';
import {
  DRAWN_SAMPLES,
  drawnRatios,
  isUntimedSoftware,
  type Limit,
  hasArithmeticLimits,
  medianText,
  multiplyAddRate,
  nearestLimit,
  roundsBelowClock,
  sampleRatios,
  speedIn,
  samplesScale,
  sortedRows,
} from '../../../kit/report/report-view.ts';
import { useParamLabels, useTitleOf, kernelDetail, rejectionDetail } from '../../../kit/report/report-labels.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { cssColorOf } from '../../../kit/format-color.ts';
import { perSecond } from '../../../kit/words/rates.ts';
import { RatioStrip, TickRow } from './RatioStrip.tsx';

/** Kernels on one page of the table, since all samples of each are drawn. */
const PAGE_SIZE = 100;

/** The kernels of a run as a table: samples against dense, median, and share of the nearest limit. */
export function KernelTable({ report }: { readonly report: BenchReport }) {
  const { formats } = useApp();
  const isSimple = (row: BenchRow): boolean =>
    row.medianNs !== null && !row.draft && formats.some((format) => isOfSimpleKernel(format, row));
  const labelsOf = useParamLabels(report);
  const rows = sortedRows(report);
  const isTimed = !isUntimedSoftware(report);
  const substitute = substituteOf(report);
  const { domain, ticks } = useMemo(() => samplesScale(report), [report]);
  const hasLimit = report.readBandwidthGBps !== null;
  const hasArithmetic = hasArithmeticLimits(report);
  const resultColumns = isTimed && !hasLimit ? 2 : 3;
  const entryCount = rows.length + report.refused.length;
  const [chosenStart, setStart] = useState(0);
  // Another report may have fewer kernels.
  const start = chosenStart < entryCount ? chosenStart : 0;
  const isPaged = entryCount > PAGE_SIZE;
  // Of the kernels that ran, then of the refused ones.
  const entryIndices = Array.from({ length: Math.min(PAGE_SIZE, entryCount - start) }, (_, i) => start + i);
  const pages = Array.from({ length: Math.ceil(entryCount / PAGE_SIZE) }, (_, page) => page * PAGE_SIZE);
  return (
    <>
      {isPaged && (
        <Select
          aria-label="Kernels shown"
          value={start}
          options={pages.map((first) => ({
            value: first,
            label: `kernels ${countText(first + 1)} to ${countText(Math.min(entryCount, first + PAGE_SIZE))} of ${countText(entryCount)}`,
          }))}
          onChange={setStart}
        />
      )}
      <table
        className="kernels w-full mt-1"
        data-timed={isTimed || undefined}
        data-mark={(isTimed && substitute) || undefined}
        aria-rowcount={isPaged ? 1 + entryCount : undefined}
      >
        <caption className="unseen">Kernels of this run{isTimed ? ', the fastest first' : ''}</caption>
        <TableHead {...{ substitute, isTimed, hasLimit, hasArithmetic }} />
        <tbody>
          {entryIndices.map((index) => {
            const row = rows[index];
            const ariaRow = isPaged ? 2 + index : undefined;
            return (
              row && (
                <tr key={index} aria-rowindex={ariaRow}>
                  <KernelName
                    entry={row}
                    detail={`${kernelDetail(row, labelsOf)}${isSimple(row) ? `, ${SIMPLE_KERNEL}` : ''}`}
                  />
                  {row.verified.ok ? (
                    <VerifiedCells {...{ report, row, substitute, isTimed, domain, ticks, hasLimit, hasArithmetic }} />
                  ) : (
                    <td className="kernels-wrong" colSpan={resultColumns}>
                      {failureText(report, row)}
                    </td>
                  )}
                </tr>
              )
            );
          })}
        </tbody>
        {isTimed && (
          <tbody className="kernels-axis" aria-hidden="true">
            <tr>
              <td />
              <td className="min-w-32 @max-[40rem]:min-w-20">
                <TickRow domain={domain} ticks={ticks} />
              </td>
              <td />
              {hasLimit && <td />}
            </tr>
          </tbody>
        )}
        <tbody>
          {entryIndices.map((index) => {
            const rejection = report.refused[index - rows.length];
            const ariaRow = isPaged ? 2 + index : undefined;
            return (
              rejection && (
                <tr key={index} aria-rowindex={ariaRow} className="kernels-refused">
                  <KernelName entry={rejection} detail={rejectionDetail(rejection, labelsOf)} />
                  <td colSpan={resultColumns}>refused: {withGroups(rejection.reason)}</td>
                </tr>
              )
            );
          })}
        </tbody>
      </table>
    </>
  );
}

interface TableHeadProps {
  readonly substitute: Substitute | null; // 'software' or 'CPU', next to times that are not from a graphics card
  readonly isTimed: boolean; // false: a software adapter, whose kernels are only verified
  readonly hasLimit: boolean;
  readonly hasArithmetic: boolean;
}

function TableHead({ substitute, isTimed, hasLimit, hasArithmetic }: TableHeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col">kernel</th>
        {isTimed && (
          <th scope="col" className="min-w-32 @max-[40rem]:min-w-20 text-center">
            {withSubstitute('speed against dense', substitute)}
          </th>
        )}
        {!isTimed && (
          <>
            <th scope="col" className="number @max-[40rem]:hidden">
              outputs
            </th>
            <NumberHeads names={['error, of its bound']} />
          </>
        )}
        <NumberHeads names={[isTimed ? 'median' : 'verification']} />
        {isTimed && hasLimit && <NumberHeads names={[hasArithmetic ? 'of its limit' : 'of read speed']} />}
      </tr>
    </thead>
  );
}

interface VerifiedCellsProps extends TableHeadProps, ReturnType<typeof samplesScale> {
  readonly report: BenchReport;
  readonly row: BenchRow;
}

/** The cells of a correct kernel: its samples and times or, without times, its outputs and errors. */
function VerifiedCells({
  report,
  row,
  substitute,
  isTimed,
  domain,
  ticks,
  hasLimit,
  hasArithmetic,
}: VerifiedCellsProps) {
  const ratios = sampleRatios(report, row);
  const rate = multiplyAddRate(row);
  const rateText = rate !== null && perSecond(rate, 'FMA');
  return (
    <>
      {isTimed && (
        <td className="min-w-32 @max-[40rem]:min-w-20">
          <RatioStrip
            row={row}
            speed={speedIn(report, row)}
            substitute={substitute}
            ratios={drawnRatios(ratios)}
            domain={domain}
            ticks={ticks}
          />
        </td>
      )}
      {!isTimed && (
        <>
          <td className="number @max-[40rem]:hidden">
            {countText(row.verified.outputs)}
            <Details lines={[row.verified.compared !== undefined && `${countText(row.verified.compared)} compared`]} />
          </td>
          <td className="number">{percent(row.verified.worstShare)}</td>
        </>
      )}
      <td className="number">
        {isTimed ? medianText(report, row) : 'right'}
        {isTimed && <Details lines={[substitute, rateText, belowClock(row), drawnText(ratios)]} />}
      </td>
      {isTimed && hasLimit && (
        <td className="number">
          <LimitShare limit={nearestLimit(report, row)} row={row} substitute={substitute} isNamed={hasArithmetic} />
        </td>
      )}
    </>
  );
}

interface KernelNameProps {
  readonly entry: Pick<BenchRow, 'format' | 'draft'>;
  readonly detail: string;
}

/** The format of a kernel with its swatch, and below it what distinguishes the kernel. */
function KernelName({ entry: { format, draft }, detail }: KernelNameProps) {
  const titleOf = useTitleOf();
  return (
    <th scope="row">
      <span className="kernel-name flex gap-2 items-baseline leading-[1.3]">
        <Swatch format={format} />
        <span>
          <b className="block">
            {titleOf(format)}
            {draft && ', draft'}
          </b>
          <Details lines={[detail]} />
        </span>
      </span>
    </th>
  );
}

/** How many outputs of a wrong kernel differ, and the first of them. */
function failureText({ workload }: BenchReport, { verified }: BenchRow): string {
  const [first] = verified.failures;
  const name = outputName(workload.operation);
  const expected = first && (first.expected === 'any' ? 'any number' : `${first.expected} within ${first.bound}`);
  const where = first ? `, first in ${name} ${first.row}: found ${first.found}, expected ${expected}` : '';
  const compared = verified.compared === undefined ? '' : `, ${countText(verified.compared)} of them compared`;
  return `wrong in ${countText(verified.failureCount)} of ${countText(verified.outputs)} outputs${compared}${where}; not timed`;
}

/** How many rounds of a kernel took less than a step of the clock, as text; null for none. */
function belowClock(row: BenchRow): string | null {
  const rounds = roundsBelowClock(row);
  if (rounds === 0) return null;
  const allRounds = row.samplesNs.length;
  return rounds === allRounds ? 'the clock’s step per run' : `${rounds} of ${allRounds} below the clock’s step`;
}

function drawnText({ length }: readonly number[]): string | null {
  return length <= DRAWN_SAMPLES ? null : `${countText(DRAWN_SAMPLES)} of ${countText(length)} samples drawn`;
}

/** Lines in small print below a name or a figure; null, false and '' are omitted. */
export function Details({ lines }: { readonly lines: readonly (string | null | false)[] }) {
  return lines.map(
    (line) =>
      line && (
        <span
          key={line}
          className="kernel-detail block in-[.number]:font-sans in-[.number]:leading-[1.2] text-quiet text-12"
        >
          {line}
        </span>
      ),
  );
}

interface LimitShareProps {
  readonly limit: Limit | null;
  readonly row: BenchRow;
  readonly substitute: Substitute | null;
  /** whether to name the limit */
  readonly isNamed: boolean;
}

/** The share of the nearest limit that a kernel reaches, as a bar and a figure. */
function LimitShare({ limit, row, substitute, isNamed }: LimitShareProps) {
  if (limit === null) return <>–</>;
  const color = substitute === null ? cssColorOf(row.format) : greyOf();
  const fromCache = row.cached && limit.of === 'reading';
  return (
    <span className="inline-flex items-center gap-2">
      <span
        className="share-bar w-13 h-[10px] align-middle rounded-[2px] bg-track inline-block @max-[40rem]:hidden overflow-hidden"
        aria-hidden="true"
      >
        <span className="block h-full" style={{ width: `${100 * Math.min(1, limit.share)}%`, background: color }} />
      </span>
      <span className="min-w-12 @max-[40rem]:min-w-0">
        {fromCache ? 'cached' : percent(limit.share, 0)}
        <Details lines={[isNamed && limit.of, substitute]} />
      </span>
    </span>
  );
}
