import { BYTE_CLASSES } from '../../../core/encoded/ledger.ts';
import { countText } from '../../../core/story/words.ts';
import { largest } from '../../../core/number/statistics.ts';
import { bytes, percent, ratio, density } from '../../../kit/words/quantity.ts';
import { denseBytes } from './comparison-words.ts';
import { type FormatRow, paddingShare, type Sort } from './format-rows.ts';
import { LedgerBar } from './LedgerBar.tsx';
import { MiniatureView } from './MiniatureView.tsx';
import { onceText, Remedies, RowError, RowName, type RowActions, RowSpeed, RowWhy } from './RowParts.tsx';
import { speedDomain, SpeedStrip } from './SpeedStrip.tsx';
import { cssColorOf } from '../../../kit/format-color.ts';
import { oneDecimal } from '../../../kit/words/rates.ts';

export interface FormatTableProps extends RowActions {
  readonly rows: readonly FormatRow[];
  readonly matrix: { readonly rows: number; readonly cols: number; readonly nnz: number };
  readonly sort: Sort;
  readonly descending: boolean;
  readonly onSort: (sort: Sort) => void;
}

/** The scale ends at the longest bar, but not far beyond dense, so that the others remain visible. */
const LONGEST_BAR = 1.2;

/** Column widths, in rem; the last gets the rest. */
const WIDTHS: readonly (readonly [name: string, rem: number | null])[] = [
  ['format', 8.5],
  ['first row', 9.25],
  ['ledger', 14],
  ['bytes', 5.25],
  ['of dense', 4],
  ['bits', 3.5],
  ['padding', 4.25],
  ['encode', 4.25],
  ['error', 4.75],
  ['strip', 7.25],
  ['speed', 4.75],
  ['why', null],
];

