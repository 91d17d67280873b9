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
import { PlayerControls } from './PlayerControls.tsx';

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

it('without a story, the step buttons are disabled and there is no count', () => {
  // The address names a step before its story is loaded.
  player = createPlayer(createDocumentStore(withStep(defaultDocument(CATALOG), 3)));
  const { container } = render(<PlayerControls player={player} />);
  expect(container.querySelector('.player-count')?.textContent).toBe('');
  for (const name of ['Previous step', 'Next step'])
    expect(screen.getByRole('button', { name }).getAttribute('aria-disabled'), name).toBe('true');
});

describe('the scrubber', () => {
  beforeEach(() => void render(<PlayerControls player={player} />));
  const slider = (): HTMLElement => screen.getByRole('slider', { name: 'Step' });

  it('shows chapter and step', () => {
    expect(slider().getAttribute('aria-valuetext')).toBe('Scan, step 3 of 12');
    expect([slider().getAttribute('aria-valuenow'), slider().getAttribute('aria-valuemax')]).toEqual(['3', '12']);
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
  it('in a story with stops moves by stops with the arrow keys, by steps with Shift, and says where it is', () => {
    act(() => player.load({ ...STORY, stops: [0, 5, 6, 12] }));
    const time = (): string => document.querySelector('.player-time')?.textContent ?? '';
    fireEvent.keyDown(slider(), { key: 'ArrowRight' });
    expect([step(), time()]).toEqual([5, 'stop 2 of 4; Shift + \u2192: one step']);
    fireEvent.keyDown(slider(), { key: 'ArrowLeft', shiftKey: true });
    expect([step(), time()]).toEqual([4, 'stop 1 of 4; Shift + \u2192: one step']);
    fireEvent.keyDown(slider(), { key: 'ArrowLeft' });
    expect(step()).toBe(0);
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
  beforeEach(() => void render(<PlayerControls player={player} />));
  const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));

  it('step buttons move by one step, and Play plays', () => {
    press('Next step');
    expect(step()).toBe(4);
    press('Previous step');
    press('Previous step');
    expect(step()).toBe(2);
    press('Play');
    expect(player.store.getState().playing).toBe(true);
    press('Pause');
    expect(player.store.getState().playing).toBe(false);
  });
  it('the speed field changes the speed', () => {
    fireEvent.change(screen.getByRole('combobox', { name: 'speed' }), { target: { value: '2' } });
    expect(player.store.getState().speed).toBe(2);
  });
});

describe('frames', () => {
  const reason = { text: 'so', facts: [] };
  const FRAMES = [0, 2, 6, 7, 12].map((frameStep, i) => {
    const chapter = ['Scan', 'Scan', 'Scan', 'Pack', 'Ledger'][i];
    const questionFields = i === 2 && { moves: [0, 0], question: { options: ['1', '2'], answer: 0, because: reason } };
    const draw = () => ({ width: 1, height: 1, marks: [] });
    return {
      at: frameStep,
      chapter,
      scriptFrame: {
        id: `frame ${i}`,
        chapter,
        step: frameStep,
        narration: () => reason,
        moves: [0],
        draw,
        ...questionFields,
      },
    };
  });
  let requestedState: boolean | null;

  beforeEach(async () => {
    requestedState = null;
    player = createPlayer(createDocumentStore(defaultDocument(CATALOG)));
    player.load({ ...STORY, frames: FRAMES, restMs: () => 1000 });
    const onSwitch = (on: boolean): void => void (requestedState = on);
    render(
      <PlayerControls player={player} switches={{ secondFormatSwitch: { title: 'CSR', isOn: false, onSwitch } }} />,
    );
    await screen.findByRole('group', { name: 'Frames' });
  });
  const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));
  const count = (): string | null | undefined => document.querySelector('.player-count')?.textContent;

  it('the count names the frame in words, and a question', () => {
    const texts = FRAMES.map((_, i) => {
      act(() => player.goTo(i + 1));
      return count();
    });
    expect(texts).toEqual(['frame 1 of 5', 'frame 2 of 5', 'frame 3 of 5, a question', 'frame 4 of 5', 'frame 5 of 5']);
  });

  it('each frame is a stroke in its chapter, and a button that shows the frame', () => {
    const strokes = (): readonly string[] =>
      [...document.querySelectorAll<HTMLElement>('.frames-stroke')].map(
        ({ title, dataset: { reached } }) => `${title}${reached === undefined ? '' : ', reached'}`,
      );
    expect(strokes()).toEqual([
      'Frame 1, Scan, reached',
      'Frame 2, Scan',
      'Frame 3, Scan, a question',
      'Frame 4, Pack',
      'Frame 5, Ledger',
    ]);
    press('Frame 4, Pack');
    expect([[player.store.getState().frame, step()], strokes()[3]]).toEqual([[4, 7], 'Frame 4, Pack, reached']);
    expect([...document.querySelectorAll('.frames-name')].map(({ textContent }) => textContent)).toEqual([
      'Scan',
      'Pack',
      'Ledger',
    ]);
    expect([...document.querySelectorAll('.frames-stroke[tabindex="0"]')]).toHaveLength(1);
  });

  it('Next frame and Previous frame move by one frame; at a question, Next shows the answer first', () => {
    press('Next frame');
    press('Next frame');
    expect(count()).toBe('frame 3 of 5, a question');
    press('Next frame');
    expect([count(), player.store.getState().picture]).toEqual(['frame 3 of 5, a question', 1]);
    press('Next frame');
    expect(count()).toBe('frame 4 of 5');
    press('Previous frame');
    press('Previous frame');
    expect(count()).toBe('frame 2 of 5');
  });

  it('the speed is visible during playback, if it is not 1, and with every step', () => {
    const speed = (): HTMLSelectElement => screen.getByRole('combobox', { name: 'speed' });
    const isIdle = (): boolean => document.querySelector('.player-speed[data-idle]') !== null;
    expect(isIdle()).toBe(true);
    press('Play');
    expect(isIdle()).toBe(false);
    fireEvent.change(speed(), { target: { value: '2' } });
    press('Pause');
    expect(isIdle()).toBe(false);
    fireEvent.click(screen.getByRole('switch', { name: /every step/ }));
    expect(speed().value).toBe('2');
    fireEvent.change(speed(), { target: { value: '1' } });
    expect(isIdle()).toBe(false);
  });

  it('the switch “every step” replaces frames by steps; the switch “with CSR” requests the other format', () => {
    press('Next frame');
    const switches = (name: RegExp): HTMLElement => screen.getByRole('switch', { name });
    fireEvent.click(switches(/every step/));
    expect(screen.getByRole('slider', { name: 'Step' }).getAttribute('aria-valuenow')).toBe('2');
    fireEvent.click(switches(/every step/));
    expect(count()).toBe('frame 2 of 5');
    fireEvent.click(switches(/with CSR/));
    expect(requestedState).toBe(true);
  });
});

