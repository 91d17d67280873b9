// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toDense } from '../../core/matrix/index.ts';
import { HARDWARE_2_4, judge, type SlidingGroup, type Sliding, slidingOf } from '../../theory/sliding-windows.ts';
import { readMatrix } from '../../io/read.ts';
import type { Choices, Session } from '../../state/index.ts';
import type { App } from '../../kit/app-context.ts';
import { cleanup, fakeApp, renderInApp } from '../../../test/page.ts';
import { ChoiceContext, readChoices } from '../../kit/browser/choices.ts';
import {
  board,
  boardTexts,
  changeChoice,
  placeColumns,
  showLinked,
  showPreset,
  showGroup,
  toggleColumn,
  valueOf,
  PRESETS,
} from './PlacementBoard.tsx';
import { AnyGroup, replyText, rowFile, stageHalfGroup, StageButton, WINDOWS_FIELDS } from './AnyGroup.tsx';

beforeEach(() => showPreset(PRESETS[0]));
afterEach(cleanup);

const GROUP: SlidingGroup = {
  pattern: { kept: 6, group: 8 },
  hardware: HARDWARE_2_4,
  cells: [0.5, 0, Number.NaN, -Infinity, 0, 1.25, 0, 0],
};

describe('the board', () => {
  it('shows a group with its values, and sets a column that the user clicks to its number from 1', () => {
    showGroup(GROUP);
    expect(board.getState().columns).toEqual([0, 2, 3, 5]);
    toggleColumn(7);
    toggleColumn(0);
    expect(board.getState().columns).toEqual([2, 3, 5, 7]);
    expect([5, 7].map((c) => valueOf(board.getState(), c))).toEqual([1.25, 8]);
    toggleColumn(0);
    expect(valueOf(board.getState(), 0)).toBe(0.5);
  });

  it('keeps the values of the columns that a smaller group still has', () => {
    showGroup(GROUP);
    changeChoice({ kept: 2, group: 4 });
    expect(board.getState()).toMatchObject({ columns: [0, 2, 3], choice: { kept: 2, group: 4, hardwareKept: 2 } });
  });
});

describe('the group on the stage', () => {
  it('is a matrix of one row with the same cells, including NaN and infinities', async () => {
    showGroup(GROUP);
    const file = rowFile(board.getState());
    expect(file.name).toBe('row 10110100.mtx');
    const { matrix, notes } = await readMatrix(file);
    expect([matrix.rows, matrix.cols]).toEqual([1, 8]);
    expect(Array.from(toDense(matrix))).toEqual(GROUP.cells);
    expect(notes).toEqual([]);
  });

  it('has the same f32 values without loss', async () => {
    const cells = [0.1, 1e-30, -3.4e38, 2 ** -149].map(Math.fround);
    showGroup({ pattern: { kept: 4, group: 4 }, hardware: HARDWARE_2_4, cells });
    expect(Array.from(toDense((await readMatrix(rowFile(board.getState()))).matrix))).toEqual(cells);
  });

  it('explains why the stage cannot show other patterns and hardware', () => {
    expect(PRESETS.map(stageHalfGroup)).toEqual([
      4,
      3,
      8,
      'The stage slides for 2:4, not for 1:3.',
      'The stage slides for 2:4, not for 1:4.',
      'The stage slides for 2:4, not for 2:5.',
    ]);
    const oddPattern = { kept: 5, group: 8, hardwareKept: 2, window: 4 };
    expect(stageHalfGroup(oddPattern)).toBe('The stage slides (2N−2):2N with N from 2 to 8, not 5:8.');
    showPreset(PRESETS[3]);
    renderInApp(<StageButton />);
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByText('The stage slides for 2:4, not for 1:3.')).toBeTruthy();
  });

  /** An application whose session records requests. `opensFiles`: whether opening a file succeeds. */
  const recordingApp = (opensFiles: boolean): { readonly app: App; readonly requested: string[] } => {
    const app = fakeApp();
    const requested: string[] = [];
    const session: Session = {
      ...app.session,
      openFile: (file) => {
        requested.push(`open ${file.name}`);
        if (opensFiles) app.document.setState({ source: { kind: 'file', name: file.name } });
        return Promise.resolve();
      },
      setFormat: (format) => requested.push(format),
      setParam: (format, name, value) => requested.push(`${format}.${name} ${String(value)}`),
      follow: (...[link]) => void requested.push(link),
    };
    return { app: { ...app, session }, requested };
  };

  it('opens the row, and shows the story of SlideSparse with its pattern', async () => {
    const { app, requested } = recordingApp(true);
    showPreset(PRESETS[1]);
    renderInApp(<StageButton />, app);
    fireEvent.click(screen.getByRole('button', { name: 'Put it on the stage' }));
    await waitFor(() => expect(requested).toContain('stage'));
    expect(requested).toEqual(['open row 111100.mtx', 'slidesparse', 'slidesparse.halfGroup 3', 'stage']);
  });

  it('stays on this page where opening failed', async () => {
    const { app, requested } = recordingApp(false);
    renderInApp(<StageButton />, app);
    fireEvent.click(screen.getByRole('button', { name: 'Put it on the stage' }));
    await new Promise((resolve) => setTimeout(resolve));
    expect(requested).toEqual(['open row 10111101.mtx']);
  });
});

