// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { onChoiceKey } from './choice-keys.ts';
import { nextButton } from './SelectionBar.tsx';

afterEach(cleanup);

test('arrow keys go from button to button in the selection bar, and around at the ends', () => {
  expect([0, 1, 6].map((index) => nextButton(index, 7, 'ArrowRight'))).toEqual([1, 2, 0]);
  expect([[0, 1, 6].map((index) => nextButton(index, 7, 'ArrowLeft')), nextButton(3, 7, 'ArrowUp')]).toEqual([
    [6, 0, 5],
    3,
  ]);
});

function open(): void {
  render(
    // The handler receives the keys of the focused element inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div onKeyDown={onChoiceKey}>
      <input data-find="" aria-label="Find" />
      {['one', 'two', 'three'].map((name) => (
        <button key={name} type="button" data-choice={name}>
          {name}
        </button>
      ))}
      <input aria-label="Number" />
    </div>,
  );
}
const press = (key: string): void => void fireEvent.keyDown(document.activeElement ?? document.body, { key });
const focused = (): string => document.activeElement?.textContent || (document.activeElement?.ariaLabel ?? '');

test('up and down go from choice to choice, from the field to the first or last', () => {
  open();
  screen.getByLabelText('Find').focus();
  press('ArrowDown');
  expect(focused()).toBe('one');
  press('ArrowDown');
  expect(focused()).toBe('two');
  press('ArrowUp');
  press('ArrowUp');
  expect(focused()).toBe('three');
  screen.getByLabelText('Find').focus();
  press('ArrowUp');
  expect(focused()).toBe('three');
});

test('typed text goes to the search field, but not Space, nor text typed in another field', () => {
  open();
  screen.getByText('two').focus();
  press(' ');
  expect(focused()).toBe('two');
  press('m');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Find');
  screen.getByLabelText('Number').focus();
  press('4');
  press('ArrowDown');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Number');
});
