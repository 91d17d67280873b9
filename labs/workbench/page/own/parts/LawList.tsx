// The list of laws that a custom format satisfies or breaks.

import type { ByteClass } from '../../../../../src/core/encoded/ledger.ts';
import { countText, withGroups } from '../../../../../src/core/text/words.ts';
import { LAWS } from '../../../own/law-titles.ts';
import type { LawReport } from '../../../own/laws.ts';
import type { LawState } from '../../../own/law-tally.ts';
import { TextButton } from '../../../../../src/kit/controls/Button.tsx';
import { CopyButton } from '../../../../../src/kit/controls/CopyButton.tsx';
import { Icon } from '../../../../../src/kit/controls/Icon.tsx';
import { Section } from '../../../../../src/kit/controls/Section.tsx';
import { counterexampleTest } from './counterexample-test.ts';
import type { Counterexample } from '../live/module-state.ts';
import { type ModuleWithPlayer, useModuleState } from '../use-live-module.ts';
import type { CsrMatrix } from '../../../../../src/core/matrix/index.ts';
import { shortestF32 } from '../../../../../src/core/number/index.ts';
import { matrixOfPuts } from '../../../../../src/core/declared/matrix-of-puts.ts';
import { roundedMatrix, valueTypeOf } from '../../../own/decoded-matrix.ts';
import type { UserParams } from '../../../own/module-messages.ts';

/** Maximum number of rows, columns and elements in the drawing; the rest is described in words. */
const MAX_ROWS = 4;
const MAX_COLUMNS = 5;
const MAX_ELEMENTS = 6;

const CELL = 'min-w-6 rounded-[2px] px-1 py-px text-12 text-center font-mono';
const WRONG_CELL = 'bg-danger-ground text-danger outline-[1.5px] outline-danger -outline-offset-1';
const colorsOf = (kind: ByteClass) => ({ background: `var(--${kind}-pale)`, color: `var(--${kind}-text)` });

/** A counterexample as a picture: the matrix, its arrays, and its decoding. */
function CounterexamplePicture({ counterexample: { matrix, run } }: { readonly counterexample: Counterexample }) {
  const decoded = run && matrixOfPuts(run.decoding.puts, matrix).matrix;
  const expected = run ? roundedMatrix(matrix, valueTypeOf(run.setup.arrays)) : matrix;
  return (
    <div className="grid grid-cols-[auto_1fr] gap-y-1 gap-x-3">
      <figure className="contents">
        <figcaption className="text-muted text-12">matrix</figcaption>
        <Cells matrix={matrix} />
      </figure>
      {run?.encoding.arrays.map(({ array, elements }) => (
        <figure key={array.name} className="contents">
          <figcaption className="text-muted text-12">{array.name}</figcaption>
          <div className="flex flex-wrap gap-0.5 mb-1">
            {Array.from({ length: Math.min(MAX_ELEMENTS, elements.length) }, (_, i) => (
              // oxlint-disable-next-line react/no-array-index-key -- elements are identified by their position
              <span key={i} className={CELL} style={colorsOf(array.byteClass)}>
                {array.type.kind === 'float' ? textOf(elements[i]) : elements[i]}
              </span>
            ))}
            {elements.length > MAX_ELEMENTS && <span className="text-quiet">… {elements.length}</span>}
            {elements.length === 0 && <span className="text-quiet">empty</span>}
          </div>
        </figure>
      ))}
      {decoded && (
        <figure className="contents">
          <figcaption className="text-muted text-12">decoded</figcaption>
          <Cells matrix={decoded} expected={expected} />
        </figure>
      )}
    </div>
  );
}

/** The cells of a small matrix; those that differ from `expected` are marked. */
function Cells({ matrix, expected }: { readonly matrix: CsrMatrix; readonly expected?: CsrMatrix }) {
  const rows = Math.min(MAX_ROWS, matrix.rows);
  const columns = Math.min(MAX_COLUMNS, matrix.cols);
  return (
    <div>
      {Array.from({ length: rows }, (_, r) => {
        const cells = Array.from({ length: columns }, (__, c) => {
          const value = cellOf(matrix, r, c);
          const expectedValue = expected ? cellOf(expected, r, c) : value;
          return { value, expectedValue, isWrong: !Object.is(value, expectedValue) };
        });
        const wrongCells = cells.filter(({ isWrong }) => isWrong);
        return (
          <div key={r} className="flex flex-wrap gap-0.5 mb-1">
            {cells.map(({ value, expectedValue, isWrong }, c) => (
              // oxlint-disable-next-line react/no-array-index-key -- cells are identified by their position
              <span
                key={c}
                className={`${CELL} ${isWrong ? WRONG_CELL : 'bg-cell text-muted'}`}
                style={isWrong || value === 0 ? undefined : colorsOf('values')}
                title={isWrong ? `not ${textOf(expectedValue)}` : undefined}
              >
                {textOf(value)}
              </span>
            ))}
            {wrongCells.length > 0 && (
              <span className="text-danger text-12">
                not {wrongCells.map(({ expectedValue }) => textOf(expectedValue)).join(', ')}
              </span>
            )}
          </div>
        );
      })}
      {(matrix.rows > rows || matrix.cols > columns) && (
        <span className="text-quiet">
          of {matrix.rows} × {matrix.cols}
        </span>
      )}
    </div>
  );
}

/** The value of a cell; 0 if none is stored. */
function cellOf({ indptr, indices, data }: CsrMatrix, row: number, column: number): number {
  for (let i = indptr[row]; i < indptr[row + 1]; i++) if (indices[i] === column) return data[i];
  return 0;
}

