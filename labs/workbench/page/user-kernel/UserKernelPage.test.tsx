// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setupOf, localRunners, starterText } from '../../test/own-runner.ts';
import { memoryDrafts } from '../../test/memory-drafts.ts';
import { cleanup, fakeApp, renderInApp } from '../../../../test/page.ts';
import { MACKO_ROW, REPORT } from '../../../../test/reports.ts';
import { SparseScopeError } from '../../../../src/core/errors.ts';
import { matrixMessage } from '../../own/decoded-matrix.ts';
import { fromRows } from '../../own/law-cases.ts';
import type { MatrixSummary } from '../../../../src/engine/matrix/matrix-types.ts';
import type { FormatDraft } from '../../provider/format-library.ts';
import type { LawReport } from '../../own/laws.ts';
import type { KernelEditorProps } from '../editor/KernelEditor.tsx';
import type { OnDraftEvent } from '../service/drafts/draft-types.ts';
import type { EncodeModuleOnPage, UserTrialRequest } from '../service/own/kernel-types.ts';
import { createKernelTexts, type KernelFormat } from './use-user-kernel.ts';
import { UserKernelPage } from './UserKernelPage.tsx';
import { raceRows } from './UserKernelRace.tsx';

vi.mock('../editor/load-editor.ts', () => ({
  loadEditor: async () =>
    function Editor({ file, onChange }: KernelEditorProps) {
      return <textarea aria-label="text" value={file.code} onChange={(e) => onChange(file.path, e.target.value)} />;
    },
}));

afterEach(cleanup);

/** A report of one law, as far as the page reads it. */
const laws = (isBroken: boolean): LawReport =>
  ({ laws: [{ broken: isBroken ? {} : null }], matrices: 79, refused: [] }) as unknown as LawReport;

/** The kernel page's format: a starter, with its arrays and stored texts. */
async function kernelOf(id: string, kernels = createKernelTexts(memoryDrafts())): Promise<KernelFormat> {
  const text = starterText(id);
  const setup = await setupOf(localRunners(text));
  return {
    name: 'mine',
    text,
    ...setup,
    laws: laws(false),
    evaluate: (module) => ({ ...localRunners(module), end: () => {} }),
    kernels,
  };
}

type Trial = (request: UserTrialRequest, encode: EncodeModuleOnPage, onEvent: OnDraftEvent) => Promise<void>;

/** An app whose GPU trials are answered by `trial`. */
function appWith(trial: Trial): ReturnType<typeof fakeApp> {
  const app = fakeApp();
  const service = {
    trial: (_: unknown, ...rest: Parameters<Trial>) => trial(...rest),
    memory: () => Promise.reject(new SparseScopeError('This device has no GPU')),
  };
  return { ...app, engine: Object.assign(Object.create(app.engine), { service: () => service }) as typeof app.engine };
}

const textOf = (): string => screen.getByLabelText<HTMLTextAreaElement>('text').value;
const findButton = (name: string | RegExp): Promise<HTMLElement> => screen.findByRole('button', { name });

