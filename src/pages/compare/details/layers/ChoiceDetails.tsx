import { useMemo, useState } from 'react';
import { listText } from '../../../../core/text/words.ts';
import { csvLine } from '../../../../core/reports/csv-line.ts';
import { referenceFormat } from '../../../../formats/catalog.ts';
import { useApp } from '../../../../kit/app-context.ts';
import { numberChoice, useChoices, wordChoice } from '../../../../kit/browser/choices.ts';
import { saveText } from '../../../../kit/browser/save-blob.ts';
import { TextButton } from '../../../../kit/controls/Button.tsx';
import { NumberInput } from '../../../../kit/controls/NumberInput.tsx';
import { Segmented } from '../../../../kit/controls/Segmented.tsx';
import { Swatch } from '../../../../kit/controls/Swatch.tsx';
import { useTokenTimes } from '../../../../kit/report/use-decode-reports.ts';
import { modelSize } from '../../../../kit/words/model-sizes.ts';
import { percent, shape, time } from '../../../../kit/words/quantity.ts';
import {
  candidates,
  chooseFormats,
  type FormatOption,
  type MatrixChoice,
  matrixOptions,
  type ModelChoice,
  OBJECTIVES,
  type Totals,
  totalsInOneFormat,
} from '../../../../theory/choice/format-choice.ts';
import {
  CHOICE_COLUMNS,
  choiceMatrices,
  choiceRows,
  lookupBytes,
  tokenTime,
} from '../../../../theory/choice/model-choice.ts';
import { timedFormats } from '../../../../theory/choice/predicted-times.ts';
import type { Fusion } from '../../../../theory/models/model-shape.ts';
import { tokenRests } from '../../../../theory/models/token-speeds.ts';
import type { ComparedFormats, ModelComparison } from '../../rows/compare-row.ts';

/** Largest budget, in GB. */
const MAX_BUDGET = 100_000;

const CHOICE_FIELDS = {
  /** what the best format has least of */
  goal: wordChoice(OBJECTIVES, 'bytes'),
  /** fewest bits of a value */
  bits: wordChoice(['16', '8', '4'], '16'),
  /** limit of all bytes in GB; 0: none */
  budget: numberChoice(0, MAX_BUDGET, 0),
};

const GOALS = [
  { value: 'bytes', label: 'bytes' },
  { value: 'time', label: 'time' },
] as const;

const BITS = ['16', '8', '4'].map((value) => ({ value, label: value }));

/** The section 'which format for each matrix': the best format for every matrix of the model by bytes or by time. */
export function ChoiceDetails({ compared }: { readonly compared: ComparedFormats }) {
  return compared.model && <Choice compared={compared} model={compared.model} />;
}

interface ChoiceProps {
  readonly compared: ComparedFormats;
  readonly model: ModelComparison;
}

function Choice({ compared, model }: ChoiceProps) {
  const [{ goal, bits, budget }, choose] = useChoices(CHOICE_FIELDS);
  const { choice, dense, lookup, least, whole } = useFormatChoice(compared, model, { goal, bits, budget });
  const name = model.shape.name;
  return (
    <>
      <div className="flex flex-wrap items-end gap-y-2 gap-x-6 [&_.segmented_label]:px-3">
        <Segmented label="least" value={goal} options={GOALS} onChange={(value) => choose({ goal: value })} />
        <Segmented
          label="bits of a value, at least"
          value={bits}
          options={BITS}
          onChange={(value) => choose({ bits: value as typeof bits })}
        />
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
      {choice === null ? (
        <p role="status" className="mt-3">
          Even the fewest bytes are {modelSize(least)}: more than {budget} GB.
        </p>
      ) : (
        <>
          {goal === 'time' && choice.time === null && (
            <p role="status" className="mt-3">
              {unknownTimes(choice)} no time on {compared.shown.device.name}: their fewest bytes are shown.
            </p>
          )}
          <ChoiceTable choices={choice.choices} />
          <dl className="facts block mt-3 max-w-120">
            <TotalsLine title="together" totals={choice} lookup={lookup} isStrong />
            {dense.map(({ title, totals }) => (
              <TotalsLine key={title} title={title} totals={totals} lookup={lookup} />
            ))}
            {whole && (
              <div className="flex justify-between gap-2">
                <dt>a whole token, q, k, v as one matrix</dt>
                <dd className="number">{timeText(whole)}</dd>
              </div>
            )}
          </dl>
          <p className="field-hint mt-2">
            Bytes: expected ones of random weights. Times: from measured ones on {compared.shown.device.name}, by
            interpolation. Not known: what pruning and fewer bits cost in quality.
          </p>
          <p className="flex gap-4 mt-2">
            <TextButton onClick={() => saveText(fileName(name, 'csv'), csvOf(choice), 'text/csv')}>CSV</TextButton>
            <TextButton
              onClick={() => saveText(fileName(name, 'json'), jsonOf(name, choice, lookup), 'application/json')}
            >
              JSON
            </TextButton>
          </p>
        </>
      )}
    </>
  );
}

