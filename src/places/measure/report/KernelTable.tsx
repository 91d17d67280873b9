import { countText } from '../../../core/story/words.ts';
import { largest, smallest } from '../../../core/number/statistics.ts';
import { scaleLog } from 'd3';
import { useMemo, useRef } from 'react';
import type { BenchReport, BenchRow } from '../../../core/report.ts';
import { percent, ratio as ratioText } from '../../../kit/words/quantity.ts';
import { greyOf, type NoCard, noCardOf, withMark } from '../../../kit/words/no-card.ts';
import { speedOf } from '../../../kit/words/speed-of.ts';
import { RowRoom, TableBox } from '../../../kit/controls/TableBox.tsx';
import { useWindowedRows } from '../../../kit/browser/use-windowed-rows.ts';
import { useWidth } from '../../../kit/browser/use-size.ts';
import { outputName } from '../../../kit/report/operation-words.ts';
import { kernelDetail, refusalDetail } from '../../../kit/report/param-words.ts';
import {
  DRAWN_SAMPLES,
  drawnRatios,
  isUntimedSoftware,
  type Limit,
  limitsArithmetic,
  medianText,
  multiplyAddRate,
  nearestLimit,
  roundsBelowClock,
  sampleRatios,
  samplesScale,
  sortedRows,
  tickText,
  withoutSamples,
} from '../../../kit/report/report-view.ts';
import { ticksWithRoom } from '../../../kit/charts/tick-room.ts';
import { useParamLabels, useTitleOf } from '../../../kit/report/use-title-of.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { cssColorOf } from '../../../kit/format-color.ts';
import { fmaRate } from '../../../kit/words/rates.ts';

const ROW_HEIGHT = 36;
/** Including all lines that may follow below a median. The style sheet repeats it. */
const WINDOWED_ROW_HEIGHT = 64;
/** Lines extend beyond their own row, so that higher rows leave no gaps. */
const BEYOND = 20;
/** Height of the figures below the last row, into which its lines extend. */
const TICKS = 40;
/** Samples are spread over this height to avoid overlap. */
const SPREAD = 14;

/**
 * Every kernel of a run: each of its samples against dense, median, and its share of the nearest limit; refused ones
 * below.
 */
