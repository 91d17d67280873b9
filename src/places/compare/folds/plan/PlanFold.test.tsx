// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { H200_LLAMA_2_7B, modelReport } from '../../../../../test/model-reports.ts';
import { cleanup, fakeApp, renderInApp } from '../../../../../test/page.ts';
import { ChoiceContext } from '../../../../kit/browser/choices.ts';
import type { Choices } from '../../../../state/index.ts';
import { KNOWN_MODELS } from '../../../../theory/models/model-shape.ts';
import type { Compared } from '../../rows/compare-row.ts';
import { PlanFold } from './PlanFold.tsx';

const QUALITY = readFileSync('public/models/tales/quality.json', 'utf8');

beforeEach(() => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(QUALITY)),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function comparedOf(name: string, isMeasured: boolean): Compared {
  const shape = KNOWN_MODELS.find((model) => model.name === name);
  const device = {
    id: 'this',
    kind: 'this',
    name: 'NVIDIA H200',
    label: 'this device',
    reports: isMeasured ? H200_LLAMA_2_7B.map((args) => modelReport(...args)) : [],
    roofs: null,
    isSoftware: false,
  };
  return { model: { shape, isLayer: false }, shown: { device } } as unknown as Compared;
}

/** The fold with its choices, as an address would have them. */
function show(name: string, initial: Choices = {}, isMeasured = false): ReturnType<typeof fakeApp> {
  const app = fakeApp();
  function Place() {
    const [texts, setTexts] = useState(initial);
    const choose = (changed: Choices): void => setTexts({ ...texts, ...changed });
    return (
      <ChoiceContext value={{ texts, choose }}>
        <PlanFold compared={comparedOf(name, isMeasured)} wide />
      </ChoiceContext>
    );
  }
  renderInApp(<Place />, app);
  return app;
}

const answer = async (): Promise<string> => (await screen.findByRole('heading', { level: 2 })).textContent;
const rows = (): readonly HTMLElement[] => within(screen.getByRole('table', { name: /^How each/ })).getAllByRole('row');

function slide(name: string, to: number): void {
  const slider = screen.getByRole('slider', { name });
  fireEvent.change(slider, { target: { value: String(to) } });
  fireEvent.keyUp(slider);
}

describe('the plan of a model whose losses were measured', () => {
  it('is dense in 4 bits for one bit a tale, and says that losses do not add up', async () => {
    show('Tales 3.4M');
    expect(await answer()).toMatch(
      /^In dense i4 throughout, Tales 3\.4M takes 2\.22\sMB instead of 6\.88\sMB\. It loses 0\.81 bits/,
    );
    expect(screen.getByText(/lose 38 bits in sum, all of them together 2\s383/)).toBeTruthy();
    expect(screen.getByText(/Matrices as small as these take about as long as starting a kernel/)).toBeTruthy();
    expect(rows()).toHaveLength(9);
  });

  it('follows its budget, has a row and a reason for each matrix, and leads to where it writes', async () => {
    const app = show('Tales 3.4M', { planvalues: 'f16' });
    const follow = vi.spyOn(app.session, 'follow').mockReturnValue();
    const before = await answer();
    slide('Loss, at most', 8);
    expect(await answer()).not.toBe(before);
    expect(await answer()).toMatch(
      /at least 4\.9 bits a tale, what its 15 pruned matrices lose alone, and at most 2\s383/,
    );
    expect(rows()).toHaveLength(44);
    expect(screen.getByRole('row', { name: /^layer 0, k/ }).textContent).toContain(
      'Stays dense: pruned alone it would lose 6.7 bits',
    );
    fireEvent.click(screen.getByRole('button', { name: 'Use it' }));
    expect(follow).toHaveBeenCalledExactlyOnceWith('planned', expect.stringContaining('~wanda-0.3~f16~bitmask'));
  });

  it('loses the least for given bytes, and says where nothing is as small', async () => {
    show('Tales 3.4M', { plan: 'bytes', planroom: '0.6' });
    expect(await answer()).toMatch(/^In dense i8 throughout, .* It loses 0\.02 bits/);
    slide('Bytes, at most', 5);
    await waitFor(async () => expect(await answer()).toMatch(/^No plan keeps to this: the smallest one takes 1\.4/));
    expect(screen.queryByRole('button', { name: 'Use it' })).toBeNull();
  });
});

describe('the plan of a model of which only shapes are known', () => {
  it('asks what is left, takes measured times, and claims no quality', async () => {
    show('Llama-2-7B', {}, true);
    expect(await answer()).toMatch(
      /^In MACKO throughout, 50\s% left, Llama-2-7B takes 8\.\d+\sGB .* at most 2\d\d tokens a second on NVIDIA H200\. .* has not been measured\.$/,
    );
    expect(screen.getByText(/No weights of Llama-2-7B are here/)).toBeTruthy();
    expect(screen.getByText(/most tokens a second with at least 50\s% left of every matrix/)).toBeTruthy();
    slide('Left of every matrix, at least', 90);
    expect(await answer()).toMatch(/^In dense throughout, Llama-2-7B takes 13\.5\sGB/);
  });

  it('goes by bytes where nothing was measured', async () => {
    show('Llama-2-7B');
    expect(await answer()).not.toContain('tokens a second');
    expect(screen.getByText(/Not every matrix was measured on NVIDIA H200/)).toBeTruthy();
  });
});
