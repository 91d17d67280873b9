import { referenceFormat } from '../../../../src/formats/catalog.ts';
import { shapeText } from '../../../../src/core/text/words.ts';
import { percent, time } from '../../../../src/kit/words/quantity.ts';
import { speedFromTimes, speedText } from '../../../../src/kit/words/speed-of.ts';
import type { ModelShape } from '../../../../src/theory/models/model-shape.ts';
import type { MatrixTimesAt } from './shapes.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';

interface ShapesTableProps {
  readonly model: ModelShape;
  /** times and bytes at the share left; null for a format whose bytes have no closed form */
  readonly timesAtShare: MatrixTimesAt | null;
  /** title of the format */
  readonly title: string;
  readonly isDense: boolean;
  /** share of weights left */
  readonly density: number;
  readonly readGBps: number | null;
  /** number of a token's dispatches besides matrices */
  readonly otherDispatches: number;
  /** time of a whole token besides its matrices, in nanoseconds; null: not measured */
  readonly denseRestNs: number | null;
  readonly storedRestNs: number | null;
}

/** For each shape of a large model's matrices: their number, the time of one, its share of the GPU's read speed. */
export function ShapesTable({ model, timesAtShare, title, isDense, density, readGBps, ...rest }: ShapesTableProps) {
  const { otherDispatches, denseRestNs, storedRestNs } = rest;
  const shareOf = (bytes: number, ns: number | null): string =>
    ns === null || readGBps === null ? '–' : percent(bytes / readGBps / ns, 0);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
    <section className="overflow-x-auto" tabIndex={0} aria-label={`${model.name}, shape by shape`}>
      <table className="shapes-table cells-end text-12 w-full">
        <thead>
          <tr>
            <th scope="col">{model.name}</th>
            <th scope="col">count</th>
            <th scope="col">dense</th>
            {!isDense && (
              <>
                <th scope="col">
                  {title}, {densityText(density)} left
                </th>
                <th scope="col">gain</th>
              </>
            )}
            <th scope="col" className="max-sm:hidden">
              of read speed
            </th>
          </tr>
        </thead>
        <tbody>
          {timesAtShare?.shapes.map(({ group, denseNs, storedNs, denseBytes, storedBytes }) => (
            <tr key={group.parts[0].names[0]}>
              <th scope="row">
                {group.parts.map(({ names }) => names.join(' ')).join(' ')}{' '}
                <span className="number text-muted">{shapeText(group.rows, group.cols)}</span>
              </th>
              <td>{group.count}</td>
              <td>{denseNs === null ? <i className="text-muted font-sans">not measured</i> : time(denseNs)}</td>
              {!isDense && (
                <>
                  <td>
                    {group.keptDense ? (
                      referenceFormat.title
                    ) : storedNs === null ? (
                      <i className="text-muted font-sans">not measured</i>
                    ) : (
                      time(storedNs)
                    )}
                  </td>
                  <td className="font-semibold">
                    {group.keptDense || denseNs === null || storedNs === null
                      ? '–'
                      : speedText(speedFromTimes(storedNs, denseNs))}
                  </td>
                </>
              )}
              <td className="max-sm:hidden">
                {shareOf(denseBytes, denseNs)}
                {!isDense && !group.keptDense && ` → ${shareOf(storedBytes, storedNs)}`}
              </td>
            </tr>
          ))}
          {/* the choice: of the next token */}
          <tr>
            <th scope="row" className="shapes-rest">
              attention, norms, activation, choice
            </th>
            <td>{otherDispatches}</td>
            <td>{denseRestNs === null ? <i className="text-muted font-sans">not measured</i> : time(denseRestNs)}</td>
            {!isDense && (
              <td>
                {storedRestNs === null ? <i className="text-muted font-sans">not measured</i> : time(storedRestNs)}
              </td>
            )}
            <td colSpan={isDense ? 1 : 2} className="max-sm:hidden text-muted font-sans">
              {denseRestNs === null && storedRestNs === null ? '' : 'whole less matrices'}
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
