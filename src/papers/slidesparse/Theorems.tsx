import { useEffect, useMemo, useState } from 'react';
import {
  checkOneOfFour,
  checkTheorem1,
  checkTheorem2,
  checkTheorem3,
  checkWindowPerNonZero,
  overfillingPlacement,
  refuteTheorem2,
  type Theorem2Row,
  type Theorem3Row,
} from '../../theory/sliding-theorems.ts';
import { HARDWARE_2_4, patternText, type Sliding, slidingOf } from '../../theory/sliding-windows.ts';
import { countText, listText } from '../../core/text/words.ts';
import { columnsText } from './PlacementBoard.tsx';
import { Button } from '../../kit/controls/Button.tsx';
import { Drawer } from '../../kit/primitives/Boxes.tsx';

/** N of the patterns (2N-2):2N that are tried. */
const HALF_GROUPS = [2, 3, 4, 5, 6, 7, 8];
/** Largest window of the hardware for which the smallest counterexample to theorem 2 is listed. */
const LISTED_WINDOW = 8;
/** Window sizes of the hardware, and the largest group, in columns, on which theorems 2 and 3 are tried. */
const WINDOWS = Array.from({ length: 15 }, (_, i) => i + 2);
const MAX_GROUP = 16;
/** Group sizes at whose end a 1:4 window ends, if windows start three columns apart. */
const ONE_OF_FOUR_GROUPS = [4, 7, 10, 13, 16, 19, 22];
/** Group sizes tried with as many 1:4 windows as non-zeros, one column apart. */
const WINDOW_PER_NON_ZERO_GROUPS = [4, 5, 6, 7, 8, 9, 10, 11, 12];

interface TheoremsProps {
  /** Shows a placement of non-zeros in the editor of a group (`PlacementBoard`). */
  readonly onShow: (sliding: Sliding, columns: readonly number[]) => void;
}

/** The paper's claims on patterns Z:L (at most Z non-zeros in L columns) on hardware M:N, each with a test's result. */
export function Theorems({ onShow }: TheoremsProps) {
  const { rows, done } = useTrials(HALF_GROUPS, checkTheorem1);
  const refutations = useMemo(() => refuteTheorem2(LISTED_WINDOW, MAX_GROUP), []);
  const placements = total(rows, (row) => row.placements);
  const failures = total(rows, (row) => row.failures);
  const counterexample = overfillingPlacement({ kept: 3, group: 8 }, HARDWARE_2_4);
  const counterexampleSliding = slidingOf({ kept: 3, group: 8 }, HARDWARE_2_4);
  return (
    <section className="grid gap-3 grid-cols-1 mt-8 max-w-[64rem] [&_p+p]:mt-2" aria-label="Theorems">
      <h3 className="text-18 font-normal">The paper’s claims, tested</h3>
      <article>
        <h4 className="font-semibold">
          Theorem 1: every (2N−2):2N group fits 2:4{' '}
          <Stamp good={done && failures === 0}>{done ? (failures === 0 ? 'holds' : 'fails') : 'trying'}</Stamp>
        </h4>
        <p role="status">
          {countText(placements)} placements for N from 2 to {rows.at(-1)?.halfGroup ?? 2}, {countText(failures)}{' '}
          without a window for every non-zero{done ? '' : ' so far'}.
        </p>
        <Drawer title="The paper’s proof has a gap: what a window rejects goes to the next">
          <p>
            The last has no next. Each window before it is full or leaves nothing: the rest never exceeds the room
            behind it.
          </p>
        </Drawer>
      </article>
      <article>
        <h4 className="font-semibold">
          Theorem 2: room for Z non-zeros is enough <Stamp good={false}>fails</Stamp>
        </h4>
        <p>
          A machine that keeps less than half of a window can fail: window 0 alone sees more than it takes.{' '}
          <Theorem2Verdict start={done} />
        </p>
        <Theorem2Proof />
        <p>The smallest that break, by machine:</p>
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,26rem),1fr))] gap-y-2 gap-x-6 mt-2">
          {refutations.map(({ sliding, columns }) => (
            <li key={patternText(sliding.hardware)} className="flex flex-wrap items-baseline gap-y-1 gap-x-3">
              <Button onClick={() => onShow(sliding, columns)}>
                {patternText(sliding.pattern)} on {patternText(sliding.hardware)}
              </Button>
              <span className="text-muted">
                room for {sliding.capacity}, broken by {columnsText(columns)}
              </span>
            </li>
          ))}
        </ul>
      </article>
      <Theorem3 start={done} />
      {counterexample && typeof counterexampleSliding !== 'string' && (
        <article>
          <h4 className="font-semibold">
            “Sparser than the hardware runs directly” <Stamp good={false}>fails</Stamp>
          </h4>
          <p>
            3:8 is sparser than 2:4, but its non-zeros can be in columns {listText(counterexample.map(String))}, one
            window of four.
          </p>
          <p className="mt-2">
            <Button onClick={() => onShow(counterexampleSliding, counterexample)}>Show 3:8 on 2:4</Button>
          </p>
        </article>
      )}
      <OneOfFour onShow={onShow} />
    </section>
  );
}

