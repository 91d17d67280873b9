// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createDocumentStore,
  createPlayer,
  defaultDocument,
  type Player as PlayerStore,
  withStep,
} from '../../state/index.ts';
import { CATALOG } from '../../../test/fake-engine.ts';
import { commandsOf } from '../../app/commands.ts';
import type { CommandContext } from '../command.ts';
import { LIGHT } from '../../render/theme.ts';
import { bindShortcuts } from '../shortcuts.ts';
import { fakeApp } from '../../../test/page.ts';
import { Player } from './Player.tsx';

const STORY = {
  stepCount: 12,
  chapters: [
    { id: 'scan', title: 'Scan', firstStep: 0, stepCount: 6 },
    { id: 'pack', title: 'Pack', firstStep: 6, stepCount: 4 },
    { id: 'ledger', title: 'Ledger', firstStep: 10, stepCount: 2 },
  ],
};

let player: PlayerStore;
beforeEach(() => {
  player = createPlayer(createDocumentStore(withStep(defaultDocument(CATALOG), 3)));
  player.load(STORY);
});
afterEach(cleanup);
const step = (): number => player.store.getState().step;

describe('the scrubber', () => {
  beforeEach(() => void render(<Player player={player} />));
  const slider = (): HTMLElement => screen.getByRole('slider', { name: 'Step' });

  it('says chapter and step', () => {
    expect(slider().getAttribute('aria-valuetext')).toBe('Scan, step 3 of 12');
    expect(slider().getAttribute('aria-valuenow')).toBe('3');
    expect(slider().getAttribute('aria-valuemax')).toBe('12');
  });
  it('moves by steps with the arrow keys, by chapters with Shift, by ten with the page keys', () => {
    fireEvent.keyDown(slider(), { key: 'ArrowRight' });
    expect(step()).toBe(4);
    fireEvent.keyDown(slider(), { key: 'ArrowDown' });
    expect(step()).toBe(3);
    fireEvent.keyDown(slider(), { key: 'ArrowRight', shiftKey: true });
    expect(slider().getAttribute('aria-valuetext')).toMatch(/^Pack/);
    fireEvent.keyDown(slider(), { key: 'PageUp' });
    expect(step()).toBe(12);
    fireEvent.keyDown(slider(), { key: 'PageDown' });
    expect(step()).toBe(2);
  });
  it('goes to the ends with Home and End and stays there', () => {
    fireEvent.keyDown(slider(), { key: 'End' });
    expect(step()).toBe(12);
    fireEvent.keyDown(slider(), { key: 'ArrowRight' });
    expect(step()).toBe(12);
    fireEvent.keyDown(slider(), { key: 'Home' });
    expect(step()).toBe(0);
    fireEvent.keyDown(slider(), { key: 'ArrowLeft' });
    expect(step()).toBe(0);
  });
  it('goes to a chapter by its name', () => {
    fireEvent.click(screen.getByRole('button', { name: 'Ledger' }));
    expect(step()).toBe(11);
  });
});

describe('the buttons', () => {
  beforeEach(() => void render(<Player player={player} />));
  const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));

  it('step, jump and play', () => {
    press('Next step');
    expect(step()).toBe(4);
    press('Previous step');
    press('Previous step');
    expect(step()).toBe(2);
    press('Last step');
    expect(step()).toBe(12);
    press('First step');
    expect(step()).toBe(0);
    press('Play');
    expect(player.store.getState().playing).toBe(true);
    press('Pause');
    expect(player.store.getState().playing).toBe(false);
  });
  it('change the speed', () => {
    fireEvent.change(screen.getByRole('combobox', { name: 'speed' }), { target: { value: '2' } });
    expect(player.store.getState().speed).toBe(2);
  });
});

