// @vitest-environment happy-dom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OPENED_EXTENSIONS } from '../../io/opened-source.ts';
import { cleanup, renderInApp } from '../../../test/page.ts';
import { CancelledError, ReadError } from '../../core/errors.ts';
import type { MatrixPreview } from '../../engine/matrix/preview.ts';
import type { TensorChoice } from '../../state/index.ts';
import { ACCEPTED_FILES } from '../shell/DropTarget.tsx';
import { LiveSlider } from '../../kit/forms/LiveSlider.tsx';
import { RemoteForm } from '../../kit/forms/RemoteForm.tsx';
import { fileName } from '../../kit/browser/save-blob.ts';
import { TensorBrowser } from './TensorBrowser.tsx';

beforeAll(() => {
  HTMLDialogElement.prototype.showModal ??= () => {};
});
afterEach(cleanup);

const tensor = { shape: [4096, 4096], dtype: 'bf16', bytes: 2 ** 25, refused: null };
const choice: TensorChoice = {
  source: { kind: 'file', name: 'a.safetensors' },
  tensors: [
    { ...tensor, name: 'layers.0.mlp.down_proj.weight' },
    { ...tensor, name: 'layers.1.mlp.down_proj.weight' },
    { ...tensor, name: 'layers.1.norm', refused: 'found shape (2, 2, 2), expected two dimensions' },
  ],
};

describe('the tensor browser', () => {
  const show = (answer: MatrixPreview | Error): { openedNames: string[]; previewedNames: string[] } => {
    const calls = { openedNames: [] as string[], previewedNames: [] as string[] };
    renderInApp(
      <TensorBrowser
        choice={choice}
        onPreview={async (name) => {
          calls.previewedNames.push(name);
          if (answer instanceof Error) throw answer;
          return answer;
        }}
        onOpen={(name) => calls.openedNames.push(name)}
        onClose={() => {}}
      />,
    );
    return calls;
  };
  const button = (name: string): HTMLButtonElement => screen.getByRole('button', { name, hidden: true });
  const radios = (): HTMLInputElement[] => screen.getAllByRole<HTMLInputElement>('radio', { hidden: true });

  it('lists tensors, finds those with every word of the query, and opens the chosen one', () => {
    const { openedNames } = show(new CancelledError());
    expect(radios().map((r) => r.disabled)).toEqual([false, false, true]);
    expect(screen.getByText('found shape (2, 2, 2), expected two dimensions')).toBeTruthy();
    expect(button('Open').disabled).toBe(true);
    fireEvent.change(screen.getByRole('searchbox', { hidden: true }), { target: { value: 'DOWN .1.' } });
    expect(radios()).toHaveLength(1);
    fireEvent.click(radios()[0]);
    fireEvent.click(button('Open'));
    expect(openedNames).toEqual(['layers.1.mlp.down_proj.weight']);
  });

  it('previews a tensor before opening it', async () => {
    const { previewedNames } = show({
      rows: 4096,
      cols: 4096,
      zeroShare: 0.5,
      histogram: { firstExponent: -8, counts: [1, 5, 2] },
      patterns: [{ kept: 2, group: 4, share: 1 }],
    });
    fireEvent.click(radios()[0]);
    fireEvent.click(button('Look inside'));
    await waitFor(() => expect(screen.getByText(/50\.0/)).toBeTruthy());
    expect(previewedNames).toEqual(['layers.0.mlp.down_proj.weight']);
    expect(screen.getByText('all')).toBeTruthy();
    expect(
      screen.getByRole('img', {
        hidden: true,
        name: 'Magnitudes from 2 to the -8 to 2 to the -5, most from 2 to the -7',
      }),
    ).toBeTruthy();
  });

  it('shows the error of a tensor that cannot be read', async () => {
    show(new ReadError('It is broken'));
    fireEvent.click(radios()[1]);
    fireEvent.click(button('Look inside'));
    await waitFor(() => expect(screen.getByRole('alert', { hidden: true }).textContent).toBe('It is broken.'));
  });
});

describe('a slider', () => {
  const slider = (value: number, onChange: (value: number) => void = () => {}) => (
    <LiveSlider label="Share" value={value} min={0} max={9} step={1} format={String} onChange={onChange} />
  );
  const shareValue = (): string => screen.getByRole<HTMLInputElement>('slider', { name: 'Share' }).value;

  it('follows its value, but not while the user drags it', () => {
    const requested: number[] = [];
    const { rerender } = render(slider(3));
    rerender(slider(5));
    expect(shareValue()).toBe('5');
    fireEvent.change(screen.getByRole('slider'), { target: { value: '7' } });
    rerender(slider(6, (value) => requested.push(value)));
    expect(shareValue()).toBe('7');
    fireEvent.pointerUp(screen.getByRole('slider'));
    expect(requested).toEqual([7]);
    rerender(slider(2));
    expect(shareValue()).toBe('2');
  });
});

it('the form for the web returns reference and token', () => {
  const openedArguments: unknown[] = [];
  render(<RemoteForm onOpen={(...args) => openedArguments.push(args)} />);
  fireEvent.change(screen.getByLabelText('From the web'), { target: { value: ' org/name ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Open from the web' }));
  fireEvent.change(screen.getByLabelText('Access token'), { target: { value: 'hf_x' } });
  fireEvent.click(screen.getByRole('button', { name: 'Open from the web' }));
  expect(openedArguments.flat()).toEqual(['org/name', null, 'org/name', 'hf_x']);
});

it.each([
  ['model.safetensors, layers.0.weight', 'model-layers.0.weight'],
  ['a b.mtx.gz', 'a-b'],
  ['../x', 'x'],
  ['.npz', 'matrix'],
])('the file of %s is called %s', (title, name) => {
  expect(fileName(title)).toBe(name);
});

it('the picker offers every file that is opened', () => {
  const accepted = new Set(ACCEPTED_FILES.split(','));
  const lastEndings = OPENED_EXTENSIONS.map((ending) => ending.slice(ending.lastIndexOf('.')));
  expect(accepted).toEqual(new Set(lastEndings));
});
