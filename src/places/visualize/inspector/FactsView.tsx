import { Fragment } from 'react';
import type { Fact } from '../../../core/format.ts';

/** What a format says about this encoding: a value per line, and under it what the value means. */
export function FactsView({ facts }: { readonly facts: readonly Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl className="facts encoding-facts">
      {facts.map(({ label, value, note, source }) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
          {note !== undefined && (
            <dd className="encoding-facts-note" title={source}>
              {note}
            </dd>
          )}
        </Fragment>
      ))}
    </dl>
  );
}
