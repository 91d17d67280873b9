// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
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
      offerRun: nothing,
      run: nothing,
      exportScene: nothing,
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
