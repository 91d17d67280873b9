// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeSession, settle } from '../../../../test/fake-engine.ts';
import { fakeApp, renderInApp } from '../../../../test/page.ts';
import { RegionMap } from './RegionMap.tsx';

let all: ReturnType<typeof fakeSession>;
beforeEach(async () => {
  all = fakeSession();
  await all.session.start();
  await settle();
  void all.session.openExample('part');
  await settle();
  renderInApp(<RegionMap />, { ...fakeApp(), ...all });
  Element.prototype.setPointerCapture = vi.fn<(id: number) => void>();
});
afterEach(cleanup);

const windowNow = () => all.document.getState().window;

it('arrow keys move the window by its size, and never out of the matrix', async () => {
  const { summary } = all.session.store.getState();
  const was = windowNow();
  if (!was || !summary) throw new Error('no window');
  expect(was.rows < summary.rows || was.cols < summary.cols).toBe(true);
  const map = screen.getByRole('button', { name: /The window that the story shows/ });
  const press = (key: string) =>
    act(async () => {
      fireEvent.keyDown(map, { key });
      await settle();
    });
  for (const key of ['ArrowDown', 'ArrowRight']) await press(key);
  const row = Math.min(was.row + was.rows, summary.rows - was.rows);
  const col = Math.min(was.col + was.cols, summary.cols - was.cols);
  expect(windowNow()).toEqual({ ...was, row, col });
  for (let i = 0; i < 99; i++) for (const key of ['ArrowUp', 'ArrowLeft']) await press(key);
  expect(windowNow()).toEqual({ ...was, row: 0, col: 0 });
});

it('the window is where it was dropped', async () => {
  const { summary } = all.session.store.getState();
  const map = screen.getByRole('button', { name: /The window that the story shows/ });
  const [width, height] = ['width', 'height'].map((side) => Number.parseInt(map.style.getPropertyValue(side), 10));
  map.getBoundingClientRect = () => ({ left: 100, top: 200, width, height }) as DOMRect;
  fireEvent.pointerDown(map, { pointerId: 1, clientX: 100, clientY: 200 });
  fireEvent.pointerMove(map, { pointerId: 1, clientX: 100 + width / 2, clientY: 200 });
  // Until then the story does not change.
  expect(windowNow()?.row).toBe(2);
  await act(async () => {
    fireEvent.pointerUp(map, { pointerId: 1, clientX: 100 + width, clientY: 200 + height });
    await settle();
  });
  const { row = 0, col = 0, rows = 0, cols = 0 } = windowNow() ?? {};
  expect([row + rows, col + cols]).toEqual([summary?.rows, summary?.cols]);
});
