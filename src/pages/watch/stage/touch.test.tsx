import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { useEffect, useRef } from 'react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { fakeSession, settle } from '../../../../test/fake-engine.ts';
import { fakeApp, renderInApp } from '../../../../test/page.ts';
import type { Cell } from '../../../core/matrix/index.ts';
import { CellField } from '../../../kit/stage/CellField.tsx';
import { bindShortcuts } from '../../../kit/shortcuts.ts';
import type { SceneView } from '../../../render/scene-view.ts';
import { stageCommands } from '../page.ts';
import { EditedRegion } from './Stage.tsx';
import { useCellEditing } from './use-cell-editing.ts';

// @vitest-environment happy-dom
let isDrawn = true;

/** A picture with row 0 alone, whose cells are 20 px wide, up to x = 120 px. */
const view = {
  cellAt: (x: number, y: number): Cell | null => (y < 20 && x < 120 ? { row: 0, col: Math.floor(x / 20) } : null),
  positionOf: ({ row, col }: Cell) => (isDrawn && row === 0 && col < 6 ? { x: 20 * col, y: 0, w: 20, h: 20 } : null),
  firstCell: () => (isDrawn ? { row: 0, col: 0 } : null),
  setCursor: vi.fn<(cell: Cell | null) => void>(),
};

/** Signals that the picture is drawn. */
let onDrawn: () => void;

function Picture() {
  const stage = useRef<HTMLElement>(null);
  const editing = useCellEditing(null, stage);
  useEffect(() => {
    onDrawn = editing.canvasEditing.onOpened;
  });
  return (
    <section ref={stage} aria-label="Stage" tabIndex={-1}>
      <EditedRegion {...editing}>
        <p>the answer</p>
      </EditedRegion>
      <p data-testid="rejection">{editing.canvasEditing.rejection?.text}</p>
      <div
        ref={(canvas) => editing.canvasEditing.onView(canvas && ({ ...view, canvas } as unknown as SceneView))}
        aria-label={editing.canvasEditing.label ?? 'cells'}
        role="application"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as on the stage
        tabIndex={0}
        {...editing.canvasEditing.handlers}
      />
      {editing.canvasEditing.field && (
        <CellField {...editing.canvasEditing.field} rejection={null} view={{ current: view as unknown as SceneView }} />
      )}
    </section>
  );
}

// Loaded here, since the page loads this code only with the first press on a cell.
beforeAll(() => import('../../../state/session/editing.ts'));

let fake: ReturnType<typeof fakeSession>;
let unbind: () => void;
beforeEach(async () => {
  fake = fakeSession();
  await fake.session.loadStories();
  await fake.session.start();
  await settle();
  const app = { ...fakeApp(), ...fake };
  renderInApp(<Picture />, app);
  const commands = stageCommands({ app } as unknown as Parameters<typeof stageCommands>[0]);
  unbind = bindShortcuts(window, commands, () => true);
});
afterEach(() => {
  unbind();
  cleanup();
  vi.useRealTimers();
});

const cells = (): HTMLElement => screen.getByRole('application');
/** The columns of row 0 with a weight. */
const filled = (): readonly number[] => {
  const { window: region } = fake.session.store.getState();
  return region ? [...region.indices.subarray(0, region.indptr[1])] : [];
};
const done = (): Promise<void> => act(settle);
type Kind = 'mouse' | 'touch';
const pointerAt = (x: number, y = 10) => ({ clientX: x, clientY: y, isPrimary: true, button: 0, pointerId: 1 });
const down = (x: number, pointerType: Kind = 'mouse', y = 10) =>
  fireEvent.pointerDown(cells(), { ...pointerAt(x, y), pointerType });
const move = async (x: number, pointerType: Kind = 'mouse', y = 10): Promise<void> => {
  fireEvent.pointerMove(cells(), { ...pointerAt(x, y), pointerType });
  await done();
};
const up = async (x: number, pointerType: Kind = 'mouse', y = 10): Promise<void> => {
  fireEvent.pointerUp(cells(), { ...pointerAt(x, y), pointerType });
  await done();
};
const click = async (x: number, y = 10): Promise<void> => {
  down(x, 'mouse', y);
  await up(x, 'mouse', y);
};
const press = (key: string, shiftKey = false): void =>
  void fireEvent.keyDown(document.activeElement ?? document.body, { key, shiftKey });
