import { Fragment } from 'react';
import type { Fact } from '../../../core/format.ts';

/** A format's facts about this encoding: a value per line, with its meaning below. */
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
