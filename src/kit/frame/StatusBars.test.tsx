// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { renderInApp } from '../../../test/page.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { stepCountNote } from '../../state/url-fields.ts';
import { newJob } from '../../state/session/session-state.ts';
import { FakeEngine, fakeSession, settle } from '../../../test/fake-engine.ts';
import type { App } from '../app-context.ts';
import { StatusBars, ErrorBar, TaskBar } from './StatusBars.tsx';

afterEach(cleanup);

describe('ErrorBar', () => {
  it('shows all messages together and disappears when it is dismissed', () => {
    let dismissCount = 0;
    const texts = ['rows: found 0, expected at least 1.', 'seed: found x, expected a whole number.'];
    render(<ErrorBar texts={texts} onDismiss={() => dismissCount++} />);
    const alert = screen.getByRole('alert');
    for (const message of texts) expect(alert.textContent).toContain(message);
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(dismissCount).toBe(1);
  });
  it('shows a button for a remedy', () => {
    let chooseCount = 0;
    const remedy = { title: 'Open up to 16 GiB anyway', onChoose: () => chooseCount++ };
    render(<ErrorBar texts={['bomb.gz: found too much.']} onDismiss={() => {}} remedy={remedy} />);
    fireEvent.click(screen.getByRole('button', { name: remedy.title }));
    expect(chooseCount).toBe(1);
  });
});

describe('an error of the network', () => {
  it('has a button that tries again, until another error replaces it', () => {
    const { session, ...app } = fakeSession();
    let requestCount = 0;
    const error = 'arrow.mtx.gz: the network did not answer.';
    session.store.setState({ error, networkFailure: { error, retry: () => requestCount++ } });
    renderInApp(<StatusBars />, { ...app, session } as unknown as App);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(requestCount).toBe(1);
    act(() => session.store.setState({ error: 'Another.' }));
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });
});

describe('a link of an older version', () => {
  it('shows a note about its step, which disappears after ten seconds; other problems stay', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { session, ...app } = fakeSession();
    const problems = [stepCountNote(7), "Link, a: found 'x', expected a format."];
    session.store.setState({ problems });
    renderInApp(<StatusBars />, { ...app, session } as unknown as App);
    expect(screen.getByText(problems[0]).getAttribute('role')).toBe('status');
    expect(screen.getByRole('alert').textContent).toBe(problems[1]);
    act(() => void vi.advanceTimersByTime(9_999));
    expect(screen.queryByText(problems[0])).not.toBeNull();
    act(() => void vi.advanceTimersByTime(1));
    expect(screen.queryByText(problems[0])).toBeNull();
    expect(session.store.getState().problems).toEqual([problems[1]]);
    vi.useRealTimers();
  });
});

