import './windows.css';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import {
  bottleneck,
  judgeSteps,
  overfullRun,
  patternText,
  type Sliding,
  type Verdict,
} from '../../theory/sliding-windows.ts';
import { counted, countText } from '../../core/text/words.ts';
import { Checkbox } from '../../kit/controls/Checkbox.tsx';
import { NumberInput } from '../../kit/controls/NumberInput.tsx';
import { type ChoiceField, flagChoice, useChoices, useChoiceTexts } from '../../kit/browser/choices.ts';
import {
  PlacementBoard,
  type Board,
  board,
  boardTexts,
  changeChoice,
  placeColumns,
  showGroup,
  showLinked,
  showPreset,
  toggleColumn,
  valueOf,
  firstColumns,
  PRESETS,
  sameChoice,
  slidingOfChoice,
  columnsText,
} from './PlacementBoard.tsx';
import { Theorems } from './Theorems.tsx';
import { times } from '../../kit/words/rates.ts';
import { useApp } from '../../kit/app-context.ts';
import { Button } from '../../kit/controls/Button.tsx';
import { PATTERN_PARAM, SLIDING_FORMAT } from './group-details.ts';

/** Largest numbers of the form: of a pattern Z:L, and of hardware M:N. */
const LIMITS = { kept: 24, group: 24, hardwareKept: 15, window: 16 } as const;

/** The number fields of the form: label, smallest value, and name in the choice. */
const NUMBERS = [
  ['non-zeros, Z', 1, 'kept'],
  ['of columns, L', 2, 'group'],
  ['hardware keeps, M', 1, 'hardwareKept'],
  ['of columns, N', 2, 'window'],
] as const;

/** What the address stores of the form: pattern, hardware, edited columns, and whether the student predicts first. */
export const WINDOWS_FIELDS = {
  pattern: pairChoice(LIMITS.kept, LIMITS.group, [PRESETS[0].kept, PRESETS[0].group]),
  on: pairChoice(LIMITS.hardwareKept, LIMITS.window, [PRESETS[0].hardwareKept, PRESETS[0].window]),
  columns: columnsChoice(LIMITS.group),
  predict: flagChoice(false),
} as const;

/** Z:L of a pattern, or M:N of hardware. */
type Pair = readonly [kept: number, columns: number];

/** A pair in the address, as `6:8`. */
function pairChoice(maxKept: number, max: number, initial: Pair): ChoiceField<Pair> {
  return {
    default: initial,
    read(text) {
      const [, kept, columns] = /^(\d{1,2}):(\d{1,2})$/.exec(text)?.map(Number) ?? [];
      return kept >= 1 && kept <= maxKept && columns >= 2 && columns <= max ? [kept, columns] : null;
    },
    write: (pair) => pair.join(':'),
    expected: `two whole numbers such as 6:8, up to ${maxKept} and ${max}`,
  };
}

/** Columns in the address, as `0.1.4`; null for the columns that the form shows at first. */
function columnsChoice(group: number): ChoiceField<readonly number[] | null> {
  return {
    default: null,
    read(text) {
      if (text === 'none') return [];
      const columns = text.split('.').map((word) => (/^\d{1,2}$/.test(word) ? Number(word) : Number.NaN));
      const isRising = columns.every((c, i) => c < group && (i === 0 || c > columns[i - 1]));
      return isRising ? columns : null;
    },
    write: (columns) => (columns === null ? '' : columns.join('.') || 'none'),
    expected: `ascending columns from 0 to ${group - 1}, with dots between them`,
  };
}

/** Milliseconds of work between two yields to the page. */
const SLICE_MS = 8;

/** The verdict on a pattern (whether all placements fit), or how far the search for the verdict has come. */
interface VerdictProgress {
  /** placements tried so far */
  readonly done: number;
  /** null until it is finished */
  readonly verdict: Verdict | null;
}

const NO_PROGRESS: VerdictProgress = { done: 0, verdict: null };

