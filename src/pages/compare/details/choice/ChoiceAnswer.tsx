import { type ReactNode, useState } from 'react';
import { csvLine } from '../../../../core/reports/csv-line.ts';
import { countText, listText } from '../../../../core/text/words.ts';
import { numberChoice, wordChoice } from '../../../../kit/browser/choices.ts';
import { saveText } from '../../../../kit/browser/save-blob.ts';
import { TextButton } from '../../../../kit/controls/Button.tsx';
import { NumberInput } from '../../../../kit/controls/NumberInput.tsx';
import { Segmented } from '../../../../kit/controls/Segmented.tsx';
import { Swatch } from '../../../../kit/controls/Swatch.tsx';
import { modelSize } from '../../../../kit/words/model-sizes.ts';
import { percent, shape, time } from '../../../../kit/words/quantity.ts';
import {
  type FormatOption,
  type MatrixChoice,
  type ModelChoice,
  OBJECTIVES,
  type Totals,
} from '../../../../theory/choice/format-choice.ts';
import { CHOICE_COLUMNS, choiceRows } from '../../../../theory/choice/model-choice.ts';

/* What the section 'which format for each matrix' has in common for a model and for a file: its settings and its answer. */

/** Largest budget, in GB. */
const MAX_BUDGET = 100_000;

/** The largest share that may be pruned, in percent. */
const MAX_PRUNED = 99.99;

/** The settings of the section in an address. */
export const CHOICE_FIELDS = {
  /** what the best format has least of */
  goal: wordChoice(OBJECTIVES, 'bytes'),
  /** fewest bits of a value */
  bits: wordChoice<string>(['16', '8', '4'], '16'),
  /** limit of all bytes in GB; 0: none */
  budget: numberChoice(0, MAX_BUDGET, 0),
  /** of a file: the share of the weights to prune, in percent */
  pruned: numberChoice(0, MAX_PRUNED, 0),
};

/** The values of `CHOICE_FIELDS`. */
export interface ChoiceSettings {
  readonly goal: (typeof OBJECTIVES)[number];
  readonly bits: string;
  readonly budget: number;
  readonly pruned: number;
}

const GOALS = [
  { value: 'bytes', label: 'bytes' },
  { value: 'time', label: 'time' },
] as const;

const BITS = ['16', '8', '4'].map((value) => ({ value, label: value }));

interface ChoiceControlsProps {
  readonly settings: ChoiceSettings;
  readonly choose: (changed: Partial<ChoiceSettings>) => void;
  /** whether the section prunes the weights itself */
  readonly prunes?: boolean;
}

/** The settings: the objective, what may change, and the budget. */
export function ChoiceControls({ settings, choose, prunes = false }: ChoiceControlsProps) {
  const { goal, bits, budget, pruned } = settings;
  return (
    <div className="flex flex-wrap items-end gap-y-2 gap-x-6 [&_.segmented_label]:px-3">
      <Segmented label="least" value={goal} options={GOALS} onChange={(value) => choose({ goal: value })} />
      <Segmented
        label="bits of a value, at least"
        value={bits}
        options={BITS}
        onChange={(value) => choose({ bits: value })}
      />
      {prunes && (
        <NumberInput
          label="pruned by magnitude, %"
          hint="In each matrix. Not by Wanda: a file of weights does not contain the inputs that it needs."
          value={pruned}
          min={0}
          max={MAX_PRUNED}
          onChange={(value) => choose({ pruned: value })}
        />
      )}
      {goal === 'time' && (
        <NumberInput
          label="at most, in GB (0: any)"
          value={budget}
          min={0}
          max={MAX_BUDGET}
          onChange={(value) => choose({ budget: value })}
        />
      )}
    </div>
  );
}

/** A choice with all that is shown of it. */
export interface ShownChoice {
  /** of the model or file */
  readonly name: string;
  /** the matrices have long names, and none stands for several */
  readonly isOfFile: boolean;
  /** null: even the fewest bytes exceed the budget */
  readonly choice: ModelChoice | null;
  /** all matrices in dense f16, and in dense i4 */
  readonly dense: Readonly<Record<'f16' | 'i4', Totals>>;
  /** bytes of tables that are only looked up, in f16: part of every total */
  readonly lookup: number;
  /** the fewest bytes, with these tables */
  readonly fewestBytes: number;
  /** further lines below the totals: what is summed, and its value */
  readonly more?: readonly (readonly [title: string, value: string])[];
  /** further members of the JSON */
  readonly facts?: Readonly<Record<string, unknown>>;
}

