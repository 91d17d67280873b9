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

/** Every command and every key has the effect that its title names. */

/** Frames 1 to 6 at these steps: three of 'Scan', two of 'Pack' and one of 'Multiply'. */
const STORY: Story = {
  stepCount: 50,
  chapters: [
    { id: 'scan', title: 'Scan', firstStep: 0, stepCount: 2 },
    { id: 'pack', title: 'Pack', firstStep: 2, stepCount: 41 },
    { id: 'multiply', title: 'Multiply', firstStep: 43, stepCount: 7 },
  ],
  frames: [0, 1, 2, 42, 43, 50].map((at, i) => ({
    at,
    chapter: ['Scan', 'Scan', 'Scan', 'Pack', 'Pack', 'Multiply'][i],
    scriptFrame: null,
  })),
};

type From = 'frame' | 'step';

/** Records calls of the shell and the session with their arguments, instead of executing them. */
function recorder(name: string, texts: string[]): object {
  return new Proxy(
    {},
    {
      get:
        (_, key) =>
        (...args: readonly unknown[]) =>
          void texts.push([`${name}.${String(key)}`, ...args].join(' ')),
    },
  );
}

/** A page at a frame or step of the story, and the recorded calls of commands. */
function page(from: From, at: number) {
  const texts: string[] = [];
  const app = fakeApp();
  app.document.setState((from === 'frame' ? withFrame : withStep)(app.document.getState(), at));
  app.player.load(STORY);
  app.player.setReducedMotion(true); // frames follow at once
  const session = recorder('session', texts);
  // Commands close over what the shell offers, and over the stores.
  const context = new Proxy(
    { app: { ...app, session, cellHistory: recorder('cells', texts) } },
    { get: (target, key) => (key === 'app' ? target.app : Reflect.get(recorder('shell', texts), key)) },
  ) as unknown as CommandContext;
  return {
    app,
    message: texts,
    context,
    /** Where the player is: 'frame 4', 'step 20', 'frame 4, playing'. */
    where(): string {
      const { frame, step, playing } = app.player.store.getState();
      return `${frame === null ? `step ${step}` : `frame ${frame}`}${playing ? ', playing' : ''}`;
    },
  };
}

/** The position of the player after each movement, from a frame or a step. */
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

