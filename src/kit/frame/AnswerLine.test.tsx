// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AnswerLine } from './AnswerLine.tsx';

afterEach(cleanup);

const seen = (): readonly unknown[] => {
  const line = screen.getByRole('heading');
  return [line.textContent, line.getAttribute('aria-busy'), line.dataset.old];
};

it('keeps the old answer dimmed until the new one is there, but not one about something else', () => {
  const texts = [{ text: 'At 59 % it cannot spell.' }];
  const { rerender } = render(<AnswerLine words={null} waitingText="At 59 % it is writing" topic="59" />);
  expect(seen()).toEqual(['At 59 % it is writing', 'true', undefined]);
  rerender(<AnswerLine words={texts} waitingText="At 59 % it is writing" topic="59" />);
  expect(seen()).toEqual(['At 59 % it cannot spell.', 'false', undefined]);
  rerender(<AnswerLine words={null} waitingText="At 59 % it is writing" topic="59" />);
  expect(seen()).toEqual(['At 59 % it cannot spell.', 'true', 'true']);
  rerender(<AnswerLine words={null} waitingText="At 22 % it is writing" topic="22" />);
  expect(seen()).toEqual(['At 22 % it is writing', 'true', undefined]);
});