/** Theorem 3: how many patterns are more than L / Z times as fast as dense, and how many reach that speed. */
function Theorem3({ start }: { readonly start: boolean }) {
  const { rows, done } = useTrials(start ? WINDOWS : NO_CASES, tryTheorem3);
  const faster = total(rows, (row) => row.faster);
  return (
    <article>
      <h4 className="font-semibold">
        Theorem 3: no pattern runs faster than L / Z{' '}
        <Stamp good={done && faster === 0}>{done ? (faster === 0 ? 'holds by counting' : 'fails') : 'trying'}</Stamp>
      </h4>
      <p>
        {done ? (
          <>
            Of {countText(total(rows, (row) => row.fitting))} patterns of up to {MAX_GROUP} columns that fit some
            machine with windows of up to {WINDOWS.at(-1)}, {faster === 0 ? 'none is' : `${countText(faster)} are`}{' '}
            faster, and {countText(total(rows, (row) => row.atBound))} reach it: those that fill every slot of every
            window.
          </>
        ) : (
          <Trying rows={rows} />
        )}{' '}
        It assumes that M:N runs exactly N / M times as fast as dense. The paper’s kernels run 2:4 at 2.07, and so 6:8
        at 1.42, not 1.33.
      </p>
    </article>
  );
}

/** The proof of where theorem 2 is true, as `fitsWhereCapacitySuffices` tests it. */
function Theorem2Proof() {
  return (
    <Drawer title="With room for Z, every placement fits exactly if 2M ≥ N or Z ≤ M: the proof">
      <ol>
        <li>
          By Hall’s condition, a placement fits if every run of k windows has room, k M, for the non-zeros that it alone
          sees.
        </li>
        <li>
          It alone sees k (N − M) columns at either end of the group, k (N − M) − M inside, and all if it has all
          windows.
        </li>
        <li>If 2M ≥ N, then N − M ≤ M, and no run is given more than k M. All windows have room for Z.</li>
        <li>If Z ≤ M, no run is given more than its first window takes.</li>
        <li>Otherwise window 0 alone sees more than M columns. M + 1 non-zeros in them do not fit.</li>
      </ol>
    </Drawer>
  );
}