/** Finds the verdict on a pattern in slices, between which the page can respond; most need one, before painting. */
export function useVerdict(sliding: Sliding): VerdictProgress {
  // The verdict depends on the four numbers of `sliding`, which is a new object with every click.
  const ratios = patternOn(sliding);
  const [state, setState] = useState<VerdictProgress & { readonly ratios: string }>({ ...NO_PROGRESS, ratios });
  useLayoutEffect(() => {
    const steps = judgeSteps(sliding);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = (): void => {
      const end = performance.now() + SLICE_MS;
      for (;;) {
        const step = steps.next();
        if (step.done) return setState({ ratios, done: step.value.placements, verdict: step.value });
        if (performance.now() < end) continue;
        setState({ ratios, done: step.value.done, verdict: null });
        timer = setTimeout(run);
        return;
      }
    };
    run();
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `ratios` holds the four numbers of `sliding`
  }, [ratios]);
  return state.ratios === ratios ? state : NO_PROGRESS;
}

/** The student's prediction for a pattern on hardware. */
interface Guess {
  /** pattern and hardware, as `patternOn` writes them */
  readonly ratios: string;
  /** whether every placement fits */
  readonly allFit: boolean;
}

/** A form to try sliding windows on one group of L columns: any pattern Z:L on any hardware M:N, and the theorems. */
export function AnyGroup() {
  const [predicts, setPredicts] = useLinkedBoard();
  const { choice, columns, values } = useStore(board);
  const sliding = slidingOfChoice(choice);
  const [prediction, setPrediction] = useState<Guess | null>(null);
  const ratios = typeof sliding === 'string' ? '' : patternOn(sliding);
  const predicted = prediction?.ratios === ratios ? prediction.allFit : null;
  const predict = (allFit: boolean): void => {
    placeColumns([]);
    setPrediction({ ratios, allFit });
  };

  return (
    <div className="max-w-[60rem] [--accent:var(--format-slidesparse,var(--text))]">
      <h3 className="leading-[1.3] text-18 font-normal text-balance">
        Which sparse patterns fit a machine that keeps M of every N?
      </h3>

      <section className="grid-cols-1 grid gap-3 mt-5" aria-label="Pattern and hardware">
        <div className="flex flex-wrap gap-2" role="group" aria-label="Worked choices">
          {PRESETS.map((preset) => (
            <Button key={preset.title} aria-pressed={sameChoice(preset, choice)} onClick={() => showPreset(preset)}>
              {preset.title}
            </Button>
          ))}
        </div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-3 max-w-[40rem]">
          {NUMBERS.map(([label, min, name]) => (
            <NumberInput
              key={name}
              label={label}
              isInteger
              min={min}
              max={LIMITS[name]}
              value={choice[name]}
              onChange={(value) => changeChoice({ [name]: value })}
            />
          ))}
        </div>
        <Checkbox checked={predicts} onChange={setPredicts}>
          predict before you look
        </Checkbox>
      </section>

      {typeof sliding === 'string' ? (
        <p className="border-l-2 border-control-border text-15 text-pretty mt-5 ps-3 max-w-[48rem]" role="status">
          {sliding}
        </p>
      ) : predicts && predicted === null ? (
        <section aria-label="Windows">
          <p className="text-15 text-pretty mt-5 mb-3 max-w-[48rem]">
            {factsText(sliding)} <strong>Does every placement fit?</strong>
          </p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => predict(true)}>Every one fits</Button>
            <Button onClick={() => predict(false)}>Not every one</Button>
          </div>
        </section>
      ) : (
        <Windows sliding={sliding} columns={columns} values={values} predicted={predicts ? predicted : null} />
      )}

      {/* Shown only after a prediction, since the theorems give the answer. */}
      {(!predicts || (predicted !== null && typeof sliding !== 'string' && isAnswered(sliding, columns))) && (
        <Theorems
          onShow={({ pattern, hardware }, placed) =>
            showGroup({
              pattern,
              hardware,
              cells: firstColumns(pattern.group).map((c) => (placed.includes(c) ? c + 1 : 0)),
            })
          }
        />
      )}
    </div>
  );
}

