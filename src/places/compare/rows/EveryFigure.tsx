import './every-figure.css';
import { cssColorOf } from '../../../kit/format-color.ts';
import { oneDecimal } from '../../../kit/words/rates.ts';
import { percent, ratio } from '../../../kit/words/quantity.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { paddingShare } from './compare-files.ts';
import type { Compared, CompareRow } from './compare-row.ts';
import { MiniatureView } from './MiniatureView.tsx';
import { sortedRows } from './sorting.ts';
import { speedDomain, SpeedStrip } from './SpeedStrip.tsx';

/** What is known of every row of a matrix besides bytes and times: how it lies in memory, and what runs here found. */
export function EveryFigure({ compared }: { readonly compared: Compared }) {
  const { summary } = compared;
  const rows = sortedRows(compared.rows, 'bytes', false);
  const domain = speedDomain(rows.map(({ figures }) => ({ measured: figures?.verified ?? null })));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
    <section className="every-figure" tabIndex={0} aria-label="Every figure">
      <table>
        <caption className="unseen">Formats on this matrix in figures, the smallest first</caption>
        <thead>
          <tr>
            <th scope="col">format, values</th>
            <th scope="col">first row, height: bits of a slot</th>
            <th scope="col" className="number">
              bit / nz
            </th>
            <th scope="col" className="number">
              zeros, padding
            </th>
            <th scope="col" className="number">
              encode ms
            </th>
            <th scope="col">arrays</th>
            <th scope="col" className="number">
              y = A x error
            </th>
            <th scope="col">speed against dense, p10 to p90</th>
            <th scope="col" className="number">
              speed
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <FigureRow key={row.key} row={row} nnz={summary.nnz} domain={domain} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface FigureRowProps {
  readonly row: CompareRow;
  readonly nnz: number;
  readonly domain: readonly [number, number];
}

function FigureRow({ row, nnz, domain }: FigureRowProps) {
  const { format, detail, figures, bytes, state } = row;
  const isKnown = state === 'known' && bytes !== null;
  const padding = isKnown ? paddingShare(row) : null;
  const verified = figures?.verified ?? null;
  const speed = verified?.speed ?? null;
  return (
    <tr>
      <th scope="row">
        <Swatch format={format.id} /> <b>{format.title}</b> <span className="row-detail">{detail}</span>
      </th>
      <td>{figures?.miniature && <MiniatureView miniature={figures.miniature} isHeld={isKnown} />}</td>
      <td className="number">{isKnown && nnz > 0 ? oneDecimal((bytes * 8) / nnz) : '–'}</td>
      <td className="number">{padding === null ? '–' : percent(padding)}</td>
      <td className="number">{figures?.encodeMs ? oneDecimal(figures.encodeMs) : '–'}</td>
      <td>{figures?.miniature && isKnown ? figures.isSound ? 'sound' : <b className="row-wrong">wrong</b> : '–'}</td>
      <td className="number">
        <ErrorOf row={row} />
      </td>
      <td>{speed && <SpeedStrip speed={speed} domain={domain} color={cssColorOf(format.id)} />}</td>
      <td className="number">
        {speed ? ratio(speed.ratio) : '–'}
        {verified?.ofRead ? <span className="row-detail"> {percent(verified.ofRead, 0)} of read</span> : null}
      </td>
    </tr>
  );
}

/** Whether the format's product is right, and its largest error as a share of the bound. */
function ErrorOf({ row: { figures } }: Pick<FigureRowProps, 'row'>) {
  const verified = figures?.verified?.row.verified;
  if (!verified) return <span className="faint">not run</span>;
  if (!verified.ok) {
    return (
      <b className="row-wrong" title="The largest error, of what is allowed">
        wrong
      </b>
    );
  }
  return (
    <span className="row-right" title="The largest error, of what is allowed">
      <span aria-hidden="true">✓ </span>
      <span className="unseen">right, largest error </span>
      {percent(verified.worstShare)}
    </span>
  );
}
