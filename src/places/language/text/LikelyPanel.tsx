import { cssColorOf } from '../../../kit/format-color.ts';
import { percent } from '../../../kit/words/quantity.ts';
import type { HeldToken } from '../service/types.ts';
import { drawnTokens, shownToken } from './wrap.ts';

interface LikelyPanelProps {
  /** the end of the text before the token: '…A hedgeho' */
  readonly behind: string;
  readonly token: HeldToken;
  /** bits lost in all of the text */
  readonly lost: number;
  /** ids of formats whose colours the two models have */
  readonly formats: readonly [dense: string, pruned: string];
}

/** The likeliest words at the pinned token, under both models. */
export function LikelyPanel({ behind, token, lost, formats }: LikelyPanelProps) {
  const bits = (n: number): string => (Math.abs(n) < 0.05 ? '0.0' : n.toFixed(1)).replace('-', '−');
  return (
    <section className="likely" aria-label="The likeliest words here">
      <h3 className="likely-head">
        After “…{behind}”{' '}
        <span className="section-caption">
          {token.lost < -0.05
            ? `the pruned model was surer by ${bits(-token.lost)} bits`
            : `${bits(token.lost)} of ${bits(lost)} bits lost in this text`}
        </span>
      </h3>
      <ol className="likely-rows">
        {token.likely.map(({ text, dense, pruned }) => (
          <li key={text} className="likely-row">
            <span className="likely-word">{text.trim() === '' ? shownToken(text) : drawnTokens([text])[0]}</span>
            <span className="likely-bars" aria-hidden="true">
              <i style={{ inlineSize: `${100 * dense}%`, background: cssColorOf(formats[0]) }} />
              <i style={{ inlineSize: `${100 * pruned}%`, background: cssColorOf(formats[1]) }} />
            </span>
            <span className="number likely-shares">
              <span className="faint">{shareText(dense)} →</span> <b>{shareText(pruned)}</b>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function shareText(share: number): string {
  return percent(share, share >= 0.1 || share < 0.0005 ? 0 : 1);
}
