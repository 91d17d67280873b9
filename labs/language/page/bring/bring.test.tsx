// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { cleanup, fakeApp, renderInApp } from '../../../../test/page.ts';
import type { ModelPlan, ModelRequest } from '../../models/imported-models.ts';
import { ChoiceContext } from '../../../../src/kit/browser/choices.ts';
import type { Choices } from '../../../../src/state/index.ts';
import { ModelsDialog } from './ModelsDialog.tsx';
import { type PickedFile, PlanCard, requestOf, withEarlierFiles } from './BringSteps.tsx';
import { BROUGHT_MODEL, PLAN } from '../../test/fake-imported.ts';
import { planRows } from './model-words.ts';

afterEach(cleanup);

function picked(path: string): PickedFile {
  const file = new File(['{}'], path.split('/').at(-1) ?? '');
  return path.includes('/') ? Object.defineProperty(file, 'webkitRelativePath', { value: path }) : file;
}

describe('picked files', () => {
  const namesOf = (request: ModelRequest): readonly string[] =>
    request.kind === 'files' ? request.files.map((file) => (file as File).name) : [];

  it('request only the files of a model, without other files and folders inside its folder', () => {
    const paths = ['tiny/config.json', 'tiny/model.safetensors', 'tiny/README.md', 'tiny/onnx/config.json'];
    const request = requestOf(paths.map(picked));
    expect(request).toMatchObject({ kind: 'files', folder: 'tiny' });
    expect(namesOf(request)).toEqual(['config.json', 'model.safetensors']);
    expect(requestOf([picked('story.gguf')])).toMatchObject({ folder: 'model' });
    expect(namesOf(requestOf([]))).toEqual([]);
  });

  it('are added to files picked before, unless the new files are a complete model', () => {
    const namesAfter = (...steps: readonly string[][]): readonly string[] =>
      steps
        .reduce((files: readonly PickedFile[], step) => withEarlierFiles(files, step.map(picked)), [])
        .map(({ name }) => name);
    const [weights, settings] = ['model.safetensors', 'config.json'];
    expect(namesAfter([weights], [settings], ['tokenizer.json'])).toEqual([weights, settings, 'tokenizer.json']);
    expect(namesAfter([weights, settings], [settings])).toEqual([weights, settings]);
    expect(namesAfter(['wrong.gguf'], [weights])).toEqual([weights]);
    expect(namesAfter(['wrong.gguf'], ['right.GGUF'])).toEqual(['right.GGUF']);
    expect(namesAfter(['notes.json', 'wrong.safetensors'], [settings, weights])).toEqual([settings, weights]);
  });
});

describe('the plan of a model', () => {
  const show = (
    storageSpace: { free: number | null; isPersisted: boolean } | null,
    plan: ModelPlan = PLAN,
  ): boolean[] => {
    const loaded: boolean[] = [];
    const request = { kind: 'remote', reference: 'org/tiny', token: null } as const;
    const inspected = { request, plan, storageSpace, keep: false };
    renderInApp(<PlanCard inspected={inspected} onLoad={(keep) => loaded.push(keep)} onBack={() => {}} />);
    return loaded;
  };
  const keep = (): HTMLInputElement => screen.getByRole('checkbox', { name: 'Save it in this browser' });

  it('shows the needed memory, and saves the model only on request', () => {
    const loaded = show({ free: 2e9, isPersisted: false });
    const region = screen.getByRole('region', { name: 'The model Tiny' });
    expect(region.textContent).toContain('650\u202fMB at 4 bytes a weight');
    expect(region.textContent).toContain('2.00\u202fGB free in this browser');
    fireEvent.click(screen.getByRole('button', { name: 'Load' }));
    fireEvent.click(keep());
    fireEvent.click(screen.getByRole('button', { name: 'Load' }));
    expect(loaded).toEqual([false, true]);
  });
  it('reports a file that names another activation than its model has built in', () => {
    const config = { ...PLAN.config, activation: 'relu', activationName: 'silu' } as const;
    expect(new Map(planRows({ ...PLAN, config })).get('activation')).toBe(
      'ReLU, which this model has built in; its hidden_act is silu',
    );
    expect(new Map(planRows(PLAN)).has('activation')).toBe(false);
  });
  it.each([
    ['a browser without files', null, 'cannot save files'],
    ['too little room', { free: 1e6, isPersisted: true }, '1.00.MB free, the model needs 40.0.MB'],
  ])('does not offer to save in %s', (_, storageSpace, text) => {
    show(storageSpace);
    expect(keep().disabled).toBe(true);
    expect(screen.getByText(new RegExp(text))).toBeTruthy();
  });
  it('names why the model cannot run on the GPU', () => {
    show(null, { ...PLAN, notOnGpu: 'Tiny: found a window of 5 tokens, expected attention to all tokens before' });
    expect(screen.getByText(/^the CPU\. Tiny: found a window of 5 tokens/)).toBeTruthy();
  });
});

describe('the list of models', () => {
  it('contains shipped and imported models, which can be chosen or removed', async () => {
    const app = fakeApp();
    const forgotten: string[] = [];
    const service = {
      brought: async () => [BROUGHT_MODEL],
      unfinished: async () => [{ id: 'brought:Half-3c4d', bytes: 12e6 }],
      unreadable: async () => [
        {
          entry: 'brought%3ABroken-3c4d',
          kind: 'model',
          name: 'brought:Broken-3c4d',
          why: 'kept.json: found no JSON.',
        },
        { entry: 'notes.txt', kind: 'file', name: 'notes.txt', why: 'found a file' },
      ],
      forget: async (_: unknown, id: string) => forgotten.push(id),
      forgetUnreadable: async (_: unknown, entry: string) => forgotten.push(entry),
    };
    const changedChoices: Choices[] = [];
    const context = { texts: {}, choose: (changed: Choices) => changedChoices.push(changed) };
    await act(async () =>
      renderInApp(
        <ChoiceContext value={context}>
          <ModelsDialog model="tales" onClose={() => {}} />
        </ChoiceContext>,
        { ...app, engine: Object.assign(Object.create(app.engine), { service: () => service }) as typeof app.engine },
      ),
    );
    const row = screen.getByRole('button', { name: /^Tiny from huggingface\.co/ });
    expect(screen.getByRole('button', { name: /^Tales 3\.4M/ }).getAttribute('aria-current')).toBe('true');
    fireEvent.click(row);
    expect(changedChoices).toEqual([{ model: BROUGHT_MODEL.id }]);
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Remove Tiny' })));
    expect(forgotten).toEqual([BROUGHT_MODEL.id]);
    // An interrupted download is listed, and can be removed.
    expect(screen.getByText(/^12\.0.MB downloaded/)).toBeTruthy();
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Remove what arrived of Half' })));
    expect([forgotten.at(-1), screen.queryByText(/not whole/)]).toEqual(['brought:Half-3c4d', null]);
    // Unreadable entries are listed next to the readable ones, and can be removed.
    expect(screen.getByText('a model unreadable: kept.json: found no JSON.')).toBeTruthy();
    expect(screen.getByText('a file unreadable: found a file')).toBeTruthy();
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Remove the model Broken' })));
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Remove the file notes.txt' })));
    expect(forgotten.slice(-2)).toEqual(['brought%3ABroken-3c4d', 'notes.txt']);
    expect(screen.queryByText(/cannot be read/)).toBeNull();
    expect(screen.getByText('None imported yet.')).toBeTruthy();
  });
});