interface ChoiceAnswerProps {
  readonly choice: ShownChoice;
  readonly settings: ChoiceSettings;
  /** name of the device whose times are shown */
  readonly device: string;
  /** where the bytes come from, and what is not known */
  readonly children: ReactNode;
}

/** The best format for each matrix, the totals next to dense, and both as files. */
export function ChoiceAnswer({ choice: choiceView, settings, device, children }: ChoiceAnswerProps) {
  const { name, isOfFile, choice, dense, lookup, fewestBytes, more = [] } = choiceView;
  if (choice === null) {
    return (
      <p role="status" className="mt-3">
        Even the fewest bytes are {modelSize(fewestBytes)}: more than {settings.budget} GB.
      </p>
    );
  }
  return (
    <>
      {settings.goal === 'time' && choice.time === null && (
        <p role="status" className="mt-3">
          {unknownTimes(choice)} no time on {device}: their fewest bytes are shown.
        </p>
      )}
      {choice.choices.length > LONG_TABLE ? (
        <div className="max-h-120 overflow-y-auto">
          <ChoiceTable choices={choice.choices} isOfFile={isOfFile} />
        </div>
      ) : (
        <ChoiceTable choices={choice.choices} isOfFile={isOfFile} />
      )}
      {choice.choices.length > MAX_ROWS && (
        <p className="field-hint">
          The first {MAX_ROWS} of {countText(choice.choices.length)}; CSV and JSON have them all.
        </p>
      )}
      <dl className="facts block mt-3 max-w-120">
        <TotalsLine title="together" totals={choice} lookup={lookup} isStrong />
        <TotalsLine title="dense f16" totals={dense.f16} lookup={lookup} />
        <TotalsLine title="dense i4" totals={dense.i4} lookup={lookup} />
        {more.map(([title, value]) => (
          <div key={title} className="flex justify-between gap-2">
            <dt>{title}</dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="field-hint mt-2">
        {children} Times: from measured ones on {device}, by interpolation. Not known: what pruning and fewer bits cost
        in quality.
      </p>
      <p className="flex gap-4 mt-2">
        <TextButton onClick={() => saveText(fileName(name, 'csv'), csvOf(choice), 'text/csv')}>CSV</TextButton>
        <TextButton onClick={() => saveText(fileName(name, 'json'), jsonOf(choiceView, choice), 'application/json')}>
          JSON
        </TextButton>
      </p>
    </>
  );
}

/** A table with more rows than this scrolls, so that its totals are near. */
const LONG_TABLE = 12;

/** The most rows of the table. */
const MAX_ROWS = 500;

const SORTS = ['order', 'format', 'bytes', 'time'] as const;
type Sort = (typeof SORTS)[number];

/** A row for each matrix: its format, bytes, time and the runner-up. Sorted by a press on the head of a column. */
function ChoiceTable({ choices, isOfFile }: Pick<ModelChoice, 'choices'> & { readonly isOfFile: boolean }) {
  const [sort, setSort] = useState<Sort>('order');
  const valueOf: Readonly<Record<Sort, (choice: MatrixChoice) => number | string>> = {
    order: (choice) => choices.indexOf(choice),
    format: ({ chosenOption }) => chosenOption.candidate.title,
    bytes: ({ matrix, chosenOption }) => -chosenOption.bytes * matrix.count,
    time: ({ matrix, chosenOption }) => -(chosenOption.time?.ns ?? 0) * matrix.active,
  };
  const sorted = choices.toSorted((a, b) => (valueOf[sort](a) < valueOf[sort](b) ? -1 : 1)).slice(0, MAX_ROWS);
  const head = (column: Sort, title: string, className = '') => (
    <th scope="col" className={className} aria-sort={column === sort && sort !== 'order' ? 'ascending' : undefined}>
      <button
        type="button"
        className="cursor-pointer hover:text-ink"
        aria-label={`Sort by ${title}`}
        onClick={() => setSort(column)}
      >
        {title}
        {column === sort && sort !== 'order' && <span aria-hidden="true"> ↓</span>}
      </button>
    </th>
  );
  return (
    <table className="w-full mt-4 [&_:is(th,td)]:p-2 [&_:is(th,td):first-child]:ps-0 [&_:is(th,td):last-child]:pe-0">
      <caption className="unseen">The best format for each matrix</caption>
      <thead className="text-muted text-12">
        <tr>
          {head('order', 'matrix', 'text-start')}
          {head('format', 'format', 'text-start')}
          {head('bytes', isOfFile ? 'bytes' : 'bytes, all', 'text-end')}
          {head('time', 'time per token', 'text-end')}
          <th scope="col" className="text-start font-sans max-sm:hidden">
            next best
          </th>
        </tr>
      </thead>
      <tbody>
        {sorted.map(({ matrix, chosenOption, runnerUp }) => (
          <tr key={matrix.name} className="border-t border-hairline">
            <th scope="row">
              <span className="grid whitespace-nowrap">
                <strong className={isOfFile ? 'whitespace-normal [overflow-wrap:anywhere]' : undefined}>
                  {matrix.name}
                </strong>
                <span className="number text-quiet">
                  {shape(matrix.rows, matrix.cols)}
                  {!isOfFile && ` · ${matrix.count}×`}
                </span>
              </span>
            </th>
            <td>
              <span className="flex items-center gap-2">
                <Swatch format={chosenOption.candidate.format.id} />
                <span>
                  {chosenOption.candidate.title}
                  {matrix.keptDense && <span className="text-muted">, as in every format</span>}
                </span>
              </span>
            </td>
            <td className="number">{modelSize(chosenOption.bytes * matrix.count)}</td>
            <td className="number max-sm:whitespace-normal">{timesText(chosenOption, matrix.active)}</td>
            <td className="text-muted max-sm:hidden">{runnerUp && nextText(chosenOption, runnerUp)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The most names of matrices in a sentence. */
const MAX_NAMES = 6;

/** The matrices without a known time, as the subject of a sentence: 'q and k have'. */
function unknownTimes({ choices }: ModelChoice): string {
  const names = choices.filter(({ chosenOption }) => chosenOption.time === null).map(({ matrix }) => matrix.name);
  if (names.length === choices.length) return 'The matrices have';
  if (names.length > MAX_NAMES) return `${names.length} of the ${choices.length} matrices have`;
  return `${listText(names)} ${names.length === 1 ? 'has' : 'have'}`;
}

/** The time of some products, '–' if it is unknown. */
function timesText({ time: optionTime }: FormatOption, count: number): string {
  return optionTime ? timeText({ ns: optionTime.ns * count, spread: optionTime.spread }) : '–';
}

/** '3.51 ms ± 2 %' */
export function timeText({ ns, spread }: NonNullable<Totals['time']>): string {
  return `${time(ns)} ± ${percent(spread, 0)}`;
}

/** The runner-up and how it differs: 'CSR: bytes +59 %, time +24 %'. */
function nextText(chosen: FormatOption, { candidate, bytes, time: nextTime }: FormatOption): string {
  const change = (chosenFigure: number, nextFigure: number): string =>
    `${nextFigure < chosenFigure ? '−' : '+'}${percent(Math.abs(nextFigure / chosenFigure - 1), 0)}`;
  const parts = [
    `bytes ${change(chosen.bytes, bytes)}`,
    ...(chosen.time && nextTime ? [`time ${change(chosen.time.ns, nextTime.ns)}`] : []),
  ];
  return `${candidate.title}: ${parts.join(', ')}`;
}

interface TotalsLineProps {
  readonly title: string;
  readonly totals: Totals;
  readonly lookup: number;
  readonly isStrong?: boolean;
}

/** Bytes of the model with its embedding, and the time of the matrices of a token. */
function TotalsLine({ title, totals, lookup, isStrong = false }: TotalsLineProps) {
  return (
    <div className={isStrong ? 'flex justify-between gap-2 font-semibold' : 'flex justify-between gap-2'}>
      <dt>{title}</dt>
      <dd className="number">
        {modelSize(totals.bytes + lookup)}
        {totals.time && `, ${timeText(totals.time)}`}
      </dd>
    </div>
  );
}

const fileName = (model: string, kind: string): string =>
  `sparsescope-choice-${model.replace(/[^\w.-]+/g, '-')}.${kind}`;

const csvOf = (choice: ModelChoice): string => [CHOICE_COLUMNS, ...choiceRows(choice)].map(csvLine).join('');

function jsonOf({ name, lookup, facts }: ShownChoice, choice: ModelChoice): string {
  const rows = choiceRows(choice).map((cells) => Object.fromEntries(cells.map((cell, i) => [CHOICE_COLUMNS[i], cell])));
  const { bytes, time: totalTime } = choice;
  return `${JSON.stringify({ model: name, ...facts, bytes: Math.round(bytes + lookup), lookupBytes: lookup, matricesNs: totalTime && Math.round(totalTime.ns), choice: rows }, null, 1)}\n`;
}