/** Pattern and hardware, on which a verdict depends: '6:8 2:4'. */
function patternOn({ pattern, hardware }: Sliding): string {
  return `${patternText(pattern)} ${patternText(hardware)}`;
}

/** Keeps the address and the board (the edited group) equal. Returns whether the student predicts first, and a setter. */
function useLinkedBoard(): readonly [predicts: boolean, setPredicts: (predicts: boolean) => void] {
  const [linkChoices, chooseInLink] = useChoices(WINDOWS_FIELDS);
  const { choose } = useChoiceTexts();
  useEffect(() => {
    const [[kept, group], [hardwareKept, window]] = [linkChoices.pattern, linkChoices.on];
    showLinked({ kept, group, hardwareKept, window }, linkChoices.columns);
  }, [linkChoices]);
  useEffect(() => board.subscribe((state) => choose(boardTexts(state))), [choose]);
  return [linkChoices.predict, (predict) => chooseInLink({ predict })];
}

interface WindowsProps {
  readonly sliding: Sliding;
  readonly columns: readonly number[];
  readonly values: Board['values'];
  /** the student's prediction that every placement fits; null without a prediction */
  readonly predicted: boolean | null;
}

/** The verdict on a pattern, and the board: a placement of its non-zeros, to edit. */
function Windows({ sliding, columns, values, predicted }: WindowsProps) {
  const { kept, group } = sliding.pattern;
  const { done, verdict } = useVerdict(sliding);
  const counterexample = verdict?.counterexample;
  const message =
    verdict && (predicted === null ? verdictText(verdict) : replyText(sliding, predicted, verdict, columns));
  return (
    <section aria-label="Windows">
      <p className="text-15 text-pretty mt-5 max-w-[48rem]" role="status">
        {factsText(sliding)} <strong>{message ?? `${countText(done)} placements tried so far.`}</strong>
      </p>
      <PlacementBoard
        sliding={sliding}
        columns={columns}
        cellValue={(c) => valueOf({ values }, c)}
        onToggle={toggleColumn}
      />
      <div className="flex flex-wrap gap-2">
        {counterexample && (
          <Button kind="solid" onClick={() => placeColumns(counterexample)}>
            Show one that breaks
          </Button>
        )}
        <Button onClick={() => placeColumns(firstColumns(kept))}>The first {kept}</Button>
        <Button onClick={() => placeColumns(firstColumns(group).slice(group - kept))}>The last {kept}</Button>
        <Button onClick={() => placeColumns([])}>Clear</Button>
        <StageButton />
      </div>
    </section>
  );
}

/** The text about a pattern on hardware: its windows, how many non-zeros fit, and how much longer a row becomes. */
function factsText({ pattern, hardware, stride, windows, capacity, expansion }: Sliding): string {
  const strideText = windows === 1 ? '' : `, ${counted(stride, 'column')} apart`;
  return `${patternText(pattern)} on ${patternText(hardware)}: ${counted(windows, 'window')}${strideText}, room for ${capacity} non-zeros; a slid row is ${times(expansion)} as long.`;
}

/** The text of a verdict. */
export function verdictText({ placements, method, failures, rescued, counterexample }: Verdict): string {
  const placementsText = `${countText(placements)} placements`;
  if (failures === 0) {
    return `Every one of ${placementsText} fits${method === 'all' ? ': all were tried' : ', by Hall’s condition'}.`;
  }
  if (method === 'room') return `None of ${placementsText} fits: the windows have too little room.`;
  const example = columnsText(counterexample ?? []);
  if (method === 'hall' || failures === null) return `Not all of ${placementsText} fit: ${example} do not.`;
  const optimal =
    rescued === 0 ? 'and no assignment saves any of them' : `an optimal assignment saves ${countText(rescued)}`;
  return `${countText(failures)} of ${placementsText} ${failures === 1 ? 'has' : 'have'} a non-zero without a window, ${optimal}: first ${example}.`;
}

