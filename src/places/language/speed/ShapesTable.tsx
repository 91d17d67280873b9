import { referenceFormat } from '../../../formats/catalog.ts';
import { shapeText } from '../../../core/story/words.ts';
import { percent, ratio, time } from '../../../kit/words/quantity.ts';
import type { ModelShape } from '../../../theory/models/model-shape.ts';
import type { MatricesAt } from './shapes.ts';

interface ShapesTableProps {
  readonly model: ModelShape;
  readonly at: MatricesAt | null;
  /** of the format */
  readonly title: string;
  readonly isDense: boolean;
  readonly left: number;
  readonly readGBps: number | null;
  /** dispatches of a token that multiply no matrix */
  readonly others: number;
}

/** Every shape of a large model with its times, and how close they come to reading its bytes. */
export function ShapesTable({ model, at, title, isDense, left, readGBps, others }: ShapesTableProps) {
  const shareOf = (bytes: number, ns: number | null): string =>
    ns === null || readGBps === null ? '–' : percent(bytes / readGBps / ns, 0);
  return (
    <section aria-label={`${model.name}, shape by shape`} className="shapes-scroll">
      <table className="shapes-table">
        <thead>
          <tr>
            <th scope="col">{model.name}</th>
            <th scope="col">times</th>
            <th scope="col">dense</th>
            {!isDense && (
              <>
                <th scope="col">
                  {title} {left}
                </th>
                <th scope="col">gain</th>
              </>
            )}
            <th scope="col" className="shapes-share">
              of read speed
            </th>
          </tr>
        </thead>
        <tbody>
          {at?.shapes.map(({ group, denseNs, storedNs, denseBytes, storedBytes }) => (
            <tr key={group.parts[0].names[0]}>
              <th scope="row">
                {group.parts.map(({ names }) => names.join(' ')).join(' ')}{' '}
                <span className="number">{shapeText(group.rows, group.cols)}</span>
              </th>
              <td>{group.count}</td>
              <td>{denseNs === null ? <i>not measured</i> : time(denseNs)}</td>
              {!isDense && (
                <>
                  <td>
                    {group.keptDense ? referenceFormat.title : storedNs === null ? <i>not measured</i> : time(storedNs)}
                  </td>
                  <td className="shapes-gain">
                    {group.keptDense || denseNs === null || storedNs === null ? '–' : ratio(denseNs / storedNs)}
                  </td>
                </>
              )}
              <td className="shapes-share">
                {shareOf(denseBytes, denseNs)}
                {!isDense && !group.keptDense && ` → ${shareOf(storedBytes, storedNs)}`}
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row" className="shapes-rest">
              attention, norms, activation, choice
            </th>
            <td>{others}</td>
            <td colSpan={isDense ? 2 : 4}>
              <i>not measured</i>
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