/** Every key of a player: the same in Watch, in a lesson and in a presentation. */
const KEYS: Readonly<Record<string, string>> = {
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

/** Keys that call something else. */
const CALLS: Readonly<Record<string, string>> = {
  j: 'own.onParagraph 1',
  k: 'own.onParagraph -1',
  ']': 'own.onLesson 1',
  '[': 'own.onLesson -1',
  b: 'own.onBlank',
  '.': 'own.onBlank',
  z: 'own.onPointer',
  q: 'own.onQuestions',
  f: 'own.onFullScreen',
  Escape: 'own.onLeave',
};

/** Keys of Watch that call something else. */
const WATCH_CALLS: Readonly<Record<string, string>> = {
  Escape: 'session.undoEdits',
  '$mod+z': 'cells.undo',
  '$mod+Shift+z': 'cells.redo',
  '$mod+y': 'cells.redo',
};
/** Keys of Watch that change what is drawn, which e2e/bytes.spec.ts checks. */
const DRAWN_KEYS = ['b'];

const LISTS: Readonly<Record<string, (shown: ReturnType<typeof page>) => readonly KeyCommand[]>> = {
  Watch: ({ context }) => commandsOf(context).filter(({ group, id }) => group === 'Animation' && id !== 'present'),
  'a lesson': ({ app, message }) =>
    lessonCommands({ player: app.player, ...recorded(message, ['onParagraph', 'onLesson', 'onPresent']) }),
  'a presentation': ({ app, message }) =>
    presentCommands({
      player: app.player,
      ...recorded(message, ['onBlank', 'onPointer', 'onQuestions', 'onFullScreen', 'onLeave']),
    }),
};

/** Functions that are recorded, by their names. */
function recorded<Name extends string>(texts: string[], names: readonly Name[]) {
  const recorded = recorder('own', texts);
  return Object.fromEntries(names.map((name) => [name, Reflect.get(recorded, name)])) as unknown as Record<
    Name,
    () => void
  >;
}

describe.each(Object.keys(LISTS))('keys of %s', (list) => {
  const keys = LISTS[list](page('frame', 4)).flatMap((command) => command.keys ?? []);

  it.each(keys.filter((key) => key in KEYS))('%s moves the player', (key) => {
    for (const [from, to] of Object.entries(MOVES[KEYS[key]])) {
      const [kind, at] = from.split(' ');
      const shown = page(kind as From, Number(at));
      expect(shown.where()).toBe(from);
      LISTS[list](shown)
        .find((command) => command.keys?.includes(key))
        ?.run();
      expect([from, shown.where(), ...shown.message]).toEqual([from, to]);
    }
  });

  const isDrawn = (key: string): boolean => list === 'Watch' && DRAWN_KEYS.includes(key);
  it.each(keys.filter((key) => !(key in KEYS) && !isDrawn(key)))('%s calls one thing, and moves nothing', (key) => {
    const shown = page('frame', 4);
    LISTS[list](shown)
      .find((command) => command.keys?.includes(key))
      ?.run();
    const p = { 'a lesson': 'own.onPresent', 'a presentation': 'own.onLeave' }[list];
    const expected = list === 'Watch' ? WATCH_CALLS[key] : key === 'p' ? p : CALLS[key];
    expect([shown.where(), ...shown.message]).toEqual(['frame 4', expected]);
  });
});

/** What other commands call, by their ids. */
const EFFECTS: Readonly<Record<string, string>> = {
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
  share: 'shell.share',
  about: 'shell.openAbout',
};

describe('commands', () => {
  const everyCommand = ({ context }: ReturnType<typeof page>): readonly Command[] => [
    ...commandsOf(context).filter(({ group, id }) => group !== 'Animation' || id === 'present'),
    ...GENERAL_ENTRIES.more(context),
  ];
  const run = (id: string) => {
    const shown = page('frame', 4);
    everyCommand(shown)
      .find((command) => command.id === id)
      ?.run();
    return shown;
  };
  const ids = everyCommand(page('frame', 4)).map(({ id }) => id);

  it('commands have distinct ids', () => expect(ids).toEqual([...new Set(ids)]));

  it.each(ids.filter((id) => id in EFFECTS))('%s does one thing', (id) => {
    const shown = run(id);
    expect([shown.where(), ...shown.message]).toEqual(['frame 4', EFFECTS[id]]);
  });

  it.each(PAGES.map(({ id }) => id))('go-%s opens that page', (id) =>
    expect(run(`go-${id}`).message).toEqual([`session.setView ${id}`]),
  );

  it('open each example, item of the selection bar and theme, and none other', () => {
    const { catalog } = fakeApp();
    for (const { id } of catalog.examples) expect(run(`example-${id}`).message).toEqual([`session.openExample ${id}`]);
    for (const theme of THEMES) {
      const { app } = run(`theme-${theme}`);
      expect(app.preferences.store.getState().theme).toBe(theme);
    }
    for (const item of ['pruned', 'a', 'b', 'on', 'tokens']) {
      const shown = run(`word-${item}`);
      expect([requestedItem.getState(), ...shown.message]).toEqual([{ item, part: null }]);
    }
  });

  it('commands of labs change the state of their page, or present', () => {
    for (const command of commandsOf(page('frame', 4).context).filter(({ group }) => group === 'Section')) {
      const shown = page('frame', 4);
      const before = shown.app.document.getState();
      commandsOf(shown.context)
        .find(({ id }) => id === command.id)
        ?.run();
      const isPresent = command.id === `${command.page}-present`;
      expect([command.id, ...shown.message]).toEqual([command.id, ...(isPresent ? ['shell.present'] : [])]);
      if (isPresent) expect(shown.app.document.getState()).toBe(before);
    }
  });

  it('commands are all tried here, but for those that save files', () => {
    const tried = /^(go|example|theme|word)-/;
    const left = ids.filter((id) => !(id in EFFECTS) && !tried.test(id));
    const sections = commandsOf(page('frame', 4).context).filter(({ group }) => group === 'Section');
    expect(left.filter((id) => !sections.some((section) => section.id === id))).toEqual([
      'save-mtx',
      'save-npz',
      'arrays-npz',
      'arrays-safetensors',
    ]);
  });
});