/** The claim that hardware with 1:4 (one non-zero in four columns) runs any pattern as fast as its non-zeros allow. */
function OneOfFour({ onShow }: TheoremsProps) {
  const rows = useMemo(() => ONE_OF_FOUR_GROUPS.map(checkOneOfFour), []);
  const fitting = rows.flatMap((row) => row.fitting);
  const atBound = rows.flatMap((row) => row.atBound);
  const example = slidingOf({ kept: 2, group: 10 }, { kept: 1, window: 4 });
  const onlyOnes = fitting.every(({ kept }) => kept === 1);
  const [perNonZero] = useState(() => WINDOW_PER_NON_ZERO_GROUPS.map(checkWindowPerNonZero));
  const broken = total(perNonZero, (row) => row.broken);
  return (
    <article>
      <h4 className="font-semibold">
        “1:4 hardware reaches the bound with any pattern”{' '}
        <Stamp good={false}>{broken === 0 ? 'holds for this paper’s patterns' : 'fails'}</Stamp>
      </h4>

      <p>
        <strong>Three apart</strong>, it fails. Of the {countText(total(rows, (row) => row.patterns))} patterns of up to{' '}
        {ONE_OF_FOUR_GROUPS.at(-1)} columns whose windows end with the group,{' '}
        {countText(total(rows, (row) => row.withoutFreeSlot))} have no room: all with more than a third left. Of the
        others it holds for {countText(fitting.length)}
        {onlyOnes ? ', those with a single non-zero' : ''}. Only{' '}
        {atBound.map((pattern) => patternText(pattern)).join(', ')} {atBound.length === 1 ? 'reaches' : 'reach'} the
        bound.
      </p>
      <p>
        <strong>One for each non-zero</strong>, one column apart, it holds for at most three zeros, as in this paper: of{' '}
        {countText(total(perNonZero, (row) => row.placements))} placements of{' '}
        {countText(total(perNonZero, (row) => row.patterns))} such patterns of up to {WINDOW_PER_NON_ZERO_GROUPS.at(-1)}{' '}
        columns, {countText(broken)} do not fit. With more zeros it fails.
      </p>
      {typeof example !== 'string' && (
        <p className="mt-2">
          <Button onClick={() => onShow(example, [0, 1])}>Show 2:10 on 1:4</Button>
        </p>
      )}
    </article>
  );
}

/** The result next to a claim, green if good. */
function Stamp({ good, children }: { readonly good: boolean; readonly children: string }) {
  return (
    <span
      className="ml-2 border border-current rounded-[3px] px-[6px] py-px text-12 font-normal text-danger data-good:text-good"
      data-good={good || undefined}
    >
      {children}
    </span>
  );
}

/** The width of the windows being tried. Widths go up from 2 columns; `rows` has a result for each finished width. */
function Trying({ rows }: { readonly rows: readonly unknown[] }) {
  return <span className="text-muted">Trying windows of {rows.length + 2} columns.</span>;
}

/** The result of trying theorem 2 on all patterns and hardware. */
function Theorem2Verdict({ start }: { readonly start: boolean }) {
  const { rows, done } = useTrials(start ? WINDOWS : NO_CASES, tryTheorem2);
  if (!start || !done) return <Trying rows={rows} />;
  const exceptions = total(rows, (row) => row.exceptions);
  return (
    <>
      Of the {countText(total(rows, (row) => row.patterns))} patterns that it promises to{' '}
      {countText(total(rows, (row) => row.hardware))} machines,{' '}
      <strong>{countText(total(rows, (row) => row.broken))} break</strong>. They are those whose Z exceeds M on such a
      machine, with {countText(exceptions)} exceptions. {countText(total(rows, (row) => row.enumerated))} placements
      were tried here; Hall’s condition decided {countText(total(rows, (row) => row.decidedByHall))} more.
    </>
  );
}

const NO_CASES: readonly number[] = [];

function total<Row>(rows: readonly Row[], count: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + count(row), 0);
}

const tryTheorem2 = (window: number): Theorem2Row => checkTheorem2(window, MAX_GROUP);
const tryTheorem3 = (window: number): Theorem3Row => checkTheorem3(window, MAX_GROUP);

/** Results of the cases that were tried so far. */
interface Trials<Row> {
  readonly rows: readonly Row[];
  readonly done: boolean;
}

/** Tries one case after the other; the page can respond in between. */
function useTrials<Row>(cases: readonly number[], attempt: (trial: number) => Row): Trials<Row> {
  const [rows, setRows] = useState<readonly Row[]>([]);
  const next = cases[rows.length];
  useEffect(() => {
    if (next === undefined) return;
    const timer = setTimeout(() => {
      const row = attempt(next);
      setRows((before) => [...before, row]);
    });
    return () => clearTimeout(timer);
  }, [next, attempt]);
  return { rows, done: rows.length === cases.length && cases.length > 0 };
}
