import type { Compared, Role } from './compare-row.ts';

const LEGEND: Readonly<Record<Compared['level'], readonly (readonly [Role, string])[]>> = {
  matrix: [
    ['values', 'values'],
    ['indices', 'where they are'],
    ['metadata', 'row starts, scales'],
    ['padding', 'zeros stored, padding'],
  ],
  model: [
    ['kept', 'lm_head, embedding: dense'],
    ['values', 'weights'],
    ['indices', 'where they are'],
    ['metadata', 'row starts, scales'],
    ['padding', 'zeros stored'],
  ],
};

/** What the colours of the bars are. */
export function BarLegend({ level }: Pick<Compared, 'level'>) {
  return (
    <span className="bar-legend" aria-hidden="true">
      {LEGEND[level].map(([role, text]) => (
        <span key={role}>
          <span className={`bar-key row-bar-${role}`} />
          {text}
        </span>
      ))}
    </span>
  );
}