/** Whether the answer may be shown: every placement fits, or the placement on the board does not. */
function isAnswered(sliding: Sliding, columns: readonly number[]): boolean {
  if (bottleneck(sliding) === null) return true;
  return columns.length <= sliding.pattern.kept && overfullRun(sliding, columns) !== null;
}

/**
 * The reply to a prediction. If not every placement fits, the student first has to find a placement (`columns`)
 * that does not. Then theorem 2 explains why, in its exact form (`fitsWhereCapacitySuffices`).
 */
export function replyText(sliding: Sliding, predicted: boolean, verdict: Verdict, columns: readonly number[]): string {
  const { pattern, hardware, capacity } = sliding;
  const [z, m, n] = [pattern.kept, hardware.kept, hardware.window];
  const allFit = verdict.failures === 0;
  const judgement = predicted === allFit ? 'Right' : 'No';
  if (!isAnswered(sliding, columns))
    return `${judgement}: not every one fits. Place ${counted(z, 'non-zero')} so that they do not.`;
  const theorem =
    z > capacity
      ? `Z is ${z}, more than the room.`
      : `With room, every placement fits exactly if 2M ≥ N or Z ≤ M: ${2 * m} ${2 * m < n ? '<' : '≥'} ${n}, ${z} ${z > m ? '>' : '≤'} ${m}.`;
  return `${allFit ? `${judgement}.` : 'Found.'} ${verdictText(verdict)} ${theorem}`;
}

/** A button that opens the board's group as a matrix of one row on the page Watch, or why Watch cannot show it. */
export function StageButton() {
  const { session, document } = useApp();
  const state = useStore(board);
  const halfGroup = stageHalfGroup(state.choice);
  if (typeof halfGroup === 'string') return <p className="text-muted self-center">{halfGroup}</p>;
  const open = async (): Promise<void> => {
    const file = rowFile(state);
    await session.openFile(file);
    const { source } = document.getState();
    // Where opening failed, the session shows why, and this page stays.
    if (source.kind !== 'file' || source.name !== file.name) return;
    session.setFormat(SLIDING_FORMAT);
    session.setParam(SLIDING_FORMAT, PATTERN_PARAM, halfGroup);
    session.follow('stage'); // to Watch
    window.document.getElementById('stage')?.scrollTo({ top: 0, behavior: 'smooth' });
  };
  return (
    <Button kind="solid" onClick={() => void open()}>
      Put it on the stage
    </Button>
  );
}

/** The group on the board as a matrix of one row, in Matrix Market form; its name lists the columns that are set. */
export function rowFile(board: Board): File {
  const { columns, choice } = board;
  const lines = [
    '%%MatrixMarket matrix coordinate real general',
    `1 ${choice.group} ${columns.length}`,
    ...columns.map((c) => `1 ${c + 1} ${numberText(valueOf(board, c))}`),
  ];
  const positions = Array.from({ length: choice.group }, (_, c) => (columns.includes(c) ? '1' : '0'));
  return new File([`${lines.join('\n')}\n`], `row ${positions.join('')}.mtx`);
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? 'inf' : '-inf';
}

/** N if the pattern is a (2N-2):2N that SlideSparse stores for this hardware, else a text that explains why not. */
export function stageHalfGroup({ kept, group, hardwareKept, window }: Board['choice']): number | string {
  if (hardwareKept !== 2 || window !== 4) return `The stage slides for 2:4, not for ${hardwareKept}:${window}.`;
  if (group % 2 === 0 && group >= 4 && group <= 16 && kept === group - 2) return group / 2;
  return `The stage slides (2N−2):2N with N from 2 to 8, not ${kept}:${group}.`;
}
