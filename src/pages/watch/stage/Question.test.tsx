// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeApp } from '../../../../test/page.ts';
import { CATALOG } from '../../../../test/fake-engine.ts';
import type { Frame } from '../../../story/frames.ts';
import { AppProvider } from '../../../kit/app-context.ts';
import { FrameQuestion } from '../../../kit/stage/FrameQuestion.tsx';
import { createDocumentStore, createPlayer, defaultDocument, type Player } from '../../../state/index.ts';
import { PhonePlayer } from './PhonePlayer.tsx';

const statedText = (words: string) => ({ text: words, facts: [] });

function frame(id: string, more: Partial<Frame> = {}): Frame {
  const draw = () => ({ width: 1, height: 1, marks: [] });
  return { id, chapter: 'one', step: 0, narration: () => statedText(id), moves: [0], draw, ...more };
}

const questionFrame = frame('How many?', {
  moves: [0, 0],
  question: { options: ['8', '15', '16'], answer: 1, because: statedText('*Sixteen* patterns, from 0 to 15.') },
});

const setFull = vi.fn<(full: boolean) => void>();
let player: Player;
beforeEach(() => {
  player = createPlayer(createDocumentStore(defaultDocument(CATALOG)));
  const frames = [frame('first'), questionFrame, frame('last')].map((scriptFrame) => ({
    at: 0,
    chapter: 'one',
    scriptFrame,
  }));
  player.load({ stepCount: 1, chapters: [], frames, restMs: () => 1000 });
  player.goTo(2);
});
afterEach(() => {
  cleanup();
  setFull.mockClear();
});

const show = (isPhone: boolean): void => {
  const stage = { current: document.body };
  render(
    <AppProvider value={{ ...fakeApp(), player }}>
      <FrameQuestion frame={questionFrame} isPhone={isPhone} />
      {isPhone && <PhonePlayer stage={stage} page={{ isFull: false, setFull }} />}
      <input aria-label="rows" />
    </AppProvider>,
  );
};
const button = (name: string): HTMLElement => screen.getByRole('button', { name });
/** The frame, from 1, and its picture: of a question 0 until it is answered. */
const position = (): readonly unknown[] => [player.store.getState().frame, player.store.getState().picture];

it('a question shows the reason after any answer, and its button Next, which then has the focus, goes on', () => {
  show(false);
  expect(screen.queryByText(/patterns/)).toBeNull();
  fireEvent.click(button('8'));
  expect(position()).toEqual([2, 1]);
  expect(document.querySelector('.question-because')?.textContent).toBe('Sixteen patterns, from 0 to 15.');
  expect([button('8').getAttribute('aria-pressed'), button('15').dataset.right]).toEqual(['true', 'true']);
  expect(button('8').dataset.right).toBeUndefined();
  fireEvent.click(button('15'));
  expect(button('8').getAttribute('aria-pressed')).toBe('true');
  expect(document.activeElement).toBe(button('Next'));
  fireEvent.click(button('Next'));
  expect(position()).toEqual([3, 0]);
});

it('a digit answers the question, but not while the user types, with Ctrl, or beyond the number of answers', () => {
  show(false);
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'rows' }), { key: '2' });
  fireEvent.keyDown(document.body, { key: '4' });
  fireEvent.keyDown(document.body, { key: '2', ctrlKey: true });
  expect(position()).toEqual([2, 0]);
  fireEvent.keyDown(document.body, { key: '2' });
  expect([position(), button('15').getAttribute('aria-pressed')]).toEqual([[2, 1], 'true']);
});

it('on a phone the button shows the answer, then goes on, and at the end starts again', () => {
  show(true);
  fireEvent.click(button('Show me'));
  expect(position()).toEqual([2, 1]);
  fireEvent.click(button('Next'));
  expect(position()).toEqual([3, 0]);
  fireEvent.click(button('Again'));
  expect(position()).toEqual([1, 0]);
});

it('on a phone a swipe to the left shows the answer, a second one goes on, and one to the right goes back', () => {
  show(true);
  let target: Element = document.body;
  const swipe = (from: readonly [number, number], to: readonly [number, number], pointerType = 'touch'): void => {
    const event = (type: string, [clientX, clientY]: readonly [number, number]): boolean =>
      fireEvent(target, new PointerEvent(type, { clientX, clientY, pointerType, bubbles: true }));
    act(() => void event('pointerdown', from));
    act(() => void event('pointerup', to));
  };
  // Too short, too steep, and by a mouse: no swipes.
  swipe([200, 100], [180, 100]);
  swipe([200, 100], [120, 190]);
  swipe([200, 100], [100, 100], 'mouse');
  // A swipe that begins on an input moves its value, and does not skip the question.
  target = screen.getByLabelText('rows');
  swipe([200, 100], [100, 100]);
  target = document.body;
  expect([position(), setFull.mock.calls]).toEqual([[2, 0], []]);
  swipe([200, 100], [120, 110]);
  expect(position()).toEqual([2, 1]);
  swipe([200, 100], [120, 110]);
  expect(position()).toEqual([3, 0]);
  swipe([100, 100], [200, 110]);
  expect(position()).toEqual([2, 0]);
  // Each swipe opens the story on the full page.
  expect(setFull.mock.calls).toEqual([[true], [true], [true]]);
});