/** A number in at most six characters, or rounded to two digits. */
function textOf(value: number): string {
  const text = shortestF32(value);
  return text.length <= 6 ? text : String(Number(value.toPrecision(2)));
}

/** Ids of the laws about decode, the only laws that a test in Node can check outside of the page. */
const DECODE_LAWS: readonly string[] = ['round-trip', 'cells-once', 'arrays-suffice'];

interface LawListProps {
  readonly live: ModuleWithPlayer;
  readonly name: string; // of the file with the format, without its ending
  /** shows encode and decode of the counterexample step by step */
  readonly onShow: (counterexample: Counterexample) => void;
  /** hides counterexamples, as exercises do */
  readonly isSecret?: boolean;
}

/**
 * The laws of formats (decode undoes encode, ...): how often each is satisfied, and the smallest matrix that breaks it.
 */
export function LawList({ live, name, onShow, isSecret = false }: LawListProps) {
  const laws = useModuleState(live, (s) => s.laws);
  const ms = useModuleState(live, (s) => s.lawsMs);
  const phase = useModuleState(live, (s) => s.phase);
  const counterexamples = useModuleState(live, (s) => s.counterexamples);
  const params = useModuleState(live, (s) => s.params);
  const isTrying = phase === 'running' && ms === null;
  const aside = isTrying ? 'being tried' : triedText(laws, ms);
  return (
    <Section
      title="Laws"
      aside={aside}
      action={isTrying && <TextButton onClick={() => live.module.cancel()}>Cancel</TextButton>}
    >
      <ul className="grid gap-1">
        {laws === null
          ? LAWS.map(({ id, title }) => (
              <li key={id} className="grid grid-cols-[1rem_1fr_auto] items-baseline gap-x-2 text-muted">
                <span className="size-3 border border-dashed border-muted rounded-[50%]" aria-hidden="true" />
                <span>{title}</span>
              </li>
            ))
          : laws.laws.map((law) => (
              <Law
                key={law.id}
                law={law}
                {...{ name, params, onShow, isSecret }}
                counterexample={counterexamples.find((candidate) => candidate.law === law.id) ?? null}
              />
            ))}
        {laws !== null && laws.refused.length > 0 && (
          <li className="grid grid-cols-[1rem_1fr_auto] items-baseline gap-x-2">
            <span className="translate-y-0.5">
              <Icon name="minus" />
            </span>
            <span>
              Refuses
              <span className="text-muted block wrap-anywhere">
                {laws.refused[0].name}: {withGroups(laws.refused[0].reason)}
              </span>
            </span>
            <span className="number text-muted">{laws.refused.length}</span>
          </li>
        )}
      </ul>
    </Section>
  );
}

/** How many matrices the laws were tested on, and in which time. */
function triedText(laws: LawReport | null, ms: number | null): string {
  if (laws === null) return 'not tried';
  return ms === null ? 'not tried to the end' : `${laws.matrices} matrices in ${(ms / 1000).toFixed(2)} s`;
}

/** The sentence that introduces the matrix that breaks a law. */
function introText({ name, shrinkTries }: NonNullable<LawState['broken']>, { rows, cols }: CsrMatrix): string {
  const shape = `${rows} × ${cols}`;
  if (shrinkTries > 0) return `the smallest that breaks it, ${shape}`;
  return name.startsWith(shape) ? name : `${name}, ${shape}`;
}

interface LawProps extends Pick<LawListProps, 'name' | 'onShow' | 'isSecret'> {
  readonly law: LawState;
  readonly counterexample: Counterexample | null;
  readonly params: UserParams;
}

function Law({ law: { id, title, passed, tried, broken }, counterexample, name, params, onShow, isSecret }: LawProps) {
  const isUntried = tried === 0;
  const untriedOrSatisfied = isUntried ? 'not tried: ' : 'satisfied: ';
  return (
    <li className="grid grid-cols-[1rem_1fr_auto] items-baseline gap-x-2">
      <span className={`translate-y-0.5 ${broken ? 'text-danger' : isUntried ? '' : 'text-good'}`}>
        <Icon name={broken ? 'close' : isUntried ? 'minus' : 'tick'} />
        <span className="unseen">{broken ? 'broken: ' : untriedOrSatisfied}</span>
      </span>
      <span className={broken ? 'font-semibold text-danger' : undefined}>{title}</span>
      <span className={broken ? 'number text-danger' : 'number text-muted'}>
        {passed === tried ? countText(passed) : `${countText(passed)} of ${countText(tried)}`}
      </span>
      {broken && !isSecret && (
        <div className="col-[2/-1] grid gap-2 mt-1 mb-3 wrap-anywhere">
          {counterexample && <p className="text-muted">{introText(broken, counterexample.matrix)}</p>}
          {counterexample && <CounterexamplePicture counterexample={counterexample} />}
          <p>{broken.why}</p>
          {counterexample?.cause && counterexample.cause.message !== broken.why && (
            <p>
              {counterexample.cause.message} Line {counterexample.cause.line} stored it.
            </p>
          )}
          {counterexample && (
            <p className="underlined flex flex-wrap gap-y-1 gap-x-4">
              <TextButton onClick={() => onShow(counterexample)}>show it</TextButton>
              {DECODE_LAWS.includes(id) && (
                <CopyButton
                  text={() => counterexampleTest({ name, title, matrix: counterexample.matrix, params })}
                  what="Test"
                  otherwise="copy the matrix instead"
                >
                  copy as a test
                </CopyButton>
              )}
            </p>
          )}
        </div>
      )}
    </li>
  );
}
