import { describe, expect, it } from 'vitest';
import { fakeApp } from '../../test/page.ts';
import type { Command, CommandContext, KeyCommand } from '../kit/command.ts';
import { lessonCommands } from '../pages/learn/lesson-keys.ts';
import { presentCommands } from '../pages/present/present-keys.ts';
import { withFrame, withStep } from '../state/document.ts';
import { THEMES } from '../state/index.ts';
import type { Story } from '../state/played-story.ts';
import { commandsOf } from './commands.ts';
import { GENERAL_ENTRIES } from './palette/general-entries.ts';
import { PAGES } from './pages.ts';
import { requestedItem } from './selection/requested-item.ts';

/** Checks that every command and every key has the effect that its title names. */

/** A story with 50 steps and six frames: three in the chapter 'Scan', two in 'Pack' and one in 'Multiply'. */
const STORY: Story = {
  stepCount: 50,
  chapters: [
    { id: 'scan', title: 'Scan', firstStep: 0, stepCount: 2 },
    { id: 'pack', title: 'Pack', firstStep: 2, stepCount: 41 },
    { id: 'multiply', title: 'Multiply', firstStep: 43, stepCount: 7 },
  ],
  frames: [0, 1, 2, 42, 43, 50].map((step, i) => ({
    at: step,
    chapter: ['Scan', 'Scan', 'Scan', 'Pack', 'Pack', 'Multiply'][i],
    scriptFrame: null,
  })),
};

/** What the player shows: a frame, or a single step between frames. */
type PositionKind = 'frame' | 'step';

/**
 * An object that has the properties of `properties` and every other method. Calling such a method only appends
 * 'name.method arguments' to `calls`.
 */
function recorder(name: string, calls: string[], properties: object = {}): object {
  return new Proxy(properties, {
    get: (_, key) =>
      Reflect.get(properties, key) ??
      ((...args: readonly unknown[]) => void calls.push([`${name}.${String(key)}`, ...args].join(' '))),
  });
}

/** A page whose player is at a frame or step of the story, with the recorded calls of commands. */
function page(kind: PositionKind, position: number) {
  const calls: string[] = [];
  const app = fakeApp();
  app.document.setState((kind === 'frame' ? withFrame : withStep)(app.document.getState(), position));
  app.player.load(STORY);
  app.player.setReducedMotion(true); // frames follow at once
  const openSession = { store: { getState: () => ({ summary: { name: 'fc2' } }) } };
  const session = recorder('session', calls, openSession);
  // Commands call methods of the shell, and use the stores in `app`.
  const context = new Proxy(
    { app: { ...app, session, cellHistory: recorder('cells', calls) } },
    { get: (target, key) => (key === 'app' ? target.app : Reflect.get(recorder('shell', calls), key)) },
  ) as unknown as CommandContext;
  return {
    app,
    calls,
    context,
    /** The position of the player: 'frame 4', 'step 20', 'frame 4, playing'. */
    position(): string {
      const { frame, step, playing } = app.player.store.getState();
      return `${frame === null ? `step ${step}` : `frame ${frame}`}${playing ? ', playing' : ''}`;
    },
  };
}

/** For each movement, the position of the player before and after it. */
const MOVES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  toggle: {
    'frame 4': 'frame 4, playing',
    'frame 6': 'frame 1, playing',
    'step 20': 'step 20, playing',
    'step 50': 'step 0, playing',
  },
  next: { 'frame 4': 'frame 5', 'frame 6': 'frame 6', 'step 20': 'step 21', 'step 50': 'step 50' },
  previous: { 'frame 4': 'frame 3', 'frame 1': 'frame 1', 'step 20': 'step 19', 'step 0': 'step 0' },
  nextChapter: {
    'frame 2': 'frame 4',
    'frame 4': 'frame 6',
    'frame 6': 'frame 6',
    'step 20': 'step 44', // the first of its 7 steps is taken there
    'step 44': 'step 50',
  },
  previousChapter: {
    'frame 5': 'frame 4',
    'frame 4': 'frame 1',
    'frame 1': 'frame 1',
    'step 20': 'step 3',
    'step 3': 'step 0',
  },
  first: { 'frame 4': 'frame 1', 'frame 1': 'frame 1', 'step 20': 'step 0', 'step 0': 'step 0' },
  last: { 'frame 4': 'frame 6', 'frame 6': 'frame 6', 'step 20': 'step 50', 'step 50': 'step 50' },
  everyStep: { 'frame 4': 'step 42', 'step 20': 'frame 3', 'step 42': 'frame 4' },
};