describe('the page of a kernel for a custom format', () => {
  it('begins with a text for the format’s arrays, accepts the starter’s kernel, and saves the user’s text', async () => {
    const stored = memoryDrafts<FormatDraft>();
    const kernelTexts = createKernelTexts(stored);
    const format = await kernelOf('sell', kernelTexts);
    const app = appWith(async () => {});
    const { unmount } = renderInApp(<UserKernelPage format={format} onClose={() => {}} />, app);
    await screen.findByLabelText('text');
    expect(textOf()).toContain('order_at(i)');
    expect(screen.getByText(/fn values_at/).textContent).toContain('override C: u32 = 4u;');
    fireEvent.change(screen.getByLabelText('Begin with'), { target: { value: 'sell' } });
    expect(textOf()).toContain('y[order_at(place)] = sum;');
    unmount();
    kernelTexts.flush();
    const reloadedTexts = createKernelTexts(stored);
    await reloadedTexts.load();
    renderInApp(<UserKernelPage format={{ ...format, kernels: reloadedTexts }} onClose={() => {}} />, app);
    await waitFor(() => expect(textOf()).toContain('y[order_at(place)] = sum;'));
  });

  it('runs the kernel on matrices that the module encodes, and times it only if all laws are satisfied', async () => {
    const requests: boolean[] = [];
    const trial: Trial = async ({ time }, encode, onEvent) => {
      requests.push(time);
      const outcome = await encode(matrixMessage(fromRows([[[2, 1]], []], 4)));
      const lengths = outcome.kind === 'done' && outcome.result.encoding.arrays.map(({ elements }) => elements.length);
      await onEvent({ stage: 'compiled', ok: true, messages: [] });
      await onEvent({ stage: 'ended', ok: true, sentence: `Lengths ${JSON.stringify(lengths)}.` });
    };
    const format = await kernelOf('csr');
    const app = appWith(trial);
    const { unmount } = renderInApp(
      <UserKernelPage format={{ ...format, laws: laws(true) }} onClose={() => {}} />,
      app,
    );
    expect(screen.getByText('It is raced only if all laws are satisfied.')).toBeTruthy();
    await act(async () => fireEvent.click(await findButton('Run')));
    expect(await screen.findByText('Lengths [1,1,3].')).toBeTruthy();
    unmount();
    renderInApp(<UserKernelPage format={format} onClose={() => {}} />, app);
    await act(async () => fireEvent.click(await findButton('Run')));
    expect(requests).toEqual([false, true]);
  });

  it('shows the errors of a run and of the trace of memory loads', async () => {
    const format = await kernelOf('csr');
    const app = appWith(() => Promise.reject(new SparseScopeError('a benchmark runs')));
    app.session.store.setState({
      isInWorker: true,
      // The generation of the fake engine's matrix: the page ignores errors about another matrix.
      summary: { generation: 0, name: 'wide', rows: 2, cols: 4 } as MatrixSummary,
    });
    renderInApp(<UserKernelPage format={format} onClose={() => {}} />, app);
    await act(async () => fireEvent.click(await findButton('Run')));
    expect(await screen.findByText('A benchmark runs.')).toBeTruthy();
    await act(async () => fireEvent.click(await findButton('Watch it')));
    expect((await screen.findByRole('alert')).textContent).toBe('This device has no GPU.');
  });

  it('lists the kernel and the other formats by time, the fastest first', async () => {
    const userRow = { ...MACKO_ROW, kernel: 'mine:mine/scratch (draft)', format: 'mine:mine' };
    const slow = (ns: number): number => 2 * ns;
    const other = { ...MACKO_ROW, samplesNs: MACKO_ROW.samplesNs.map(slow), medianNs: slow(MACKO_ROW.medianNs ?? 0) };
    const report = { ...REPORT, rows: [other, userRow] };
    expect(raceRows(report, 'mine:mine').map(({ row, vsUserKernel }) => [row.format, vsUserKernel])).toEqual([
      ['mine:mine', 1],
      [MACKO_ROW.format, 2],
    ]);
    const format = await kernelOf('csr');
    const trial: Trial = async (_, __, onEvent) => {
      const timed = { rows: [], of: 2, readBandwidthGBps: null, clock: REPORT.clock, report };
      await onEvent({ stage: 'timed', ...timed });
      await onEvent({ stage: 'ended', ok: true, sentence: 'Raced.' });
    };
    renderInApp(<UserKernelPage format={format} onClose={() => {}} />, appWith(trial));
    await act(async () => fireEvent.click(await findButton('Run')));
    const rows = within(await screen.findByRole('table')).getAllByRole('row');
    expect(rows[1].textContent).toContain('yours');
    expect(rows[2].textContent).toContain('2.00× as long');
  });
});
