import { useEffect, useMemo, useState } from 'react';
import {
  checkTheorem1,
  checkTheorem2,
  refuteRunsDirectly,
  refuteTheorem2,
  type Theorem2Row,
} from '../../../theory/sliding-theorems.ts';
import { HARDWARE_2_4, patternText, type Sliding, slidingOf } from '../../../theory/sliding-windows.ts';
import { countText, listText } from '../../../core/story/words.ts';
import { columnsText } from './columns-text.ts';

/** N of the patterns (2N-2):2N that are tried. */
const HALF_GROUPS = [2, 3, 4, 5, 6, 7, 8];
/** Hardware whose smallest counterexample is listed. */
const LISTED_WINDOW = 8;
/** Windows of all hardware, and columns of all patterns, that theorem 2 is tried on. */
const WINDOWS = Array.from({ length: 15 }, (_, i) => i + 2);
const MAX_GROUP = 16;

export interface TheoremsProps {
  /** Puts a placement on the board. */
  readonly onShow: (sliding: Sliding, columns: readonly number[]) => void;
}

/** The statements of the paper, each with what trying it has shown. */
export function Theorems({ onShow }: TheoremsProps) {
  const { rows, ms, done } = useTried(HALF_GROUPS, checkTheorem1);
  const refutations = useMemo(() => refuteTheorem2(LISTED_WINDOW, MAX_GROUP), []);
  const placements = rows.reduce((sum, row) => sum + row.placements, 0);
  const failures = rows.reduce((sum, row) => sum + row.failures, 0);
  const direct = refuteRunsDirectly({ kept: 3, group: 8 }, HARDWARE_2_4);
  const directSliding = slidingOf({ kept: 3, group: 8 }, HARDWARE_2_4);
  return (
    <section className="theorems" aria-label="Theorems">
      <h3>What the paper says, put to the test</h3>
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
          Where a machine keeps less than half of its window, only one window sees the first columns.{' '}
          <Theorem2Verdict start={done} />
        </p>
        <p>
          The smallest pattern that breaks, for every machine with windows of up to {LISTED_WINDOW} columns that has
          one:
        </p>
        <ul className="refutations">
          {refutations.map(({ sliding, columns }) => (
            <li key={patternText(sliding.hardware)}>
              <button type="button" className="button" onClick={() => onShow(sliding, columns)}>
                {patternText(sliding.pattern)} on {patternText(sliding.hardware)}
              </button>
              <span className="quiet">
                room for {sliding.capacity}, broken by {columnsText(columns)}
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
            in one window of four. Without sliding it does not run; slid, it does.
          </p>
          <p className="theorem-example">
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

/** What trying theorem 2 on everything has shown. */
function Theorem2Verdict({ start }: { readonly start: boolean }) {
  const { rows, ms, done } = useTried(start ? WINDOWS : NONE, tryTheorem2);
  if (!start || !done) return <span className="quiet">Trying windows of {rows.length + 2} columns.</span>;
  const sum = (of: (row: Theorem2Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const onDense = sum((row) => row.brokenOnDense);
  return (
    <>
      Of the {countText(sum((row) => row.patterns))} patterns of up to {MAX_GROUP} columns that it promises to the{' '}
      {countText(sum((row) => row.hardware))} machines with windows of up to {WINDOWS.at(-1)} columns,{' '}
      <strong>{countText(sum((row) => row.broken))} break</strong>, {onDense === 0 ? 'none' : countText(onDense)} of
      them on a machine that keeps half of its window or more. {countText(sum((row) => row.tried))} placements were
      tried here one by one, {countText(sum((row) => row.proved))} more decided by Hall’s condition, in{' '}
      {countText(Math.round(ms))} ms.
    </>
  );
}

const NONE: readonly number[] = [];

function tryTheorem2(window: number): Theorem2Row {
  return checkTheorem2(window, MAX_GROUP);
}

interface Tried<Row> {
  readonly rows: readonly Row[];
  readonly ms: number;
  readonly done: boolean;
}

/** Tries one case after the other, with the page free in between. */
function useTried<Row>(cases: readonly number[], attempt: (of: number) => Row): Tried<Row> {
  const [state, setState] = useState<{ rows: readonly Row[]; ms: number }>({ rows: [], ms: 0 });
  const next = cases[state.rows.length];
  useEffect(() => {
    if (next === undefined) return;
    const timer = setTimeout(() => {
      const start = performance.now();
      const row = attempt(next);
      const ms = performance.now() - start;
      setState((before) => ({ rows: [...before.rows, row], ms: before.ms + ms }));
    });
    return () => clearTimeout(timer);
  }, [next, attempt]);
  return { ...state, done: state.rows.length === cases.length && cases.length > 0 };
}