describe('the exercise', () => {
  /** The windows of every pattern on every hardware with numbers up to `max`, as far as they are valid. */
  const allSlidings = (max: number): readonly Sliding[] => {
    const numbers = Array.from({ length: max }, (_, i) => i + 1);
    return numbers.flatMap((window) =>
      numbers.flatMap((kept) =>
        numbers.flatMap((group) =>
          numbers.flatMap((z) => {
            const s = slidingOf({ kept: z, group }, { kept, window });
            return typeof s === 'string' ? [] : [s];
          }),
        ),
      ),
    );
  };

  it('has for every pattern the verdict of trying all placements, and explains it by theorem 2', () => {
    const counts = { fit: 0, broken: 0, overCapacity: 0 };
    for (const s of allSlidings(8)) {
      const verdict = judge(s);
      const [z, m, n] = [s.pattern.kept, s.hardware.kept, s.hardware.window];
      const fits = verdict.failures === 0;
      const reply = replyText(s, fits, verdict, verdict.counterexample ?? []);
      if (fits) expect(reply).toMatch(/^Right\. Every one of /);
      else {
        expect(reply).toMatch(/^Found\. (?:None|\d+) of /);
        // The answer is not shown before it is found.
        expect(replyText(s, false, verdict, [])).toBe(
          `Right: not every one fits. Place ${z} non-zero${z === 1 ? '' : 's'} so that they do not.`,
        );
      }
      expect(replyText(s, !fits, verdict, [])).toMatch(/^No[.:] /);
      // The comparisons at the end of the reply: 2M with N, and Z with M.
      const comparisons = /: (\d+) ([<≥]) (\d+), (\d+) ([>≤]) (\d+)\.$/.exec(reply)?.slice(1);
      if (z > s.capacity) {
        expect(reply).toContain(`Z is ${z}, more than the room.`);
        counts.overCapacity++;
        continue;
      }
      expect(comparisons).toEqual([
        String(2 * m),
        2 * m < n ? '<' : '≥',
        String(n),
        String(z),
        z > m ? '>' : '≤',
        String(m),
      ]);
      expect(comparisons?.includes('≥') || comparisons?.includes('≤')).toBe(fits);
      counts[fits ? 'fit' : 'broken']++;
    }
    expect(Math.min(counts.fit, counts.broken, counts.overCapacity)).toBeGreaterThan(5);
  });

  it('requests a prediction before its verdict, and is done when a placement is found that does not fit', async () => {
    showPreset(PRESETS[3]);
    const choose = vi.fn<(changed: Choices) => void>();
    const texts = { ...boardTexts(board.getState()), predict: 'yes' };
    renderInApp(
      <ChoiceContext value={{ texts: Object.fromEntries(Object.entries(texts).filter(([, t]) => t !== '')), choose }}>
        <AnyGroup />
      </ChoiceContext>,
    );
    expect(screen.getByText('Does every placement fit?')).toBeTruthy();
    for (const hidden of [/do not fit/, /without a window/, /The paper’s claims/])
      expect(screen.queryByText(hidden)).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Every one fits' }));
    expect(screen.getByText('No: not every one fits. Place 2 non-zeros so that they do not.')).toBeTruthy();
    for (const name of ['column 1', 'column 3']) fireEvent.click(screen.getByRole('button', { name }));
    expect(screen.getByText(/^No: not every one fits/)).toBeTruthy();
    expect(screen.queryByText(/The paper’s claims/)).toBeNull();
    for (const name of [/^column 3/, 'column 0']) fireEvent.click(screen.getByRole('button', { name }));
    expect(screen.getByText(/^Found\. /).textContent).toMatch(/exactly if 2M ≥ N or Z ≤ M: 2 < 3, 2 > 1\.$/);
    expect(screen.getByText(/^Columns 0 and 1 are seen only by window 0/)).toBeTruthy();
    expect(screen.getByText('The paper’s claims, tested')).toBeTruthy();
    fireEvent.click(screen.getByRole('checkbox', { name: 'predict before you look' }));
    expect(choose).toHaveBeenLastCalledWith({ predict: '' });
  });
});

describe('the address', () => {
  const linked = () => readChoices(WINDOWS_FIELDS, { ...boardTexts(board.getState()) });

  it('has pattern, hardware and columns, and omits the default values', () => {
    expect(boardTexts(board.getState())).toEqual({ pattern: '', on: '', columns: '' });
    showPreset(PRESETS[3]);
    expect(boardTexts(board.getState())).toEqual({ pattern: '2:5', on: '1:3', columns: '' });
    placeColumns([]);
    expect(boardTexts(board.getState())).toEqual({ pattern: '2:5', on: '1:3', columns: 'none' });
    toggleColumn(4);
    toggleColumn(1);
    expect(linked().values).toEqual({ pattern: [2, 5], on: [1, 3], columns: [1, 4], predict: false });
  });
  it('is shown on the board, which keeps its values if it already has the same group', () => {
    showGroup(GROUP);
    showLinked({ kept: 6, group: 8, hardwareKept: 2, window: 4 }, [0, 2, 3, 5]);
    expect(valueOf(board.getState(), 5)).toBe(1.25);
    showLinked({ kept: 2, group: 5, hardwareKept: 1, window: 3 }, [1, 4, 7]);
    expect(board.getState().columns).toEqual([1, 4]);
    expect(valueOf(board.getState(), 4)).toBe(5);
  });
  it('explains what is wrong with it', () => {
    const { problems } = readChoices(WINDOWS_FIELDS, { pattern: '6:99', on: '0:4', columns: '3.2' });
    expect(problems).toHaveLength(3);
    expect(problems[0]).toBe(
      "Link, x.pattern: found '6:99', expected two whole numbers such as 6:8, up to 24 and 24; 6:8 is used.",
    );
  });
});
