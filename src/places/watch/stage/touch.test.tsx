// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { fakeSession, settle } from '../../../../test/fake-engine.ts';
import { fakeApp } from '../../../../test/page.ts';
import type { Cell } from '../../../core/matrix/index.ts';
import { AppProvider } from '../../../kit/app-context.ts';
import { bindShortcuts } from '../../../kit/shortcuts.ts';
import type { SceneView } from '../../../render/scene-view.ts';
import { stageCommands } from '../commands.ts';
import { EditedCut } from './Stage.tsx';
import { useTouch } from './use-touch.ts';

/** A picture of which every 10 px are a cell of row 0, up to 60. */
const view = {
  cellAt: (x: number, y: number): Cell | null => (y < 10 && x < 60 ? { row: 0, col: Math.floor(x / 10) } : null),
  shows: ({ row }: Cell) => row === 0,
  setCursor: vi.fn<(cell: Cell | null) => void>(),
};

function Picture() {
  const stage = useRef<HTMLElement>(null);
  const { touch, cursorText, enter } = useTouch(null, stage);
  return (
    <section ref={stage} aria-label="Stage" tabIndex={-1}>
      <EditedCut cursorText={cursorText}>
        <p>the answer</p>
      </EditedCut>
      <button type="button" onClick={enter}>
        edit cells
      </button>
      <div
        ref={(canvas) => touch.onView(canvas && ({ ...view, canvas } as unknown as SceneView))}
        aria-label="cells"
        role="application"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as the stage has it
        tabIndex={0}
        {...touch.handlers}
      />
    </section>
  );
}

// Its code comes with the first cell that is pressed.
beforeAll(() => import('../../../state/session/editing.ts'));

let all: ReturnType<typeof fakeSession>;
let unbind: () => void;
beforeEach(async () => {
  all = fakeSession();
  await all.session.loadStories();
  await all.session.start();
  await settle();
  const app = { ...fakeApp(), ...all };
  render(
    <AppProvider value={app}>
      <Picture />
    </AppProvider>,
  );
  const commands = stageCommands('watch', { app } as unknown as Parameters<typeof stageCommands>[1]);
  unbind = bindShortcuts(window, commands, () => true);
});
afterEach(() => {
  unbind();
  cleanup();
  vi.useRealTimers();
});

const cells = (): HTMLElement => screen.getByRole('application');
const filled = (): readonly number[] => {
  const { window: cut } = all.session.store.getState();
  return cut ? [...cut.indices.subarray(0, cut.indptr[1])] : [];
};
const done = (): Promise<void> => act(settle);
const at = (x: number, y = 5) => ({ clientX: x, clientY: y, isPrimary: true, button: 0 });
const click = async (x: number, y = 5): Promise<void> => {
  fireEvent.pointerDown(cells(), { ...at(x, y), pointerType: 'mouse' });
  fireEvent.pointerUp(cells(), { ...at(x, y), pointerType: 'mouse' });
  fireEvent.click(cells(), at(x, y));
  await done();
};

it('a click sets a cell and clears it, beside the cells it does nothing, and says what is edited', async () => {
  const before = filled();
  const col = [0, 1, 2, 3].find((c) => !before.includes(c)) ?? 0;
  await click(10 * col + 5);
  expect(filled()).toEqual([...before, col].toSorted((a, b) => a - b));
  expect(document.body.textContent).toMatch(/edited, \d+ × \d+/);
  await click(10 * col + 5, 50);
  expect(filled()).toContain(col);
  await click(10 * col + 5);
  expect(filled()).toEqual(before);
  expect(screen.queryByText(/^edited/)).toBeNull();
});

it('a pressed pointer that moves means nothing, nor does a short touch', async () => {
  const before = filled();
  fireEvent.pointerDown(cells(), { ...at(5), pointerType: 'mouse' });
  fireEvent.click(cells(), at(45));
  vi.useFakeTimers();
  fireEvent.pointerDown(cells(), { ...at(5), pointerType: 'touch' });
  vi.advanceTimersByTime(499);
  fireEvent.pointerUp(cells(), { ...at(5), pointerType: 'touch' });
  fireEvent.click(cells(), at(5));
  vi.advanceTimersByTime(1000);
  fireEvent.pointerDown(cells(), { ...at(5), pointerType: 'touch' });
  fireEvent.pointerMove(cells(), { ...at(45), pointerType: 'touch' });
  vi.advanceTimersByTime(1000);
  vi.useRealTimers();
  await done();
  expect(filled()).toEqual(before);
});

it('a finger that rests on a cell sets or clears it, once', async () => {
  const had = filled().includes(0);
  vi.useFakeTimers();
  fireEvent.pointerDown(cells(), { ...at(5), pointerType: 'touch' });
  fireEvent.pointerMove(cells(), { ...at(8), pointerType: 'touch' });
  vi.advanceTimersByTime(500);
  fireEvent.pointerUp(cells(), { ...at(8), pointerType: 'touch' });
  fireEvent.click(cells(), at(8));
  vi.useRealTimers();
  await done();
  expect(filled().includes(0)).toBe(!had);
});

it('by keyboard a cursor goes from cell to cell, Enter sets and clears, Escape leaves to the keys of the player', async () => {
  const press = (key: string): void => void fireEvent.keyDown(document.activeElement ?? document.body, { key });
  fireEvent.click(screen.getByRole('button', { name: 'edit cells' }));
  expect(document.activeElement).toBe(cells());
  const { frame } = all.player.store.getState();
  press('ArrowRight');
  press('ArrowRight');
  press('ArrowLeft');
  expect(all.player.store.getState().frame).toBe(frame);
  const had = filled().includes(1);
  const status = screen.getByRole('status');
  expect(status.textContent).toMatch(had ? /^row 0, column 1: [^e]/ : /^row 0, column 1: empty$/);
  expect(screen.queryByText('the answer')).toBeNull();
  press('Enter');
  await done();
  expect(filled().includes(1)).toBe(!had);
  expect(status.textContent).toMatch(had ? /empty$/ : /^row 0, column 1: [^e]/);
  press('ArrowDown');
  expect(status.textContent).toMatch(/^row 1, column 1: .*, not in this picture$/);
  expect(view.setCursor).toHaveBeenLastCalledWith({ row: 1, col: 1 });
  press('Escape');
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Stage' }));
  expect(view.setCursor).toHaveBeenLastCalledWith(null);
  // Still edited: only the next Escape undoes.
  expect(filled().includes(1)).toBe(!had);
  press('Escape');
  await done();
  expect(filled().includes(1)).toBe(had);
  expect(screen.getByText('the answer')).toBeTruthy();
});

it('a button undoes all edits, and so does the document of before', async () => {
  const before = filled();
  const was = all.document.getState();
  await click(5);
  await click(25);
  fireEvent.click(screen.getByRole('button', { name: 'Undo all' }));
  await done();
  expect(filled()).toEqual(before);
  await click(5);
  await act(() => all.session.restore(was));
  expect(filled()).toEqual(before);
});

it('what a format has against the cells is one sentence, and goes with the next cell that is taken', async () => {
  act(() => all.session.store.setState({ refused: 'row 0: found 7, expected at most 6.' }));
  expect(screen.getByRole('status').textContent).toMatch(/^ ?row 0: found 7, expected at most 6.$/);
  await click(5);
  expect(screen.getByRole('status').textContent?.trim()).toBe('');
});