/** All formats side by side. */
export function FormatTable(props: FormatTableProps) {
  const { rows, matrix, sort, descending, onSort } = props;
  const dense = denseBytes(matrix);
  const most = barEnd(rows, dense);
  const domain = speedDomain(rows);
  const head = (name: Sort, label: string, second = ''): React.ReactNode => (
    <th
      scope="col"
      className={name === 'format' ? undefined : 'number'}
      aria-sort={sort === name ? (descending ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" className="compare-sort" onClick={() => onSort(name)}>
        {label}
        {second !== '' && <span> {second}</span>}
        {sort === name && <span aria-hidden="true"> {descending ? '↓' : '↑'}</span>}
      </button>
    </th>
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
    <section className="compare-scroll" tabIndex={0} aria-label="Formats on this matrix">
      <table className="compare">
        <caption className="unseen">All formats on this matrix, those that cannot hold it last</caption>
        <colgroup>
          {WIDTHS.map(([name, rem]) => (
            <col key={name} style={rem === null ? {} : { width: `${rem}rem` }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {head('format', 'format')}
            <th scope="col">
              <span className="compare-two">first row, height: bits of a slot</span>
            </th>
            <th scope="col" className="compare-ledger">
              <span className="compare-legend" aria-hidden="true">
                {BYTE_CLASSES.map((byteClass) => (
                  <span key={byteClass}>
                    <span className={`compare-key compare-bar-${byteClass}`} />
                    {byteClass}
                  </span>
                ))}
              </span>
              <span className="unseen">bytes by what they are for</span>
              <span className="compare-dense-name" style={{ left: `${(100 * dense) / most}%` }} aria-hidden="true">
                dense
              </span>
            </th>
            {head('bytes', 'bytes')}
            <th scope="col" className="number">
              of dense
            </th>
            {head('bits', 'bit', '/ nz')}
            {head('padding', 'padding')}
            {head('encode', 'encode', 'ms')}
            {head('error', 'y = A x', 'error')}
            <th scope="col" className="compare-speed">
              speed against dense, p10 to p90
            </th>
            {head('speed', 'speed')}
            <th scope="col">why</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.format.id} {...props} row={row} dense={dense} most={most} domain={domain} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Bytes at the right end of all bars. */
function barEnd(rows: readonly FormatRow[], dense: number): number {
  const longest = largest(
    rows.map((row) => row.bytes ?? 0),
    dense,
  );
  return Math.min(longest, LONGEST_BAR * 2 * dense) * 1.02;
}

interface RowProps extends FormatTableProps {
  readonly row: FormatRow;
  readonly dense: number;
  readonly most: number;
  readonly domain: readonly [number, number];
}

function Row(props: RowProps) {
  const { row, matrix, dense, most, domain } = props;
  const { format, bytes: now, expectedBytes, encodeMs, measured } = row;
  const shown = now ?? expectedBytes;
  const isOut = row.state === 'refused' || row.state === 'failed';
  const padding = paddingShare(row);
  return (
    <tr data-state={row.state}>
      <th scope="row">
        <RowName row={row} onOpen={props.onOpen} />
      </th>
      <td>{row.miniature && <MiniatureView miniature={row.miniature} isHeld={!isOut} />}</td>
      <td className="compare-ledger">
        <span className="compare-dense" style={{ left: `${(100 * dense) / most}%` }} aria-hidden="true" />
        {row.classBits && <LedgerBar classBits={row.classBits} most={most} />}
        {row.classBits === null && shown !== null && (
          <span className="compare-once" style={{ width: `${Math.min(100, (100 * shown) / most)}%` }}>
            {isOut ? onceText(row) : ''}
          </span>
        )}
      </td>
      <td className="number compare-bytes">{shown === null ? '–' : countText(shown)}</td>
      <td className="number">{shown === null ? '–' : density(shown / dense)}</td>
      <td className="number">{shown === null || matrix.nnz === 0 ? '–' : oneDecimal((shown * 8) / matrix.nnz)}</td>
      {isOut ? (
        <td colSpan={6}>
          <div className="compare-refused">
            <span>
              <strong>{row.state === 'refused' ? 'Refused.' : 'Not encoded.'}</strong> {row.reason}
            </span>
            <Remedies row={row} onParams={props.onParams} />
          </div>
        </td>
      ) : (
        <>
          <td className="number">{padding === null ? '–' : padding === 0 ? '0' : percent(padding)}</td>
          <td className="number">{encodeMs === null ? <Waiting row={row} /> : oneDecimal(encodeMs)}</td>
          <td className="number">
            <RowError row={row} />
          </td>
          <td className="compare-speed">
            {measured?.speed && (
              <>
                <SpeedStrip speed={measured.speed} domain={domain} color={cssColorOf(format.id)} />
                <span className="unseen">
                  {ratio(measured.speed.p10)} to {ratio(measured.speed.p90)}
                </span>
              </>
            )}
          </td>
          <td className="number compare-ratio">
            {row.state === 'held' && (
              <RowSpeed
                row={row}
                onMeasure={props.onMeasure}
                busy={props.busy}
                software={props.software}
                elsewhere={props.elsewhere}
                dense={dense}
              />
            )}
          </td>
          <td className="compare-why">
            <RowWhy row={row} onParams={props.onParams} />
          </td>
        </>
      )}
    </tr>
  );
}

function Waiting({ row }: { readonly row: FormatRow }) {
  return <span className="faint">{row.state === 'running' ? 'encoding' : 'to come'}</span>;
}

/** The table on a narrow screen: two lines for each format. */
export function FormatList(props: FormatTableProps) {
  const { rows, matrix } = props;
  const dense = denseBytes(matrix);
  const most = barEnd(rows, dense);
  return (
    <ul className="compare-list">
      {rows.map((row) => {
        const shown = row.bytes ?? row.expectedBytes;
        const isOut = row.state === 'refused' || row.state === 'failed';
        return (
          <li key={row.format.id} data-state={row.state}>
            <div className="compare-line">
              <RowName row={row} onOpen={props.onOpen} />
              <span className="number">{shown === null ? '–' : bytes(shown)}</span>
              <span className="number">{shown === null ? '–' : density(shown / dense)}</span>
              <span className="number">
                {isOut ? (
                  'refused'
                ) : row.state === 'held' ? (
                  <RowSpeed
                    row={row}
                    onMeasure={props.onMeasure}
                    busy={props.busy}
                    software={props.software}
                    elsewhere={props.elsewhere}
                    dense={dense}
                  />
                ) : (
                  <Waiting row={row} />
                )}
              </span>
            </div>
            {row.classBits && (
              <div className="compare-ledger">
                <span className="compare-dense" style={{ left: `${(100 * dense) / most}%` }} aria-hidden="true" />
                <LedgerBar classBits={row.classBits} most={most} />
              </div>
            )}
            <p className="compare-why">
              {isOut ? (
                <>
                  {row.reason} <Remedies row={row} onParams={props.onParams} />
                </>
              ) : (
                <RowWhy row={row} onParams={props.onParams} />
              )}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
