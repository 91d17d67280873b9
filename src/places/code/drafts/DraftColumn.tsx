import { useStore } from 'zustand';
import type { Draft } from '../kernel-drafts/draft.ts';
import type { KernelLibrary } from '../kernel-drafts/library.ts';
import { MAX_WINDOW } from '../../../state/index.ts';
import type { Reading } from '../address.ts';
import { useApp } from '../../../kit/app-context.ts';
import { rivalName, shownRun } from './draft-words.ts';
import { DraftActions } from './DraftActions.tsx';
import { LastRun } from './LastRun.tsx';
import { RaceChart } from './RaceChart.tsx';
import { VersionActions } from './VersionActions.tsx';
import { VersionList } from './VersionList.tsx';
import { Check } from '../../../kit/controls/Check.tsx';

interface DraftColumnProps {
  readonly draft: Draft;
  readonly library: KernelLibrary;
  readonly format: string;
  readonly onChange: boolean;
  readonly onRunOnChange: (on: boolean) => void;
  readonly onRun: () => void;
  /** the kernel has been read and can be run */
  readonly ready: boolean;
  readonly onRead: (reading: Partial<Reading>) => void;
  /** shows a line of a file of the draft */
  readonly onGo: (file: string, line: number) => void;
}

/** Rows listed around a wrong one. */
const ROWS_AROUND = 5;

/** A draft's results: its last run, the race, all versions, and further actions. */
export function DraftColumn({
  draft,
  library,
  format,
  onChange,
  onRunOnChange,
  onRun,
  ready,
  onRead,
  onGo,
}: DraftColumnProps) {
  const running = useStore(library.running, (run) => run?.draft === draft.id);
  const run = shownRun(draft);
  const { session } = useApp();
  const showRow = (row: number, { rows, cols }: { readonly rows: number; readonly cols: number }): void => {
    const shown = Math.min(rows, ROWS_AROUND);
    const first = Math.min(Math.max(0, row - Math.floor(shown / 2)), rows - shown);
    if (format !== '') session.setFormat(format);
    session.setWindow({ row: first, col: 0, rows: shown, cols: Math.min(cols, MAX_WINDOW) });
    session.follow('stage');
  };
  return (
    <>
      <div className="draft-start">
        <button
          type="button"
          className="button button--solid"
          disabled={!ready}
          onClick={running ? library.cancel : onRun}
        >
          {running ? 'Cancel' : draft.from === 'here' ? 'Run' : 'Run somebody’s code'}
        </button>
        <Check checked={onChange} disabled={draft.from !== 'here'} onChange={onRunOnChange}>
          run on every change
        </Check>
      </div>
      {draft.from !== 'here' && (
        <p className="draft-warning">
          This code came with a {draft.from}. It can only compute on your GPU, but it can keep your GPU busy: run it
          only if you trust its source.
        </p>
      )}
      {run && <LastRun {...run} onCancel={running ? library.cancel : null} onGo={onGo} onRow={showRow} />}
      {run?.result.timed && (
        <RaceChart number={run.number} timed={run.result.timed} format={format} rival={rivalName(draft, run.result)} />
      )}
      {run?.result.ended?.ok && <VersionActions draft={draft} run={run} />}
      <VersionList draft={draft} onRestore={(version) => library.restore(draft.id, version)} />
      <DraftActions draft={draft} library={library} onRead={onRead} />
    </>
  );
}
