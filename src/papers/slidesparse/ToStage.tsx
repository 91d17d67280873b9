import { useStore } from 'zustand';
import { useApp } from '../../kit/app-context.ts';
import { board } from './board.ts';
import { PATTERN_PARAM, SLIDING_FORMAT } from './pattern-rows.ts';
import { rowFile, stageHalfGroup } from './row-file.ts';

/** Opens the group on the board as a matrix of one row and goes to its story; says why where the stage cannot tell it. */
export function ToStage() {
  const { session, document } = useApp();
  const state = useStore(board);
  const halfGroup = stageHalfGroup(state.choice);
  if (typeof halfGroup === 'string') return <p className="to-stage-refusal quiet">{halfGroup}</p>;
  const open = async (): Promise<void> => {
    const file = rowFile(state);
    await session.openFile(file);
    const { source } = document.getState();
    // Where opening failed, the session says why, and this page stays.
    if (source.kind !== 'file' || source.name !== file.name) return;
    session.setFormat(SLIDING_FORMAT);
    session.setParam(SLIDING_FORMAT, PATTERN_PARAM, halfGroup);
    session.follow('stage');
    window.document.getElementById('stage')?.scrollTo({ top: 0, behavior: 'smooth' });
  };
  return (
    <button type="button" className="button button--solid" onClick={() => void open()}>
      Put it on the stage
    </button>
  );
}
