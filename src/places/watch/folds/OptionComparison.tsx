import { density } from '../../../kit/words/quantity.ts';
import type { ParamComparison } from '../../../kit/report/density-curves.ts';

export interface OptionComparisonProps {
  readonly comparison: ParamComparison;
  /** measured on this matrix with the current option; null while it is being encoded */
  readonly measured: number | null;
  readonly onChoose: (value: unknown) => void;
}

/** The size of this matrix with each option of one parameter, the best marked, each one click away. */
export function OptionComparison({ comparison, measured, onChoose }: OptionComparisonProps) {
  return (
    <table className="table">
      <caption className="unseen">Expected effective density by {comparison.label}</caption>
      <thead>
        <tr>
          <th scope="col">{comparison.label}</th>
          <th scope="col" className="number">
            expected
          </th>
          <th scope="col" className="number">
            measured
          </th>
          <th scope="col">
            <span className="unseen">choice</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {comparison.options.map((option) => (
          <tr key={option.label} aria-current={option.current ? 'true' : undefined}>
            <th scope="row">
              {option.label}
              {option.best && <span className="best-mark"> best</span>}
            </th>
            <td className="number">{density(option.expected)}</td>
            <td className="number">{option.current && measured !== null ? density(measured) : ''}</td>
            <td className="number">
              {option.current ? (
                <span className="faint">set</span>
              ) : (
                <button
                  type="button"
                  className="text-button"
                  aria-label={`use ${comparison.label} ${option.label}`}
                  onClick={() => onChoose(option.value)}
                >
                  use
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