export function KernelTable({ report }: { readonly report: BenchReport }) {
  const titleOf = useTitleOf();
  const labelsOf = useParamLabels(report);
  const rows = sortedRows(report);
  const timed = !isUntimedSoftware(report);
  const mark = noCardOf(report);
  const { domain, ticks } = useMemo(() => samplesScale(report), [report]);
  const hasLimit = report.readBandwidthGBps !== null;
  const hasArithmetic = limitsArithmetic(report);
  const resultColumns = timed && !hasLimit ? 2 : 3;
  const columns = 1 + resultColumns;
  const box = useRef<HTMLDivElement>(null);
  const all = rows.length + report.refused.length;
  const { windowed, places, above, below } = useWindowedRows(all, box, WINDOWED_ROW_HEIGHT);
  return (
    <TableBox ref={box} windowed={windowed} label={`${countText(all)} kernels of this run`}>
      <table
        className="kernels"
        data-timed={timed || undefined}
        data-mark={(timed && mark) || undefined}
        aria-rowcount={windowed ? 1 + all : undefined}
      >
        <caption className="unseen">Kernels of this run{timed ? ', the fastest first' : ''}</caption>
        <TableHead {...{ mark, timed, hasLimit, hasArithmetic }} />
        <tbody>
          <RowRoom px={above} columns={columns} />
          {places.map((place) => {
            const row = rows[place];
            const rowIndex = windowed ? 2 + place : undefined;
            return (
              row && (
                <tr key={place} aria-rowindex={rowIndex}>
                  <KernelName
                    title={titleOf(row.format)}
                    format={row.format}
                    detail={kernelDetail(row, labelsOf)}
                    isDraft={row.draft !== undefined}
                  />
                  {row.verified.ok ? (
                    <RightCells {...{ report, row, mark, timed, domain, ticks, hasLimit, hasArithmetic }} />
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
        {timed && (
          <tbody className="kernels-axis" aria-hidden="true">
            <tr>
              <td />
              <td className="kernels-plot">
                <TickRow domain={domain} ticks={ticks} />
              </td>
              <td />
              {hasLimit && <td />}
            </tr>
          </tbody>
        )}
        <tbody>
          {places.map((place) => {
            const refusal = report.refused[place - rows.length];
            const rowIndex = windowed ? 2 + place : undefined;
            return (
              refusal && (
                <tr key={place} aria-rowindex={rowIndex} className="kernels-refused">
                  <KernelName
                    title={titleOf(refusal.format)}
                    format={refusal.format}
                    detail={refusalDetail(refusal, labelsOf)}
                    isDraft={refusal.draft !== undefined}
                  />
                  <td colSpan={resultColumns} title={windowed ? refusal.reason : undefined}>
                    refused: {refusal.reason}
                  </td>
                </tr>
              )
            );
          })}
          <RowRoom px={below} columns={columns} />
        </tbody>
      </table>
    </TableBox>
  );
}

interface TableHeadProps {
  readonly mark: NoCard | null;
  readonly timed: boolean;
  readonly hasLimit: boolean;
  readonly hasArithmetic: boolean;
}

function TableHead({ mark, timed, hasLimit, hasArithmetic }: TableHeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col">kernel</th>
        {timed && (
          <th scope="col" className="kernels-plot">
            {withMark('speed against dense', mark)}
          </th>
        )}
        {!timed && (
          <>
            <th scope="col" className="number kernels-outputs">
              outputs
            </th>
            <th scope="col" className="number">
              error, of its bound
            </th>
          </>
        )}
        <th scope="col" className="number">
          {timed ? 'median' : 'verification'}
        </th>
        {timed && hasLimit && (
          <th scope="col" className="number">
            {hasArithmetic ? 'of its limit' : 'of read speed'}
          </th>
        )}
      </tr>
    </thead>
  );
}

interface RightCellsProps extends TableHeadProps, ReturnType<typeof samplesScale> {
  readonly report: BenchReport;
  readonly row: BenchRow;
}

/** Details of a kernel that is right. */
function RightCells({ report, row, mark, timed, domain, ticks, hasLimit, hasArithmetic }: RightCellsProps) {
  return (
    <>
      {timed && (
        <td className="kernels-plot">
          <RatioStrip
            row={row}
            mark={mark}
            ratios={drawnRatios(sampleRatios(report, row))}
            domain={domain}
            ticks={ticks}
          />
        </td>
      )}
      {!timed && (
        <>
          <td className="number kernels-outputs">
            {countText(row.verified.outputs)}
            {row.verified.compared !== undefined && (
              <span className="kernel-detail">{countText(row.verified.compared)} compared</span>
            )}
          </td>
          <td className="number">{percent(row.verified.worstShare)}</td>
        </>
      )}
      <td className="number">
        {timed ? medianText(report, row) : 'right'}
        {timed && mark !== null && <span className="kernel-detail">{mark}</span>}
        {timed && <RateText row={row} />}
        {timed && <BelowClock row={row} />}
        {timed && <Drawn ratios={sampleRatios(report, row)} />}
      </td>
      {timed && hasLimit && (
        <td className="number">
          <LimitShare limit={nearestLimit(report, row)} row={row} mark={mark} named={hasArithmetic} />
        </td>
      )}
    </>
  );
}

interface KernelNameProps {
  readonly title: string;
  readonly format: string;
  readonly detail: string;
  readonly isDraft: boolean;
}

function KernelName({ title, format, detail, isDraft }: KernelNameProps) {
  return (
    <th scope="row">
      <span className="kernel-name">
        <Swatch format={format} />
        <span>
          <b title={isDraft ? 'This kernel was changed or written by a user' : undefined}>
            {title}
            {isDraft && ', draft'}
          </b>
          <span className="kernel-detail">{detail}</span>
        </span>
      </span>
    </th>
  );
}

function failureText({ workload }: BenchReport, { verified }: BenchRow): string {
  const [first] = verified.failures;
  const name = outputName(workload.operation);
  const wanted = first && (first.expected === 'any' ? 'any number' : `${first.expected} within ${first.bound}`);
  const where = first ? `, first in ${name} ${first.row}: found ${first.found}, expected ${wanted}` : '';
  const compared = verified.compared === undefined ? '' : `, ${countText(verified.compared)} of them compared`;
  return `wrong in ${countText(verified.failureCount)} of ${countText(verified.outputs)} outputs${compared}${where}; not timed`;
}

interface StripProps {
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
}

function useStripScale(domain: readonly [number, number]) {
  const frame = useRef<HTMLDivElement>(null);
  const width = Math.max(80, useWidth(frame));
  // Beyond the outermost marks there is room for their ratios, so that these need not cross the line of 1; a narrow strip
  // is all marks.
  const room = width < 4 * LABEL_WIDTH ? 4 : LABEL_WIDTH - 10;
  const [from, to] = [domain[0] < 1 ? room : 4, width - (domain[1] > 1 ? room : 4)];
  return { frame, width, x: scaleLog(domain, [from, to]) };
}

interface RatioStripProps extends StripProps {
  readonly row: BenchRow;
  readonly mark: NoCard | null;
  readonly ratios: readonly number[];
}

function RatioStrip({ row, mark, ratios, domain, ticks }: RatioStripProps) {
  const { frame, width, x } = useStripScale(domain);
  const middle = ROW_HEIGHT / 2;
  const ratio = speedOf(row)?.ratio ?? null;
  const isBeyond = ratio !== null && ratio < domain[0];
  const at = isBeyond ? x(domain[0]) : ratio === null ? 0 : x(ratio);
  const isReference = row.vsDense?.reference === row.kernel && row.vsDense.valueType === undefined;
  const range = isReference || isBeyond ? null : withoutSamples(row);
  const label =
    ratio === null
      ? null
      : isBeyond
        ? ({ x: at + 10, anchor: 'start' } as const)
        : labelPosition(ratio, range ? [range.p10, range.p90] : ratios, x, width);
  return (
    <div ref={frame} className="strip">
      <svg width={width} height={ROW_HEIGHT} aria-hidden="true">
        {ticks.map((tick) => (
          <line
            key={tick}
            className={tick === 1 ? 'one' : 'grid'}
            x1={x(tick)}
            x2={x(tick)}
            y1={-BEYOND}
            y2={ROW_HEIGHT + BEYOND}
          />
        ))}
        <g style={{ color: mark === null ? cssColorOf(row.format) : greyOf() }}>
          {!isReference &&
            !isBeyond &&
            ratios.map((r, round) => (
              // oxlint-disable-next-line react/no-array-index-key -- rounds have an order and nothing else
              <circle key={round} className="sample" cx={x(r)} cy={middle + offsetOf(round)} r={1.5} />
            ))}
          {range && (
            <path
              className="range"
              d={`M${x(range.p10)} ${middle}H${x(range.p90)}M${x(range.p10)} ${middle - 4}v8M${x(range.p90)} ${middle - 4}v8`}
            />
          )}
          {ratio !== null && !isBeyond && <circle className="median" cx={at} cy={middle} r={4.5} />}
          {isBeyond && <path className="median" d={`M${at - 5} ${middle}l7 -5v10z`} />}
        </g>
        {ratio !== null && label && !isReference && (
          <text className="ratio" x={label.x} y={middle} dy="0.35em" textAnchor={label.anchor}>
            {ratioText(ratio)}
          </text>
        )}
      </svg>
      <span className="unseen">{spokenRatio(row, mark)}</span>
    </div>
  );
}

/** Width of a ratio and its distance from the marks. */
const LABEL_WIDTH = 56;

/** The ratio is drawn on the far side of its samples as seen from 1, or on the other if there is no space. */
function labelPosition(
  ratio: number,
  ratios: readonly number[],
  x: (ratio: number) => number,
  width: number,
): { readonly x: number; readonly anchor: 'start' | 'end' } {
  const left = x(smallest(ratios, ratio)) - 10;
  const right = x(largest(ratios, ratio)) + 10;
  const fitsLeft = left - LABEL_WIDTH >= -LABEL_WIDTH / 4;
  const fitsRight = right + LABEL_WIDTH <= width + LABEL_WIDTH / 4;
  const toLeft = ratio < 1 ? fitsLeft || !fitsRight : fitsLeft && !fitsRight;
  return toLeft ? { x: left, anchor: 'end' } : { x: Math.min(right, width - LABEL_WIDTH + 14), anchor: 'start' };
}

function spokenRatio(row: BenchRow, mark: NoCard | null): string {
  const speed = speedOf(row);
  if (!speed) return 'not compared';
  return withMark(`${ratioText(speed.ratio)}, from ${ratioText(speed.p10)} to ${ratioText(speed.p90)}`, mark);
}

/** A low-discrepancy sequence: deterministic, and samples close in time are not close in the picture. */
function offsetOf(round: number): number {
  return (((round * 0.618034) % 1) - 0.5) * SPREAD;
}

function TickRow({ domain, ticks }: StripProps) {
  const { frame, width, x } = useStripScale(domain);
  return (
    <div ref={frame} className="strip">
      <svg width={width} height={TICKS}>
        {ticksWithRoom(ticks, [1], x, tickText).map((tick) => (
          <text key={tick} x={x(tick)} y={TICKS - 6} textAnchor="middle">
            {tickText(tick)}
          </text>
        ))}
      </svg>
    </div>
  );
}

/** Multiply-adds per second, for kernels that count them. */
function RateText({ row }: { readonly row: BenchRow }) {
  const rate = multiplyAddRate(row);
  return rate === null ? null : <span className="kernel-detail">{fmaRate(rate)}</span>;
}

/** Rounds too short for the clock. */
function BelowClock({ row }: { readonly row: BenchRow }) {
  const rounds = roundsBelowClock(row);
  if (rounds === 0) return null;
  return (
    <span className="kernel-detail">
      {rounds === row.samplesNs.length
        ? 'the clock’s step per run'
        : `${rounds} of ${row.samplesNs.length} below the clock’s step`}
    </span>
  );
}

/** A note that not every sample has a dot. */
function Drawn({ ratios }: { readonly ratios: readonly number[] }) {
  if (ratios.length <= DRAWN_SAMPLES) return null;
  return (
    <span className="kernel-detail">
      {countText(DRAWN_SAMPLES)} of {countText(ratios.length)} samples drawn
    </span>
  );
}

const LIMIT_NAMES: Readonly<Record<Limit['of'], { readonly name: string; readonly meaning: string }>> = {
  reading: { name: 'reading', meaning: 'Share of the memory read speed measured in this run.' },
  arithmetic: {
    name: 'arithmetic',
    meaning: 'Share of the multiply-add rate measured in this run for the same arithmetic: f32, i8, or i8 by matrices.',
  },
};

interface LimitShareProps {
  readonly limit: Limit | null;
  readonly row: BenchRow;
  readonly mark: NoCard | null;
  /** whether to name the limit */
  readonly named: boolean;
}

function LimitShare({ limit, row, mark, named }: LimitShareProps) {
  if (limit === null) return <>–</>;
  const { name, meaning } = LIMIT_NAMES[limit.of];
  const fromCache = row.cached && limit.of === 'reading';
  return (
    <span
      className="read-speed"
      title={fromCache ? 'Faster than memory can deliver: the data came from a cache.' : meaning}
    >
      <ShareBar share={limit.share} color={mark === null ? cssColorOf(row.format) : greyOf()} />
      <span>
        {fromCache ? 'cached' : percent(limit.share, 0)}
        {named && <span className="kernel-detail">{name}</span>}
        {mark !== null && <span className="kernel-detail">{mark}</span>}
      </span>
    </span>
  );
}

/** A share of one as a small bar. */
export function ShareBar({ share, color }: { readonly share: number; readonly color: string }) {
  return (
    <span className="share-bar" aria-hidden="true">
      <span
        style={{
          width: `${100 * Math.min(1, share)}%`,
          background: color,
        }}
      />
    </span>
  );
}
