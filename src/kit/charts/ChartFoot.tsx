import type { RefObject } from 'react';
import { saveText } from '../browser/save-blob.ts';
import { type ChartTable, tableCsv } from './chart-csv.ts';
import { type Heading, standaloneSvg } from './standalone-svg.ts';
import { Drawer, NumberHeads, TableScroll } from '../primitives/Boxes.tsx';
import { TextButton } from '../controls/Button.tsx';

interface ChartFootProps {
  readonly id: string;
  readonly heading: Heading;
  readonly drawing: RefObject<SVGSVGElement | null>;
  readonly table: () => ChartTable;
}

/** The drawer below a chart: its figures as a table, and buttons that save drawing and figures as SVG and CSV. */
export function ChartFoot({ id, heading, drawing, table }: ChartFootProps) {
  return (
    <div className="chart-foot">
      <Drawer title="table" description="the figures of this chart" className="chart-table in-[.sweep]:mt-2">
        {() => (
          <>
            <div className="flex gap-3">
              <TextButton
                aria-label={`Save as SVG: ${heading.title}`}
                onClick={() => {
                  if (drawing.current)
                    saveText(`sparsescope-${id}.svg`, standaloneSvg(drawing.current, heading), 'image/svg+xml');
                }}
              >
                SVG
              </TextButton>
              <TextButton
                aria-label={`Save as CSV: ${heading.title}`}
                onClick={() => saveText(`sparsescope-${id}.csv`, tableCsv(table()), 'text/csv')}
              >
                CSV
              </TextButton>
            </div>
            <FiguresTable caption={heading.title} {...table()} />
          </>
        )}
      </Drawer>
    </div>
  );
}

interface FiguresTableProps extends ChartTable {
  readonly caption: string;
}

/** The figures of a chart as a table; a wide table scrolls sideways. */
export function FiguresTable({ caption, head, rows }: FiguresTableProps) {
  const [first, ...others] = head;
  return (
    <TableScroll label={caption}>
      <table className="table">
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <NumberHeads names={others} />
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, i) => (
                <td key={others[i]} className="number">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}