describe('key moments', () => {
  const STOPS = [
    { at: 1, from: 0, name: 'first weight', kind: 'step', alone: null, chapter: 0 },
    { at: 2, from: 1, name: 'first padding', kind: 'padding', alone: 'a', chapter: 0 },
    { at: 6, from: 2, name: '4 more alike', kind: 'fold', alone: null, chapter: 0 },
    { at: 7, from: 6, name: 'look up columns', kind: 'step', alone: 'b', chapter: 1 },
    { at: 12, from: 7, name: 'sum', kind: 'sum', alone: null, chapter: 2 },
  ] as const;
  let asked: boolean | null;

  beforeEach(async () => {
    asked = null;
    player.load({ ...STORY, stops: STOPS });
    player.setEveryStep(false);
    const onEveryStep = (on: boolean): void => {
      asked = on;
      player.setEveryStep(on);
    };
    const moments = { a: { title: 'MACKO', color: 'green' }, b: { title: 'CSR', color: 'blue' }, onEveryStep };
    render(<Player player={player} moments={moments} />);
    await screen.findByRole('slider', { name: 'Key moment' });
  });
  const slider = (): HTMLElement => screen.getByRole('slider', { name: 'Key moment' });
  const said = (): string | null => slider().getAttribute('aria-valuetext');

  it('are told with their names, whose they are, and how many there are', () => {
    expect(said()).toBe('after first padding, MACKO alone, key moment 2 of 5');
    fireEvent.keyDown(slider(), { key: 'ArrowLeft' });
    expect(said()).toBe('first padding, MACKO alone, key moment 2 of 5');
    fireEvent.keyDown(slider(), { key: 'Home' });
    expect(said()).toBe('before the first of 5 key moments');
    fireEvent.click(screen.getByRole('button', { name: 'Pack' }));
    expect(said()).toBe('look up columns, CSR alone, key moment 4 of 5');
    expect(screen.getByText('key moment').parentElement?.textContent).toMatch(/^key moment 4 of 5about \d s left$/);
  });

  it('are what the buttons and arrow keys go by, chapters with Shift', () => {
    fireEvent.click(screen.getByRole('button', { name: 'Previous moment' }));
    fireEvent.click(screen.getByRole('button', { name: 'Previous moment' }));
    expect(step()).toBe(1);
    fireEvent.keyDown(slider(), { key: 'ArrowRight', shiftKey: true });
    expect(step()).toBe(7);
    fireEvent.keyDown(slider(), { key: 'PageUp' });
    expect(step()).toBe(12);
    fireEvent.keyDown(slider(), { key: 'ArrowLeft', shiftKey: true });
    expect(step()).toBe(7);
    fireEvent.keyDown(slider(), { key: 'End' });
    expect([step(), said()]).toEqual([12, 'sum, key moment 5 of 5']);
  });

  it('give way to every step by the switch, and at the first step of a fold by Enter', () => {
    fireEvent.click(screen.getByRole('switch', { name: /every step/ }));
    expect(asked).toBe(true);
    expect(screen.getByRole('slider', { name: 'Step' }).getAttribute('aria-valuenow')).toBe('3');
    fireEvent.click(screen.getByRole('switch', { name: /every step/ }));
    expect(asked).toBe(false);
    fireEvent.keyDown(slider(), { key: 'Enter' });
    expect(asked).toBe(false);
    act(() => player.seek(6));
    expect(said()).toBe('4 more alike, key moment 3 of 5');
    fireEvent.keyDown(slider(), { key: 'Enter' });
    expect([asked, step()]).toEqual([true, 3]);
  });

  it('are a mark each: a fold a capsule, what one format does alone on its side', () => {
    const marks = [...document.querySelectorAll<HTMLElement>('.stop')];
    expect(marks.map(({ dataset: { kind, side, reached } }) => [kind, side, reached !== undefined])).toEqual([
      [undefined, undefined, true],
      ['alone', 'a', true],
      ['fold', undefined, false],
      ['alone', 'b', false],
      [undefined, undefined, false],
    ]);
  });
});

describe('keys of the page', () => {
  let unbind: () => void;
  beforeEach(() => {
    const app = { ...fakeApp(), player };
    const nothing = (): void => {};
    const context: CommandContext = {
      app,
      openFile: nothing,
      openChooser: nothing,
      openPalette: nothing,
      openShortcuts: nothing,
      openExport: nothing,
      theme: LIGHT,
      present: nothing,
      share: nothing,
      setRunHandler: nothing,
      run: nothing,
      exportScene: nothing,
      toSubject: nothing,
    };
    unbind = bindShortcuts(window, commandsOf(context), () => true);
    render(
      <>
        <Player player={player} />
        <input aria-label="rows" />
        <input aria-label="answer" readOnly value="4" />
        <div role="application" aria-label="matrix" tabIndex={-1} />
      </>,
    );
  });
  afterEach(() => unbind());
  const key = (target: Element, pressed: string, code = pressed): void =>
    void fireEvent.keyDown(target, { key: pressed, code });

  it('play, step and jump from anywhere', () => {
    key(document.body, 'ArrowRight');
    expect(step()).toBe(4);
    key(document.body, 'End');
    expect(step()).toBe(12);
    key(document.body, 'Home');
    key(document.body, ' ', 'Space');
    expect(player.store.getState().playing).toBe(true);
  });
  it('do nothing while someone types', () => {
    for (const pressed of ['ArrowRight', 'End', ' ']) key(screen.getByRole('textbox', { name: 'rows' }), pressed);
    expect(step()).toBe(3);
    expect(player.store.getState().playing).toBe(false);
  });
  it('work in a field that is only read', () => {
    key(screen.getByRole('textbox', { name: 'answer' }), 'ArrowRight');
    expect(step()).toBe(4);
  });
  it('leave Space to the button that has the focus', () => {
    key(screen.getByRole('button', { name: 'Next step' }), ' ', 'Space');
    expect(player.store.getState().playing).toBe(false);
  });
  it('leave arrows to the matrix and the scrubber', () => {
    key(screen.getByRole('application', { name: 'matrix' }), 'ArrowRight');
    expect(step()).toBe(3);
    key(screen.getByRole('slider', { name: 'Step' }), 'ArrowRight');
    expect(step()).toBe(4);
  });
});