/** The keys that move the player, in Watch, in a lesson and in a presentation, with the movement in MOVES. */
const MOVE_KEYS: Readonly<Record<string, string>> = {
  Space: 'toggle',
  ArrowRight: 'next',
  ArrowDown: 'next',
  PageDown: 'next',
  ArrowLeft: 'previous',
  ArrowUp: 'previous',
  PageUp: 'previous',
  'Shift+ArrowRight': 'nextChapter',
  'Shift+ArrowLeft': 'previousChapter',
  Home: 'first',
  End: 'last',
  e: 'everyStep',
};

/** Keys of a lesson or presentation that call a function of their page, with the recorded call. */
const PAGE_CALLS: Readonly<Record<string, string>> = {
  j: 'page.onParagraph 1',
  k: 'page.onParagraph -1',
  ']': 'page.onLesson 1',
  '[': 'page.onLesson -1',
  b: 'page.onBlank',
  '.': 'page.onBlank',
  z: 'page.onPointer',
  q: 'page.onQuestions',
  f: 'page.onFullScreen',
  Escape: 'page.onLeave',
};

/** Keys of Watch that call the session or the history of cells, with the recorded call. */
const WATCH_CALLS: Readonly<Record<string, string>> = {
  Escape: 'session.undoEdits',
  '$mod+z': 'cells.undo',
  '$mod+Shift+z': 'cells.redo',
  '$mod+y': 'cells.redo',
};
/** Keys of Watch that change the drawing; e2e/bytes.spec.ts checks them. */
const DRAWING_KEYS = ['b'];

/** The key commands of each page with a player. */
const COMMANDS_BY_PAGE: Readonly<Record<string, (tested: ReturnType<typeof page>) => readonly KeyCommand[]>> = {
  Watch: ({ context }) => commandsOf(context).filter(({ group, id }) => group === 'Animation' && id !== 'present'),
  'a lesson': ({ app, calls }) =>
    lessonCommands({ player: app.player, ...recordedFunctions(calls, ['onParagraph', 'onLesson', 'onPresent']) }),
  'a presentation': ({ app, calls }) =>
    presentCommands({
      player: app.player,
      ...recordedFunctions(calls, ['onBlank', 'onPointer', 'onQuestions', 'onFullScreen', 'onLeave']),
    }),
};

/** Functions with these names; a call appends 'page.name arguments' to `calls`. */
function recordedFunctions<Name extends string>(calls: string[], names: readonly Name[]) {
  const pageRecorder = recorder('page', calls);
  return Object.fromEntries(names.map((name) => [name, Reflect.get(pageRecorder, name)])) as unknown as Record<
    Name,
    () => void
  >;
}

describe.each(Object.keys(COMMANDS_BY_PAGE))('keys of %s', (pageName) => {
  const press = (tested: ReturnType<typeof page>, key: string): void =>
    COMMANDS_BY_PAGE[pageName](tested)
      .find((command) => command.keys?.includes(key))
      ?.run();
  const keys = COMMANDS_BY_PAGE[pageName](page('frame', 4)).flatMap((command) => command.keys ?? []);

  it.each(keys.filter((key) => key in MOVE_KEYS))('%s moves the player', (key) => {
    for (const [before, after] of Object.entries(MOVES[MOVE_KEYS[key]])) {
      const [kind, position] = before.split(' ');
      const tested = page(kind as PositionKind, Number(position));
      expect(tested.position()).toBe(before);
      press(tested, key);
      expect(tested.position(), `from ${before}`).toBe(after);
      expect(tested.calls).toEqual([]);
    }
  });

  const changesDrawing = (key: string): boolean => pageName === 'Watch' && DRAWING_KEYS.includes(key);
  it.each(keys.filter((key) => !(key in MOVE_KEYS) && !changesDrawing(key)))(
    '%s makes one call, and does not move the player',
    (key) => {
      const tested = page('frame', 4);
      press(tested, key);
      const callOfP = { 'a lesson': 'page.onPresent', 'a presentation': 'page.onLeave' }[pageName];
      const expected = pageName === 'Watch' ? WATCH_CALLS[key] : key === 'p' ? callOfP : PAGE_CALLS[key];
      expect(tested.calls).toEqual([expected]);
      expect(tested.position()).toBe('frame 4');
    },
  );
});

