// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { ErrorBar, TaskBar } from './Bars.tsx';

afterEach(cleanup);

describe('ErrorBar', () => {
  it('is not there without sentences', () => {
    render(<ErrorBar sentences={[]} onDismiss={() => {}} />);
    expect(screen.queryByRole('alert')).toBeNull();
  });
  it('says every sentence at once and goes when it is dismissed', () => {
    let dismissed = 0;
    const sentences = ['rows: found 0, expected at least 1.', 'seed: found x, expected a whole number.'];
    render(<ErrorBar sentences={sentences} onDismiss={() => dismissed++} />);
    const alert = screen.getByRole('alert');
    for (const sentence of sentences) expect(alert.textContent).toContain(sentence);
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(dismissed).toBe(1);
  });
  it('offers what can be done about it', () => {
    let chosen = 0;
    const remedy = { title: 'Open up to 16 GiB all the same', onChoose: () => chosen++ };
    render(<ErrorBar sentences={['bomb.gz: found too much.']} onDismiss={() => {}} remedy={remedy} />);
    fireEvent.click(screen.getByRole('button', { name: remedy.title }));
    expect(chosen).toBe(1);
  });
});

describe('TaskBar', () => {
  const job = { id: 1, title: 'Opening fc2', cancelling: false };

  it('shows how far the job is, and offers to cancel it', () => {
    let cancelled = 0;
    const progress = { what: 'line', done: 25, total: 100 };
    render(<TaskBar job={{ ...job, progress }} onCancel={() => cancelled++} />);
    expect(screen.getByRole('progressbar', { name: 'Opening fc2' }).getAttribute('value')).toBe('0.25');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(cancelled).toBe(1);
  });
  it('shows an open end where the total is not known', () => {
    render(<TaskBar job={{ ...job, progress: null }} onCancel={() => {}} />);
    expect(screen.getByRole('progressbar').hasAttribute('value')).toBe(false);
  });
  it('cannot be cancelled twice', () => {
    render(<TaskBar job={{ ...job, progress: null, cancelling: true }} onCancel={() => {}} />);
    expect(screen.getByRole('button', { name: 'Cancelling' }).hasAttribute('disabled')).toBe(true);
  });
});
