import type { CSSProperties } from 'react';
import { cssColorOf } from '../../../../kit/format-color.ts';
import { bytes as bytesText, shape as shapeText, time } from '../../../../kit/words/quantity.ts';
import { referenceFormat } from '../../../../formats/catalog.ts';
import type { ModelPlan, ModelPlans } from './model-plans.ts';
import { bitsText, keptWords, reasonOf, rowName, wayTitle } from './plan-words.ts';

interface PlanTableProps {
  readonly model: string;
  readonly plan: ModelPlan;
  readonly plans: ModelPlans;
}

/** A row for each matrix: how it is stored, what that takes, and why. */
export function PlanTable({ model, plan, plans }: PlanTableProps) {
  const { rows, kind, ns } = plan;
  const { cost, fixed } = plans;
  const isTimed = ns !== null;
  const isMixed = rows.some(({ alone }) => alone !== null);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
    <section className="plan-rows" tabIndex={0} aria-label="The plan, matrix by matrix">
      <table>
        <caption className="unseen">How each matrix of {model} is stored, what it takes, and why</caption>
        <thead>
          <tr>
            <th scope="col">matrix</th>
            <th scope="col">stored</th>
            <th scope="col">left</th>
            <th scope="col" className="number">
              bytes, each
            </th>
            {isTimed && (
              <th scope="col" className="number">
                time, each
              </th>
            )}
            {isMixed && (
              <th scope="col" className="number">
                bits, alone
              </th>
            )}
            <th scope="col">why</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowName(row)} data-pruned={row.way.pruning.way === 'none' ? undefined : ''}>
              <th scope="row">
                {rowName(row)} <span className="faint number">{shapeText(row.rows, row.cols)}</span>
              </th>
              <td>
                <i className="plan-swatch" style={colorOf(row.way.format.id)} aria-hidden="true" /> {wayTitle(row.way)}
              </td>
              <td>{keptWords(row, kind)}</td>
              <td className="number">{bytesText(Math.round(row.way.bytes))}</td>
              {isTimed && <td className="number">{row.way.ns === null ? '–' : time(row.way.ns)}</td>}
              {isMixed && <td className="number">{row.alone === null ? '–' : bitsText(row.alone)}</td>}
              <td className="plan-why">{reasonOf(row, kind, cost)}</td>
            </tr>
          ))}
          {fixed.head && (
            <tr>
              <th scope="row">
                lm_head <span className="faint number">{shapeText(fixed.head.rows, fixed.head.cols)}</span>
              </th>
              <td>
                <i className="plan-swatch" style={colorOf(referenceFormat.id)} aria-hidden="true" /> dense
              </td>
              <td>all</td>
              <td className="number">{bytesText(2 * fixed.head.rows * fixed.head.cols)}</td>
              {isTimed && <td className="number">{fixed.head.ns === null ? '–' : time(fixed.head.ns)}</td>}
              {isMixed && <td className="number">–</td>}
              <td className="plan-why">Stays dense in every plan.</td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

function colorOf(format: string): CSSProperties {
  return { background: cssColorOf(format) };
}
