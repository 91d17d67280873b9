import { Fragment } from 'react';
import { PUBLISHED_LOSSES } from './published.ts';
import { density as densityText } from '../../../../kit/words/quantity.ts';
import { SectionHead } from '../../../../kit/controls/Section.tsx';

/** The cost of pruning language models, from papers, so that digits are not mistaken for the rule. */
export function LanguageModels() {
  return (
    <section className="network-published" aria-label="Language models">
      <SectionHead
        level={3}
        title="Language models"
        caption="published, not measured here: digits are more forgiving than text"
      />
      <p className="network-text">
        A network that recognises ten digits has far more weights than it needs. A language model loses much more at the
        same density: pruned to 2:4, Qwen3 loses seven tenths of its reasoning score.
      </p>
      <div className="network-bars" role="list">
        {PUBLISHED_LOSSES.map(({ model, pruning, density, measure, before, after, unit, source }) => (
          <Fragment key={`${model} ${pruning}`}>
            <div className="network-loss" role="listitem">
              <p>
                <strong>
                  {model}, {pruning}
                </strong>{' '}
                <span className="faint">density {densityText(density, 2)}</span>
              </p>
              <p className="network-beforeafter">
                <span className="number">
                  {before.toFixed(unit === '%' ? 1 : 2)}
                  {unit && `\u202f${unit}`}
                </span>
                <span aria-hidden="true">→</span>
                <span className="unseen">becomes</span>
                <strong className="number">
                  {after.toFixed(unit === '%' ? 1 : 2)}
                  {unit && `\u202f${unit}`}
                </strong>
                <span className="faint">{measure}</span>
              </p>
              <p className="faint">
                <a href={source.url} rel="noreferrer">
                  {source.title}
                </a>
                , {source.place}
              </p>
            </div>
          </Fragment>
        ))}
      </div>
    </section>
  );
}