/** The choice by these settings, beside dense f16 and i4. */
function useFormatChoice(
  { shown: { device }, density, tokens, rows, summary }: ComparedFormats,
  { shape: model, fused, prunesHead, isLayer }: ModelComparison,
  {
    goal,
    bits,
    budget,
  }: { readonly goal: (typeof OBJECTIVES)[number]; readonly bits: string; readonly budget: number },
) {
  const { formats } = useApp();
  const measuredHere = useTokenTimes();
  const isEven = summary.source.kind === 'pruned' && summary.source.pruning.way === 'n-of-m';
  return useMemo(() => {
    const times = tokens === 1 ? timedFormats(device.reports) : [];
    const listed = formats.filter((format) => !format.sandboxed && rows.some((row) => row.format.id === format.id));
    const all = candidates(listed, referenceFormat, Number(bits));
    const optionsFor = (fusion: Fusion) =>
      choiceMatrices(model, {
        fusion,
        keepHead: !prunesHead,
        density,
        placement: isEven ? 'even' : 'independent',
      }).map((matrix) => matrixOptions(matrix, all, times));
    const lookup = lookupBytes(model);
    const limit = goal === 'time' && budget > 0 ? budget * 1e9 - lookup : Infinity;
    const options = optionsFor(fused ? 'fused' : 'separate');
    const choice = chooseFormats(options, goal, limit);
    const inAnyBits = candidates([referenceFormat], referenceFormat, 4).filter(
      ({ params }, i) => i === 0 || params.valueType === 'i4',
    );
    const dense = inAnyBits.map((candidate) => ({
      title: candidate === inAnyBits[0] ? 'dense f16' : candidate.title,
      totals: totalsInOneFormat(
        options.map(({ matrix }) => matrixOptions(matrix, inAnyBits, times)),
        candidate,
      ),
    }));
    const rests = isLayer ? [] : tokenRests(device.name, measuredHere);
    // Whole tokens were measured with q, k, v as one matrix, and gate and up as one.
    const asMeasured = chooseFormats(optionsFor('fused'), goal, limit);
    const whole = asMeasured && tokenTime(asMeasured, model.layers, { name: device.name, times, rests });
    return { choice, dense, lookup, whole, least: (chooseFormats(options, 'bytes')?.bytes ?? 0) + lookup };
  }, [
    formats,
    rows,
    device,
    tokens,
    density,
    isEven,
    model,
    fused,
    prunesHead,
    isLayer,
    goal,
    bits,
    budget,
    measuredHere,
  ]);
}

const SORTS = ['order', 'format', 'bytes', 'time'] as const;
type Sort = (typeof SORTS)[number];

/** A row for each matrix: its format, bytes, time and the runner-up. Sorted by a press on the head of a column. */
function ChoiceTable({ choices }: Pick<ModelChoice, 'choices'>) {
  const [sort, setSort] = useState<Sort>('order');
  const valueOf: Readonly<Record<Sort, (choice: MatrixChoice) => number | string>> = {
    order: (choice) => choices.indexOf(choice),
    format: ({ chosen }) => chosen.candidate.title,
    bytes: ({ matrix, chosen }) => -chosen.bytes * matrix.count,
    time: ({ matrix, chosen }) => -(chosen.time?.ns ?? 0) * matrix.active,
  };
  const sorted = choices.toSorted((a, b) => (valueOf[sort](a) < valueOf[sort](b) ? -1 : 1));
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
          {head('bytes', 'bytes, all', 'text-end')}
          {head('time', 'time per token', 'text-end')}
          <th scope="col" className="text-start font-sans max-sm:hidden">
            next best
          </th>
        </tr>
      </thead>
      <tbody>
        {sorted.map(({ matrix, chosen, runnerUp }) => (
          <tr key={matrix.name} className="border-t border-hairline">
            <th scope="row">
              <span className="grid whitespace-nowrap">
                <strong>{matrix.name}</strong>
                <span className="number text-quiet">
                  {shape(matrix.rows, matrix.cols)} · {matrix.count}×
                </span>
              </span>
            </th>
            <td>
              <span className="flex items-center gap-2">
                <Swatch format={chosen.candidate.format.id} />
                <span>
                  {chosen.candidate.title}
                  {matrix.keptDense && <span className="text-muted">, as in every format</span>}
                </span>
              </span>
            </td>
            <td className="number">{modelSize(chosen.bytes * matrix.count)}</td>
            <td className="number max-sm:whitespace-normal">{timesText(chosen, matrix.active)}</td>
            <td className="text-muted max-sm:hidden">{runnerUp && nextText(chosen, runnerUp)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The matrices without a known time, as the subject of a sentence: 'q and k have'. */
function unknownTimes({ choices }: ModelChoice): string {
  const names = choices.filter(({ chosen }) => chosen.time === null).map(({ matrix }) => matrix.name);
  if (names.length === choices.length) return 'The matrices have';
  return `${listText(names)} ${names.length === 1 ? 'has' : 'have'}`;
}

/** The time of some products, '–' if it is unknown. */
function timesText({ time: one }: FormatOption, count: number): string {
  return one ? timeText({ ns: one.ns * count, spread: one.spread }) : '–';
}

function timeText({ ns, spread }: NonNullable<Totals['time']>): string {
  return `${time(ns)} ± ${percent(spread, 0)}`;
}

/** The runner-up and how it differs: 'CSR: bytes +59 %, time +24 %'. */
function nextText(chosen: FormatOption, { candidate, bytes, time: other }: FormatOption): string {
  const change = (now: number, then: number): string =>
    `${then < now ? '−' : '+'}${percent(Math.abs(then / now - 1), 0)}`;
  const parts = [
    `bytes ${change(chosen.bytes, bytes)}`,
    ...(chosen.time && other ? [`time ${change(chosen.time.ns, other.ns)}`] : []),
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

function jsonOf(model: string, choice: ModelChoice, lookup: number): string {
  const rows = choiceRows(choice).map((cells) => Object.fromEntries(cells.map((cell, i) => [CHOICE_COLUMNS[i], cell])));
  const { bytes, time: total } = choice;
  return `${JSON.stringify({ model, bytes: Math.round(bytes + lookup), lookupBytes: lookup, matricesNs: total && Math.round(total.ns), choice: rows }, null, 1)}\n`;
}