/** The recorded call of each other command, by the command's id. */
const COMMAND_CALLS: Readonly<Record<string, string>> = {
  subject: 'shell.focusSelection',
  swap: 'session.swap',
  open: 'shell.openFile',
  palette: 'shell.openCommandPalette',
  shortcuts: 'shell.openShortcuts',
  run: 'shell.run',
  present: 'shell.present',
  choose: 'shell.openMatrixPicker',
  generate: 'shell.openMatrixPicker generate',
  type: 'shell.openMatrixPicker type',
  web: 'shell.openMatrixPicker web',
  config: 'shell.openMatrixPicker config',
  examples: 'shell.openMatrixPicker examples',
  'a-alone': 'session.setAgainst ',
  'save-mtx': 'session.matrixFile mtx',
  'save-npz': 'session.matrixFile npz',
  'arrays-npz': 'session.encodingFile macko npz',
  'arrays-safetensors': 'session.encodingFile macko safetensors',
  share: 'shell.share',
  about: 'shell.openAbout',
};

describe('commands', () => {
  const everyCommand = ({ context }: ReturnType<typeof page>): readonly Command[] => [
    ...commandsOf(context).filter(({ group, id }) => group !== 'Animation' || id === 'present'),
    ...GENERAL_ENTRIES.more(context),
  ];
  /** Runs a command on a new page. */
  const run = (id: string) => {
    const tested = page('frame', 4);
    everyCommand(tested)
      .find((command) => command.id === id)
      ?.run();
    return tested;
  };
  const ids = everyCommand(page('frame', 4)).map(({ id }) => id);

  it('all commands have distinct ids', () => expect(ids).toEqual([...new Set(ids)]));

  it.each(ids.filter((id) => id in COMMAND_CALLS))('%s makes one call, and does not move the player', (id) => {
    const tested = run(id);
    expect(tested.calls).toEqual([COMMAND_CALLS[id]]);
    expect(tested.position()).toBe('frame 4');
  });

  it.each(PAGES.map(({ id }) => id))('go-%s opens that page', (id) =>
    expect(run(`go-${id}`).calls).toEqual([`session.setView ${id}`]),
  );

  it.each(fakeApp().catalog.examples.map(({ id }) => id))('example-%s opens that example', (id) =>
    expect(run(`example-${id}`).calls).toEqual([`session.openExample ${id}`]),
  );

  it.each(THEMES)('theme-%s sets that theme', (theme) =>
    expect(run(`theme-${theme}`).app.preferences.store.getState().theme).toBe(theme),
  );

  it.each(['pruned', 'a', 'b', 'on', 'tokens'])('word-%s opens that item of the selection bar', (item) => {
    const { calls } = run(`word-${item}`);
    expect(requestedItem.getState()).toEqual({ item, part: null });
    expect(calls).toEqual([]);
  });

  it('a command of a lab changes the state of its page, or presents', () => {
    for (const command of commandsOf(page('frame', 4).context).filter(({ group }) => group === 'Section')) {
      const tested = page('frame', 4);
      const before = tested.app.document.getState();
      commandsOf(tested.context)
        .find(({ id }) => id === command.id)
        ?.run();
      const isPresent = command.id === `${command.page}-present`;
      expect(tested.calls, command.id).toEqual(isPresent ? ['shell.present'] : []);
      if (isPresent) expect(tested.app.document.getState()).toBe(before);
    }
  });

  it('the tests above run all commands', () => {
    const testedFamilies = /^(go|example|theme|word)-/;
    const remaining = ids.filter((id) => !(id in COMMAND_CALLS) && !testedFamilies.test(id));
    const sections = commandsOf(page('frame', 4).context).filter(({ group }) => group === 'Section');
    expect(remaining.filter((id) => !sections.some((section) => section.id === id))).toEqual([]);
  });
});
