// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { lazy, Suspense, useState } from 'react';
import { expect, it } from 'vitest';
import { TypeAheadBuffer, useTypeAhead } from './TypeAheadBuffer.tsx';

function Field() {
  const ahead = useTypeAhead();
  const [query] = useState(ahead);
  return <input aria-label="find" defaultValue={query} />;
}

it('keys pressed while a field loads end up in that field alone', async () => {
  let arrive: () => void = () => {};
  const Late = lazy(
    () => new Promise<{ default: typeof Field }>((resolve) => (arrive = () => resolve({ default: Field }))),
  );
  const heard: string[] = [];
  const onKeyDown = (event: KeyboardEvent): void => void heard.push(event.key);
  document.addEventListener('keydown', onKeyDown);
  const { unmount } = render(
    <Suspense fallback={<TypeAheadBuffer>Loading</TypeAheadBuffer>}>
      <Late />
    </Suspense>,
  );
  for (const key of ['c', 's', 'x', 'Backspace', 'r', 'Escape']) fireEvent.keyDown(document.body, { key });
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(heard).toEqual(['Escape', 'k']);
  await act(async () => arrive());
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'find' }).value).toBe('csr');
  fireEvent.keyDown(document.body, { key: 'z' });
  expect(heard.at(-1)).toBe('z');
  unmount();
  // The next one begins empty.
  render(<Field />);
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'find' }).value).toBe('');
  document.removeEventListener('keydown', onKeyDown);
});
