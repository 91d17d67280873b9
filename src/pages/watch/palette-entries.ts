import type { App } from '../../kit/app-context.ts';
import type { Command } from '../../kit/command.ts';
import type { PagePaletteEntries } from '../../kit/page.ts';
import { detailsCommands } from '../../kit/details-commands.ts';
import { pageState, SPEEDS, withPage } from '../../state/index.ts';
import { WATCH, WATCH_FIELDS } from './address.ts';
import { DETAILS } from './details/WatchDetails.tsx';
import { chooseFormat, playStory } from './play-story.ts';

const DETAILS_SEARCH_WORDS: Readonly<Record<(typeof DETAILS)[number]['id'], string>> = {
  bytes: 'padding, overhead, memory, metadata, index, values, footprint, storage',
  step: 'source code, algorithm, line, typescript',
  tables: 'numbers, accessible, screen reader, arrays',
};

function storiesAndPapers(app: App): readonly Command[] {
  const stories = app.formats.flatMap((format) => (format.headline ? [{ format, ...format.headline }] : []));
  return [
    ...stories.map(({ format, name, does }): Command => ({
      id: `story-${format.id}`,
      group: 'Story',
      title: `${name} ${does}`,
      leadsTo: WATCH.title,
      run: () => void playStory(app, format),
    })),
    ...stories.flatMap(({ format: { id, source }, name }): readonly Command[] =>
      source === null
        ? []
        : [
            {
              id: `paper-${id}`,
              group: 'Paper',
              title: source.title,
              searchWords: `${name}, arxiv, pdf, ${source.authors}`,
              leadsTo: new URL(source.url).host,
              run: () => void window.open(source.url, '_blank', 'noopener'),
            },
          ],
    ),
  ];
}

/** Entries of the command palette for the page Watch: details sections, stories, papers, formats and commands. */
export const PALETTE_ENTRIES: PagePaletteEntries = {
  searchWords:
    'animation, stage, story, step by step, how it works, layout, encode, visualise, visualize, picture, home',
  description: 'how a format stores the matrix, byte by byte',
  // Only listed here: the cells of the picture handle these keys.
  keys: {
    title: 'In the picture',
    rows: [
      { title: 'From cell to cell', keys: ['↑', '↓', '←', '→'] },
      { title: 'Set or clear the cell', keys: ['Enter'] },
      { title: 'Leave', keys: ['Esc'] },
    ],
  },
  // By the ids of commands with keys, of this page (page.ts) and of its player (kit/stage/player-commands.ts).
  searchWordsOf: {
    play: 'start, stop, animate, animation',
    present: 'presentation, slides, full screen, beamer, projector, talk',
    'every-step': 'all steps, details, key frames',
    'undo-edits': 'change, modify, reset, set, clear, back',
    next: 'forward',
    previous: 'back',
  },
  more({ app, exportScene, openExport }) {
    const { session, player, formats, document } = app;
    const animation = (id: string, title: string, searchWords: string, run: () => void): Command => ({
      id,
      group: 'Animation',
      title,
      searchWords,
      run,
    });
    return [
      ...storiesAndPapers(app),
      ...detailsCommands(DETAILS, DETAILS_SEARCH_WORDS, WATCH.title, () => {
        const doc = document.getState();
        // 'later' leaves the first screen, which has no details sections.
        document.setState(withPage(doc, WATCH_FIELDS, { ...pageState(doc, WATCH_FIELDS), visit: 'later' }));
      }),
      ...formats.map((format): Command => ({
        id: `format-${format.id}`,
        group: 'Format',
        title: format.title,
        searchWords: [
          format.searchWords,
          format.group,
          format.headline?.name,
          format.headline?.does,
          format.source?.authors,
        ].join(' '),
        description: format.shortSummary,
        leadsTo: WATCH.title,
        run() {
          session.setView(WATCH.id);
          chooseFormat(app, format);
        },
      })),
      animation(
        'export',
        'Embed or export',
        'download, iframe, png, svg, pdf, gif, film, images, figure, share, sheet',
        openExport,
      ),
      animation('png', 'Save this step as PNG', 'export, download, image, picture, screenshot, figure', () =>
        exportScene('png'),
      ),
      animation('svg', 'Save this step as SVG', 'export, download, image, vector, figure, latex', () =>
        exportScene('svg'),
      ),
      ...SPEEDS.map((speed) =>
        animation(`speed-${speed}`, `Speed ${speed}×`, `${speed}x, faster, slower`, () => player.setSpeed(speed)),
      ),
    ];
  },
};