describe('keys of the page', () => {
  let unbind: () => void;
  beforeEach(() => {
    const app = { ...fakeApp(), player };
    const actions = `openFile openMatrixPicker openCommandPalette openAbout openShortcuts openExport
      present share setRunHandler run exportScene focusSelection`;
    const emptyActions = Object.fromEntries(actions.split(/\s+/).map((name) => [name, () => {}]));
    const context = { app, theme: LIGHT, ...emptyActions } as unknown as CommandContext;
    unbind = bindShortcuts(window, commandsOf(context), () => true);
    render(
      <>
        <PlayerControls player={player} />
        <input aria-label="rows" />
        <input aria-label="answer" readOnly value="4" />
        <div role="application" aria-label="matrix" tabIndex={-1} />
      </>,
    );
  });
  afterEach(() => unbind());
  const key = (target: Element, keyName: string, code = keyName): void =>
    void fireEvent.keyDown(target, { key: keyName, code });

  it('play, step and jump from anywhere', () => {
    key(document.body, 'ArrowRight');
    expect(step()).toBe(4);
    key(document.body, 'End');
    expect(step()).toBe(12);
    key(document.body, 'Home');
    key(document.body, ' ', 'Space');
    expect(player.store.getState().playing).toBe(true);
  });
  it('do nothing while the user types', () => {
    for (const keyName of ['ArrowRight', 'End', ' ']) key(screen.getByRole('textbox', { name: 'rows' }), keyName);
    expect([step(), player.store.getState().playing]).toEqual([3, false]);
  });
  it('work in a read-only field', () => {
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
