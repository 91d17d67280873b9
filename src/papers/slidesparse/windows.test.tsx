// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { judge, slidingOf } from '../../theory/sliding-windows.ts';
import { useVerdict, verdictText } from './AnyGroup.tsx';
import { PlacementBoard, PRESETS, slidingOfChoice, toggled } from './PlacementBoard.tsx';
import { Theorems } from './Theorems.tsx';

afterEach(cleanup);

describe('the board', () => {
  const board = (title: string, columns: readonly number[], onToggle: (column: number) => void = () => {}): void => {
    const preset = PRESETS.find((p) => p.title === title);
    const sliding = preset ? slidingOfChoice(preset) : 'no such preset';
    if (typeof sliding === 'string') throw new Error(sliding);
    render(<PlacementBoard sliding={sliding} columns={columns} onToggle={onToggle} />);
  };

  it('shows which window stores which weight, greedily and optimally', () => {
    board('6:8 on 2:4', [0, 2, 3, 4, 5, 7]);
    const greedy = screen.getByRole('table', { name: /Greedy.*6 of 6/ });
    expect(
      within(greedy)
        .getAllByRole('row')
        .map((row) => row.textContent),
    ).toEqual([
      'window 0takes column 0takes column 2',
      'window 1takes column 3takes column 4',
      'window 2takes column 5takes column 7',
    ]);
    expect(screen.getByRole('table', { name: /Optimal.*6 of 6/ })).toBeTruthy();
  });

  it('explains why a placement fails, and which column has no window', () => {
    board('2:5 on 1:3', [0, 1]);
    expect(screen.getByRole('status').textContent).toBe(
      'Columns 0 and 1 are seen only by window 0, with room for 1: 2 do not fit, in any order.',
    );
    expect(screen.getByRole('button', { name: /^column 1\b.*with no place$/ })).toBeTruthy();
  });

  it('counts a group that contains more than fits in all windows together', () => {
    board('6:8 on 2:4', [0, 1, 2, 3, 4, 5, 7]);
    expect(screen.getByRole('status').textContent).toBe(
      'There are 7 non-zeros in columns 0, 1, 2, 3, 4, 5 and 7 for all 3 windows, with room for 6: 7 do not fit, in any order.',
    );
    expect(screen.getByText(/7 non-zeros of at most 6: more than the pattern allows/)).toBeTruthy();
  });

  it('passes on the cell that is clicked', () => {
    const clicked: number[] = [];
    board('4:6 on 2:4', [], (c) => clicked.push(c));
    fireEvent.click(screen.getByRole('button', { name: 'column 3' }));
    expect(clicked).toEqual([3]);
    expect(toggled([1, 5], 3)).toEqual([1, 3, 5]);
    expect(toggled([1, 3, 5], 3)).toEqual([1, 5]);
  });

  it('the board has presets that fit', () => {
    for (const preset of PRESETS) expect(slidingOfChoice(preset), preset.title).not.toBeTypeOf('string');
  });
});

it('verdicts state how they were reached', () => {
  /** of the pattern z:group on hardware kept:window */
  const verdict = (z: number, group: number, kept: number, window: number): string => {
    const sliding = slidingOf({ kept: z, group }, { kept, window });
    if (typeof sliding === 'string') throw new Error(sliding);
    return verdictText(judge(sliding));
  };
  expect(verdict(6, 8, 2, 4)).toBe('Every one of 28 placements fits: all were tried.');
  expect(verdict(2, 7, 1, 4)).toBe(
    '6 of 21 placements have a non-zero without a window, and no assignment saves any of them: first columns 0 and 1.',
  );
  expect(verdict(7, 21, 1, 5)).toBe('None of 116\u202f280 placements fits: the windows have too little room.');
  expect(verdict(12, 24, 2, 4)).toMatch(/^Every one of 2.704.156 placements fits, by Hall’s condition/);
});

it('the page judges a pattern in slices, and another one anew', async () => {
  const Judged = ({ z, group, m, window }: Record<'z' | 'group' | 'm' | 'window', number>) => {
    const sliding = slidingOf({ kept: z, group }, { kept: m, window });
    if (typeof sliding === 'string') throw new Error(sliding);
    const { verdict } = useVerdict(sliding);
    return <p>{verdict ? verdictText(verdict) : 'trying'}</p>;
  };
  const { container, rerender } = render(<Judged z={6} group={8} m={2} window={4} />);
  expect(container.textContent).toBe('Every one of 28 placements fits: all were tried.');
  rerender(<Judged z={5} group={21} m={1} window={5} />);
  await waitFor(() => expect(container.textContent).toMatch(/of 20.349 placements have a non-zero without a window/));
  rerender(<Judged z={12} group={24} m={2} window={4} />);
  expect(container.textContent).toMatch(/by Hall’s condition/);
});

it('the theorems are tried: the first is confirmed, the second is refuted by examples that go to the board', async () => {
  const shown: string[] = [];
  render(<Theorems onShow={(_, columns) => shown.push(columns.join())} />);
  await waitFor(() => expect(screen.getByText('holds')).toBeTruthy());
  await waitFor(() => expect(screen.getByText('47 break')).toBeTruthy());
  expect(screen.getByText(/716 patterns/).textContent).toMatch(
    /47 break\. They are those whose Z exceeds M on such a machine, with 0 exceptions\./,
  );
  expect(screen.getByText(/exactly if 2M ≥ N or Z ≤ M: the proof/)).toBeTruthy();
  expect(screen.getByText(/^The last has no next/).textContent).toContain('never exceeds the room behind it');
  expect(screen.getByRole('status').textContent).toMatch(
    /^87.299 placements for N from 2 to 8, 0 without a window for every non-zero/,
  );
  for (const name of ['2:5 on 1:3', '2:7 on 1:4', '4:8 on 2:5']) fireEvent.click(screen.getByRole('button', { name }));
  fireEvent.click(screen.getByRole('button', { name: 'Show 3:8 on 2:4' }));
  fireEvent.click(screen.getByRole('button', { name: 'Show 2:10 on 1:4' }));
  expect(shown).toEqual(['0,1', '0,1', '0,1,2,3', '0,1,2', '0,1']);
  await waitFor(() => expect(screen.getByText('holds by counting')).toBeTruthy());
  expect(screen.getByText(/2.663 patterns/).textContent).toMatch(/none is faster, and 160 reach it/);
  expect(screen.getByText(/whose windows end with the group/).textContent).toMatch(
    /Three apart, it fails\. Of the 91 patterns.* it holds for 7, those/,
  );
  expect(screen.getByText('holds for this paper’s patterns')).toBeTruthy();
  // The number of placements of one to three zeros among L columns is C(L, 1) + C(L, 2) + C(L, 3), for L from 4 to 12.
  expect(screen.getByText(/placements of 27 such patterns/).textContent).toMatch(
    /^One for each non-zero.* of 1.068 placements of 27 such patterns of up to 12 columns, 0 do not fit/,
  );
});
