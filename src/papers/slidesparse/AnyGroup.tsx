import './windows.css';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { patternText, type Sliding, type Verdict } from '../../theory/sliding-windows.ts';
import { counted, countText } from '../../core/story/words.ts';
import { NumberInput } from '../../kit/controls/NumberInput.tsx';
import { useChoices, useChoiceTexts } from '../../kit/browser/choices.ts';
import {
  type Board,
  board,
  boardTexts,
  changeChoice,
  placeColumns,
  showLinked,
  showPreset,
  showGroup,
  toggleColumn,
  valueOf,
} from './board.ts';
import { columnsText } from './columns-text.ts';
import { Pays } from './Pays.tsx';
import { PlacementBoard } from './PlacementBoard.tsx';
import { Theorems } from './Theorems.tsx';
import { ToStage } from './ToStage.tsx';
import { useVerdict } from './use-verdict.ts';
import { firstColumns, PRESETS, sameChoice, slidingOfChoice } from './windows-form.ts';
import { LIMITS, WINDOWS_FIELDS } from './windows-link.ts';
import { times } from '../../kit/words/rates.ts';

/** Sliding windows tried out: any pattern on any hardware, placement by placement, and what the theorems are worth. */
export function AnyGroup() {
  useLinkedBoard();
  const { choice, columns, values } = useStore(board);
  const sliding = slidingOfChoice(choice);

  return (
    <div className="any-group">
      <h3 className="group-title">Which sparse patterns fit a machine that keeps M of every N?</h3>

      <section className="group-controls" aria-label="Pattern and hardware">
        <div className="group-presets" role="group" aria-label="Worked choices">
          {PRESETS.map((preset) => (
            <button
              key={preset.title}
              type="button"
              className="button"
              aria-pressed={sameChoice(preset, choice)}
              onClick={() => showPreset(preset)}
            >
              {preset.title}
            </button>
          ))}
        </div>
        <div className="group-numbers">
          <NumberInput
            label="non-zeros, Z"
            whole
            min={1}
            max={LIMITS.kept}
            value={choice.kept}
            onChange={(kept) => changeChoice({ kept })}
          />
          <NumberInput
            label="of columns, L"
            whole
            min={2}
            max={LIMITS.group}
            value={choice.group}
            onChange={(group) => changeChoice({ group })}
          />
          <NumberInput
            label="hardware keeps, M"
            whole
            min={1}
            max={LIMITS.hardwareKept}
            value={choice.hardwareKept}
            onChange={(hardwareKept) => changeChoice({ hardwareKept })}
          />
          <NumberInput
            label="of columns, N"
            whole
            min={2}
            max={LIMITS.window}
            value={choice.window}
            onChange={(window) => changeChoice({ window })}
          />
        </div>
      </section>

      {typeof sliding === 'string' ? (
        <p className="group-refusal" role="status">
          {sliding}
        </p>
      ) : (
        <Windows sliding={sliding} columns={columns} values={values} />
      )}

      <Theorems
        onShow={({ pattern, hardware }, placed) =>
          showGroup({
            pattern,
            hardware,
            cells: firstColumns(pattern.group).map((c) => (placed.includes(c) ? c + 1 : 0)),
          })
        }
      />
      <Pays />
    </div>
  );
}

/** The board shows what the address asks for, and the address has what the board shows. */
function useLinkedBoard(): void {
  const [linked] = useChoices(WINDOWS_FIELDS);
  const { choose } = useChoiceTexts();
  useEffect(() => {
    const [[kept, group], [hardwareKept, window]] = [linked.pattern, linked.on];
    showLinked({ kept, group, hardwareKept, window }, linked.columns);
  }, [linked]);
  useEffect(() => board.subscribe((state) => choose(boardTexts(state))), [choose]);
}

interface WindowsProps {
  readonly sliding: Sliding;
  readonly columns: readonly number[];
  readonly values: Board['values'];
}

/** The verdict on a pattern, and one placement of it at work. */
function Windows({ sliding, columns, values }: WindowsProps) {
  const { kept, group } = sliding.pattern;
  const { done, verdict } = useVerdict(sliding);
  const counterexample = verdict?.counterexample;
  return (
    <section aria-label="Windows">
      <p className="group-sentence" role="status">
        {facts(sliding)}{' '}
        <strong>{verdict ? verdictText(verdict) : `${countText(done)} placements tried so far.`}</strong>
      </p>
      <PlacementBoard
        sliding={sliding}
        columns={columns}
        cellValue={(c) => valueOf({ values }, c)}
        onToggle={toggleColumn}
      />
      <div className="group-actions">
        {counterexample && (
          <button type="button" className="button button--solid" onClick={() => placeColumns(counterexample)}>
            Show one that breaks
          </button>
        )}
        <button type="button" className="button" onClick={() => placeColumns(firstColumns(kept))}>
          The first {kept}
        </button>
        <button type="button" className="button" onClick={() => placeColumns(firstColumns(group).slice(group - kept))}>
          The last {kept}
        </button>
        <button type="button" className="button" onClick={() => placeColumns([])}>
          Clear
        </button>
        <ToStage />
      </div>
    </section>
  );
}

function facts({ pattern, hardware, stride, windows, capacity, expansion }: Sliding): string {
  const apart = windows === 1 ? '' : `, ${counted(stride, 'column')} apart`;
  return `${patternText(pattern)} on ${patternText(hardware)}: ${counted(windows, 'window')}${apart}, room for ${capacity} non-zeros; a slid row is ${times(expansion)} as long.`;
}

/** What trying, or the proof, has shown. */
export function verdictText({ placements, method, failures, rescued, counterexample }: Verdict): string {
  const all = `${countText(placements)} placements`;
  if (failures === 0) {
    return method === 'all'
      ? `Every one of ${all} fits: all were tried.`
      : `Every one of ${all} fits, by Hall’s condition: no run of windows can be overfilled.`;
  }
  if (method === 'room') return `None of ${all} fits: the windows together do not have enough room.`;
  const example = columnsText(counterexample ?? []);
  if (method === 'hall' || failures === null) return `Not all of ${all} fit: ${example} do not.`;
  const optimal =
    rescued === 0 ? 'and no assignment saves any of them' : `an optimal assignment saves ${countText(rescued)}`;
  return `${countText(failures)} of ${all} ${failures === 1 ? 'has' : 'have'} no place for every non-zero, ${optimal}: first ${example}.`;
}
