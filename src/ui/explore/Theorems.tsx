import { useEffect, useMemo, useState } from 'react';
import {
  checkTheorem1,
  HARDWARE_2_4,
  ratioText,
  refuteRunsDirectly,
  refuteTheorem2,
  type Sliding,
  slidingOf,
  type Theorem1Row,
} from '../../core/sliding-windows.ts';
import { countText, listText } from '../../core/words.ts';

/** N of the patterns (2N-2):2N that are tried. */
const HALF_GROUPS = [2, 3, 4, 5, 6, 7, 8];
/** Hardware and patterns among which counterexamples are looked for. */
const MAX_WINDOW = 6;
const MAX_GROUP = 12;

export interface TheoremsProps {
  /** Puts a placement on the board. */
  readonly onShow: (sliding: Sliding, columns: readonly number[]) => void;
}

/** The statements of the paper, each with what trying it has shown. */
export function Theorems({ onShow }: TheoremsProps) {
  const { rows, ms } = useTheorem1();
  const refutations = useMemo(() => refuteTheorem2(MAX_WINDOW, MAX_GROUP), []);
  const placements = rows.reduce((sum, row) => sum + row.placements, 0);
  const failures = rows.reduce((sum, row) => sum + row.failures, 0);
  const done = rows.length === HALF_GROUPS.length;
  const direct = refuteRunsDirectly({ kept: 3, group: 8 }, HARDWARE_2_4);
  const directSliding = slidingOf({ kept: 3, group: 8 }, HARDWARE_2_4);
  return (
    <section className="theorems" aria-label="Theorems">
      <h3>What the paper says, tried</h3>
      <article>
        <h4>
          Theorem 1: every (2N−2):2N group fits 2:4{' '}
          <Stamp good={done && failures === 0}>{done ? (failures === 0 ? 'holds' : 'fails') : 'trying'}</Stamp>
        </h4>
        <p role="status">
          {countText(placements)} placements for N from 2 to {rows.at(-1)?.halfGroup ?? 2}, {countText(failures)}{' '}
          without a place{done ? `, tried here in ${countText(Math.round(ms))} ms` : ' so far'}.
        </p>
      </article>
      <article>
        <h4>
          Theorem 2: room for Z non-zeros is enough <Stamp good={false}>fails</Stamp>
        </h4>
        <p>
          Where a machine keeps less than half of its window, the first columns are seen by one window alone. The
          smallest pattern that breaks, for every machine with windows of up to {MAX_WINDOW} columns and groups of up to{' '}
          {MAX_GROUP}:
        </p>
        <ul className="refutations">
          {refutations.map(({ sliding, columns }) => (
            <li key={ratioText(sliding.hardware)}>
              <button type="button" className="button" onClick={() => onShow(sliding, columns)}>
                {ratioText(sliding.pattern)} on {ratioText(sliding.hardware)}
              </button>{' '}
              <span className="quiet">
                room for {sliding.capacity}, broken by columns {listText(columns.map(String))}
              </span>
            </li>
          ))}
        </ul>
      </article>
      {direct && typeof directSliding !== 'string' && (
        <article>
          <h4>
            “Sparser than the hardware runs directly” <Stamp good={false}>fails</Stamp>
          </h4>
          <p>
            3:8 is sparser than 2:4, but its three non-zeros can stand in columns {listText(direct.map(String))}: three
            in one window of four. Without sliding it does not run; slid, it does.{' '}
            <button type="button" className="button" onClick={() => onShow(directSliding, direct)}>
              Show 3:8 on 2:4
            </button>
          </p>
        </article>
      )}
    </section>
  );
}

function Stamp({ good, children }: { readonly good: boolean; readonly children: string }) {
  return (
    <span className="stamp" data-good={good || undefined}>
      {children}
    </span>
  );
}

/** Tries one N after the other, with the page free in between. */
function useTheorem1(): { readonly rows: readonly Theorem1Row[]; readonly ms: number } {
  const [state, setState] = useState<{ rows: readonly Theorem1Row[]; ms: number }>({ rows: [], ms: 0 });
  const next = HALF_GROUPS[state.rows.length];
  useEffect(() => {
    if (next === undefined) return;
    const timer = setTimeout(() => {
      const start = performance.now();
      const row = checkTheorem1(next);
      const ms = performance.now() - start;
      setState((before) => ({ rows: [...before.rows, row], ms: before.ms + ms }));
    });
    return () => clearTimeout(timer);
  }, [next]);
  return state;
}
