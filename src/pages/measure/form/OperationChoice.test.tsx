// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { OPERATIONS } from '../../../core/operations/index.ts';
import { cleanup, fakeApp, renderInApp } from '../../../../test/page.ts';
import { formProblem, sizesOf } from '../../../state/bench-form.ts';
import { OperationChoice } from './BenchControls.tsx';

afterEach(cleanup);

it('lists every operation as a formula, with its summary and sizes', () => {
  const app = fakeApp();
  renderInApp(<OperationChoice />, app);
  for (const { id, title, summary, sizes } of OPERATIONS) {
    fireEvent.change(screen.getByRole('combobox', { name: 'Operation' }), { target: { value: id } });
    expect(screen.getByRole('option', { name: title, selected: true })).toBeTruthy();
    expect(screen.getByText(summary)).toBeTruthy();
    expect(screen.queryAllByRole('textbox')).toHaveLength(Object.keys(sizes).length);
    expect(app.benchForm.getState().operation).toBe(id);
  }
});

it('accepts a size in range, and keeps the last valid one otherwise', () => {
  const app = fakeApp();
  renderInApp(<OperationChoice />, app);
  fireEvent.change(screen.getByRole('combobox', { name: 'Operation' }), { target: { value: 'gate' } });
  const field = screen.getByRole('textbox', { name: 'width' });
  const type = (value: string): void => void fireEvent.change(field, { target: { value } });
  type('64');
  expect(sizesOf(app.benchForm.getState())).toEqual({ width: 64 });
  type('65');
  expect(screen.getByRole('alert').textContent).toBe('Found 65, expected a multiple of 8.');
  expect(formProblem(app.benchForm.getState())).toBe('Width: enter a multiple of 8 from 8 to 16384.');
  type('4');
  expect(screen.getByRole('alert').textContent).toContain('expected a whole number from 8');
  expect(sizesOf(app.benchForm.getState())).toEqual({ width: 64 });
  type('128');
  expect([screen.queryByRole('alert'), formProblem(app.benchForm.getState())]).toEqual([null, null]);
});