describe('TaskBar', () => {
  const job = { id: 1, title: 'Opening fc2', cancelling: false };

  it('shows how far the job is, and offers to cancel it', () => {
    let cancelCount = 0;
    const progress = { what: 'line', done: 25, total: 100 };
    render(<TaskBar job={{ ...job, progress }} onCancel={() => cancelCount++} />);
    expect(screen.getByRole('progressbar', { name: 'Opening fc2' }).getAttribute('value')).toBe('0.25');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(cancelCount).toBe(1);
  });
  it('is a landmark region', () => {
    render(<TaskBar job={{ ...job, progress: { what: 'line', done: 100, total: 100 } }} onCancel={() => {}} />);
    expect(screen.getByRole('region', { name: 'Opening fc2' }).textContent).toContain('100');
  });
  it('shows indeterminate progress if the total is unknown', () => {
    render(<TaskBar job={{ ...job, progress: null }} onCancel={() => {}} />);
    expect(screen.getByRole('progressbar').hasAttribute('value')).toBe(false);
  });
  it('cannot be cancelled twice', () => {
    let cancelCount = 0;
    render(<TaskBar job={{ ...job, progress: null, cancelling: true }} onCancel={() => cancelCount++} />);
    const button = screen.getByRole('button', { name: 'Cancelling' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(button);
    expect(cancelCount).toBe(0);
  });
});

describe('StatusBars', () => {
  const drawBars = (session: App['session']) => renderInApp(<StatusBars />, { session } as App);
  const showBars = async () => {
    const { session } = fakeSession();
    await session.start();
    drawBars(session);
    return session;
  };

  it('offers a file that unpacks to too much with a higher limit, until it opens', async () => {
    const session = await showBars();
    await act(() => session.openFile(new File([], 'bomb')));
    expect(screen.getByRole('alert').textContent).toContain('bomb: found more than is allowed.');
    fireEvent.click(screen.getByRole('button', { name: 'Open up to 16 GiB anyway' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Open up to 64 GiB anyway' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(session.store.getState().summary?.name).toBe('bomb');
  });
  it('shows how a file was read until the notes are dismissed, and once for each file', async () => {
    const session = await showBars();
    const from = { kind: 'file', name: 'a.csv' } as const;
    const fileReading = {
      from,
      notes: ['2 values were rounded to f32.', 'The first line contains names and is not read.'],
      otherReading: null,
    };
    const notes = () =>
      screen
        .getAllByRole('status')
        .map(({ textContent }) => textContent)
        .join('');
    const set = (change: object) =>
      act(() => session.store.setState(({ summary }) => ({ summary: summary && { ...summary, ...change } })));
    expect(screen.queryByRole('region', { name: 'How the file was read' })).toBeNull();
    // Screen readers announce the notes only if the status element existed before them.
    const statusElement = screen.getByRole('status');
    set({ name: 'a.csv', read: fileReading });
    expect(statusElement.textContent).toBe(fileReading.notes.join(''));
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss the notes' }));
    expect(notes()).toBe('');
    set({ nnz: 1, notes: [...fileReading.notes, 'Pruned.'] });
    expect(notes()).toBe('');
    set({ name: 'b.csv' });
    expect(notes()).toBe(fileReading.notes.join(''));
    set({ read: { from, notes: [], otherReading: null } });
    expect(screen.queryByRole('button', { name: 'Dismiss the notes' })).toBeNull();
  });
  it.each([
    ['entries', 'Open as entries'],
    ['table', 'Open as a table'],
  ] as const)('has a button to open a table of text as %s', async (otherReading, title) => {
    const session = await showBars();
    await act(() => session.openFile(new File([], 'diagonal')));
    const fileReading = { from: { kind: 'file', name: 'diagonal' }, notes: ['A.'], otherReading } as const;
    act(() => session.store.setState(({ summary }) => ({ summary: summary && { ...summary, read: fileReading } })));
    fireEvent.click(screen.getByRole('button', { name: title }));
    expect(session.store.getState().opening?.source).toMatchObject({
      kind: 'file',
      name: 'diagonal',
      as: otherReading,
    });
    await act(settle);
  });
  it('has no remedy once another error replaced the failure, and no error once it was dismissed', async () => {
    const session = await showBars();
    await act(() => session.openFile(new File([], 'bomb')));
    const remedy = { name: /^Open up to .* anyway$/ };
    expect(screen.getByRole('button', remedy)).toBeTruthy();
    await act(() => session.openExample('broken'));
    expect(screen.getByRole('alert').textContent).toContain('expected a banner');
    expect(screen.queryByRole('button', remedy)).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });
  it('shows a file that is being written, and cancels it', async () => {
    const session = await showBars();
    let writing: Promise<Blob | null> | undefined;
    act(() => {
      writing = session.matrixFile('mtx');
    });
    expect(screen.getByRole('progressbar', { name: 'Writing the matrix' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await act(async () => {
      await writing;
    });
    expect(screen.queryByRole('progressbar')).toBeNull();
  });
  it('is hidden while the first matrix opens, and visible for a requested one', async () => {
    let endOpening = (): void => {};
    const opening = new Promise<void>((resolve) => (endOpening = resolve));
    const engine = new FakeEngine((label) => (label.startsWith('open') ? opening : Promise.resolve()));
    const { session } = fakeSession(engine);
    drawBars(session);
    let starting: Promise<void> | undefined;
    act(() => {
      starting = session.start();
    });
    await act(settle);
    expect(session.store.getState().opening?.title).toBe('Opening diagonal');
    expect(screen.queryByRole('progressbar')).toBeNull();
    let openingWide: Promise<void> | undefined;
    act(() => {
      openingWide = session.openExample('wide');
    });
    expect(screen.getByRole('progressbar', { name: 'Opening wide' })).toBeTruthy();
    endOpening();
    await act(async () => {
      await Promise.all([starting, openingWide]);
    });
  });
  it('shows a matrix that an address names from the start, and one that waits for the end of a run', async () => {
    let endWork = (): void => {};
    const work = new Promise<void>((resolve) => (endWork = resolve));
    const engine = new FakeEngine((label) => (/^(open|bench)/.test(label) ? work : Promise.resolve()));
    const { session, document } = fakeSession(engine);
    document.setState({ ...document.getState(), source: { kind: 'example', id: 'wide' } });
    drawBars(session);
    let starting: Promise<void> | undefined;
    act(() => {
      starting = session.start();
    });
    expect(await screen.findByRole('progressbar', { name: 'Opening wide' })).toBeTruthy();
    act(() => session.store.setState({ waiting: newJob('Opening empty when the run has ended') }));
    expect(screen.getByRole('region', { name: 'Opening empty when the run has ended' })).toBeTruthy();
    endWork();
    await act(async () => {
      await starting;
    });
  });
});