/** The middle of a column. */
const middleOf = (col: number): number => 20 * col + 10;
/** The number of a column in the matrix. */
const column = (col: number): number => col + (fake.document.getState().window?.col ?? 0);
/** The first column with a weight, and the first without one. */
const firstFilled = (): number => filled()[0];
const firstEmpty = (): number => [0, 1, 2, 3, 4, 5].find((col) => !filled().includes(col)) ?? 0;
const without = (col: number): readonly number[] => filled().filter((item) => item !== col);
const sorted = (cols: readonly number[]): readonly number[] => cols.toSorted((a, b) => a - b);

it('a click sets and clears a cell, does nothing outside the cells, and the edit is announced', async () => {
  const before = filled();
  const col = firstEmpty();
  expect(screen.getByText(/^Change any cell/)).toBeTruthy();
  await click(middleOf(col));
  expect(filled()).toEqual(sorted([...before, col]));
  expect(document.body.textContent).toMatch(/edited, \d+ × \d+/);
  expect(screen.queryByText(/^Change any cell/)).toBeNull();
  await click(middleOf(col), 50);
  expect(filled()).toContain(col);
  await click(middleOf(col));
  expect([filled(), screen.queryByText(/^edited/)]).toEqual([before, null]);
});

it('a tap acts like a click; a finger that moves at once swipes, and one that leaves does nothing', async () => {
  const before = filled();
  const col = firstEmpty();
  down(middleOf(col), 'touch');
  await up(middleOf(col) + 3, 'touch');
  expect(filled()).toEqual(sorted([...before, col]));
  down(middleOf(firstFilled()), 'touch');
  await move(middleOf(firstFilled()) + 40, 'touch');
  await up(middleOf(firstFilled()) + 40, 'touch');
  down(middleOf(col), 'touch');
  fireEvent.pointerCancel(cells(), pointerAt(middleOf(col)));
  await up(middleOf(col), 'touch');
  expect(filled()).toEqual(sorted([...before, col]));
});

it('a tap offers a field for a number, a click does not, and a press elsewhere takes it away', async () => {
  const col = firstEmpty();
  await click(middleOf(col));
  expect(screen.queryByRole('textbox')).toBeNull();
  down(middleOf(col), 'touch');
  await up(middleOf(col), 'touch');
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: new RegExp(`column ${column(col)}$`) });
  expect([field.inputMode, field.value]).toEqual(['decimal', '']);
  const value = (): number | undefined => fake.session.store.getState().window?.data[filled().indexOf(col)];
  fireEvent.change(field, { target: { value: '2,5' } });
  fireEvent.click(screen.getByRole('button', { name: 'Change the sign' }));
  fireEvent.click(screen.getByRole('button', { name: 'Set' }));
  await done();
  expect([value(), field.value]).toEqual([-2.5, '-2.5']);
  fireEvent.change(field, { target: { value: '1e99' } });
  fireEvent.submit(field);
  await done();
  expect([screen.getByRole('alert').textContent, value()]).toEqual([
    'found 1e99, expected a number in the range of f32',
    -2.5,
  ]);
  fireEvent.pointerDown(field);
  expect(screen.getByRole('textbox')).toBe(field);
  fireEvent.pointerDown(document.body);
  await done();
  expect(screen.queryByRole('textbox')).toBeNull();
});

it.each(['mouse', 'touch'] as const)('a weight is dragged along its row, and only to empty cells: %s', async (kind) => {
  const [from, to] = [firstFilled(), firstEmpty()];
  const rest = without(from);
  vi.useFakeTimers();
  down(middleOf(from), kind);
  if (kind === 'touch') vi.advanceTimersByTime(150);
  vi.useRealTimers();
  // Over a cell with a weight it stays; below the row it continues along the row.
  for (const col of rest.filter((item) => item < 6).slice(0, 1)) await move(middleOf(col), kind);
  expect(filled()).toEqual(sorted([...rest, from]));
  await move(middleOf(to), kind, 60);
  expect([cells().dataset.over, filled()]).toEqual(['drag', sorted([...rest, to])]);
  await move(middleOf(from), kind);
  expect(filled()).toEqual(sorted([...rest, from]));
  await move(middleOf(to), kind);
  await up(middleOf(to), kind);
  expect(cells().dataset.over).toBeUndefined();
  // A drag does not count as a press, so the moved weight is not cleared.
  expect(filled()).toEqual(sorted([...rest, to]));
  // The pointer is faster than the moves are processed; the weight still ends at the pointer.
  down(middleOf(to));
  for (const col of [from, to, from])
    fireEvent.pointerMove(cells(), { ...pointerAt(middleOf(col)), pointerType: kind });
  await up(middleOf(from));
  expect(filled()).toEqual(sorted([...rest, from]));
});

