import type { ChartTable } from './chart-csv.ts';
import { NumberHeads, TableScroll } from '../primitives/Boxes.tsx';

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
