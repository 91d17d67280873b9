import { cssTextColorOf } from '../../../kit/format-color.ts';
import { counted } from '../../../core/story/words.ts';
import { time } from '../../../kit/words/quantity.ts';
import { oneDecimal } from '../../../kit/words/rates.ts';
import { perSecond } from './shapes.ts';
import type { TimedToken } from './use-times.ts';

interface TimedTokensProps {
  readonly tokens: readonly TimedToken[];
  /** that a token has by arithmetic */
  readonly dispatches: number;
}

/** Tokens as they were timed on this machine. */
export function TimedTokens({ tokens, dispatches }: TimedTokensProps) {
  if (tokens.length === 0) return null;
  return (
    <ul className="timed-tokens" aria-label="Timed here">
      {tokens.map(({ title, format, times }) => (
        <li key={title}>
          <p>
            <b style={{ color: cssTextColorOf(format) }}>{title}</b> <b className="number">{time(times.tokenNs)}</b> a
            token, {oneDecimal(perSecond(times.tokenNs))} tokens per second{' '}
            {times.where === 'cpu'
              ? `on one thread of the CPU, which has none of the ${dispatches} launches and no kernel of a format`
              : 'on this GPU'}
          </p>
          {times.where === 'gpu' && (
            <p className="timed-kinds">
              {Object.entries(times.kinds)
                .map(
                  ([kind, { launches, ns }]) => `${kind} ${time(ns)} (${counted(launches, 'dispatch', 'dispatches')})`,
                )
                .join(', ')}
              ; each kind by itself
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