it('if the picture is focused before its cells are drawn, the cursor appears once they are drawn', async () => {
  isDrawn = false;
  act(() => cells().focus());
  expect(cells().getAttribute('aria-label')).toBe('cells');
  isDrawn = true;
  act(() => onDrawn());
  await done();
  expect(cells().getAttribute('aria-label')).toMatch(/column \d+: /);
});

it('an empty cell is not dragged', async () => {
  const before = filled();
  down(middleOf(firstEmpty()));
  await move(middleOf(firstEmpty()) + 20);
  await up(middleOf(firstEmpty()) + 20);
  expect(filled()).toEqual(before);
});

it('arrow keys move a cursor over cells, Enter and Space set and clear a cell, and Escape returns to the keys of the player', async () => {
  act(() => cells().focus());
  const { frame, playing } = fake.player.store.getState();
  press('ArrowRight');
  press('ArrowRight');
  press('ArrowLeft');
  expect(fake.player.store.getState().frame).toBe(frame);
  const wasFilled = filled().includes(1);
  const status = screen.getByRole('status');
  const [textOfWeight, textOfEmpty] = [
    /^row 0, column 1: weight \S+, press to clear/,
    /^row 0, column 1: empty, press to set/,
  ];
  expect(status.textContent).toMatch(wasFilled ? textOfWeight : textOfEmpty);
  expect(cells().getAttribute('aria-label')).toMatch(wasFilled ? textOfWeight : textOfEmpty);
  expect(screen.queryByText('the answer')).toBeNull();
  press('Enter');
  await done();
  expect(filled().includes(1)).toBe(!wasFilled);
  expect(status.textContent).toMatch(wasFilled ? textOfEmpty : textOfWeight);
  press(' ');
  await done();
  expect(filled().includes(1)).toBe(wasFilled);
  expect(fake.player.store.getState().playing).toBe(playing);
  press('Enter');
  await done();
  // The picture has row 0 alone.
  press('ArrowDown');
  expect(view.setCursor).toHaveBeenLastCalledWith({ row: 0, col: 1 });
  press('Escape');
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Stage' }));
  expect(view.setCursor).toHaveBeenLastCalledWith(null);
  // Still edited: only the next Escape undoes.
  expect(filled().includes(1)).toBe(!wasFilled);
  press('Escape');
  await done();
  expect(filled().includes(1)).toBe(wasFilled);
  expect(screen.getByText('the answer')).toBeTruthy();
});

it('Shift with an arrow key moves a weight to the next empty cell, and the cursor with it', async () => {
  const from = filled().find((col) => [1, 2, 3, 4, 5].some((by) => col + by < 6 && !filled().includes(col + by))) ?? 0;
  const to = [1, 2, 3, 4, 5].map((by) => from + by).find((col) => !filled().includes(col)) ?? 0;
  const rest = without(from);
  act(() => cells().focus());
  for (let col = 0; col < from; col++) press('ArrowRight');
  press('ArrowRight', true);
  await done();
  expect(filled()).toEqual(sorted([...rest, to]));
  expect(view.setCursor).toHaveBeenLastCalledWith({ row: 0, col: to });
  // Both keys come before the page renders the first move.
  await act(async () => {
    press('ArrowLeft', true);
    await settle();
    press('ArrowRight', true);
    await settle();
  });
  expect(filled()).toEqual(sorted([...rest, to]));
});

it('a button undoes all edits, and so does the previous document', async () => {
  const before = filled();
  const documentBefore = fake.document.getState();
  await click(middleOf(0));
  await click(middleOf(2));
  fireEvent.click(screen.getByRole('button', { name: 'Undo all' }));
  await done();
  expect(filled()).toEqual(before);
  await click(middleOf(0));
  await act(() => fake.session.restore(documentBefore));
  expect(filled()).toEqual(before);
});

it('the reason for a rejected edit is shown once, at its cell if visible, until the next accepted edit', async () => {
  const reason = 'row 0: found 7, expected at most 6.';
  act(() => fake.session.store.setState({ rejectedEdit: reason }));
  expect(screen.getByRole('status').textContent).toContain(reason);
  expect(screen.getByTestId('rejection').textContent).toBe('');
  act(() => fake.session.store.setState({ pressedCell: { row: 0, col: 2 } }));
  expect(screen.getByTestId('rejection').textContent).toBe(reason);
  expect(screen.getByText(reason, { selector: '[role=status] *' }).className).toBe('unseen');
  await click(middleOf(0));
  expect([screen.getByRole('status').textContent.trim(), screen.getByTestId('rejection').textContent]).toEqual([
    '',
    '',
  ]);
});
