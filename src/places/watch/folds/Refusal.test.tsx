// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { Refusal } from './Bytes.tsx';

afterEach(cleanup);

describe('Refusal', () => {
  it('offers to prune to the pattern that the format holds', () => {
    const asked: unknown[] = [];
    const refusal = {
      ok: false,
      reason: 'row 1 has 7 non-zeros in columns 8 to 15, more than the 6 that 6:8 allows',
      remedy: 'Prune to 6:8.',
      prune: { kept: 6, group: 8 },
    } as const;
    render(<Refusal refusal={refusal} onPrune={(pattern) => asked.push(pattern)} />);
    expect(screen.getByText('Row 1 has 7 non-zeros in columns 8 to 15, more than the 6 that 6:8 allows.')).toBeTruthy();
    expect(screen.queryByText('Prune to 6:8.')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Prune the matrix to 6:8' }));
    expect(asked).toEqual([{ kept: 6, group: 8 }]);
  });

  it('says the remedy where there is nothing to click', () => {
    render(<Refusal refusal={{ ok: false, reason: 'Too large.', remedy: 'Choose a part.' }} onPrune={() => {}} />);
    expect(screen.getByText('Choose a part.')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});
