import type { Command } from '../../../src/kit/command.ts';
import { lazyPart } from '../../../src/kit/browser/lazy-part.ts';
import type { AppPage } from '../../../src/kit/page.ts';
import { pageState } from '../../../src/state/index.ts';
import { LANGUAGE, LANGUAGE_FIELDS, TAB_TITLES, TABS, withTab } from './address.ts';

/** Language, a page of the application: commands, search words, lesson figures, full-screen pictures. */
export const languagePage: AppPage = {
  ...LANGUAGE,
  Page: lazyPart(async () => (await import('./LanguagePage.tsx')).LanguagePage),
  commands: ({ app: { document }, present }) => {
    const command = (id: string, title: string, key: string, run: () => void): Command => ({
      id: `${LANGUAGE.id}-${id}`,
      group: 'Section',
      title,
      keys: [key],
      page: LANGUAGE.id,
      run,
    });
    return [
      ...TABS.map((tab, i) =>
        command(tab, TAB_TITLES[tab], `g ${i + 1}`, () => document.setState(withTab(document.getState(), tab))),
      ),
      command('present', 'Present', 'p', () => present()),
    ];
  },
  paletteEntries: async () => (await import('./palette-entries.ts')).PALETTE_ENTRIES,
  figures: {
    facts: async (document) => (await import('./lesson/facts.ts')).facts(document),
    Figure: lazyPart(async () => (await import('./lesson/LessonFigure.tsx')).LessonFigure),
  },
  shows: {
    has: (doc) => ['text', 'quality'].includes(pageState(doc, LANGUAGE_FIELDS).tab),
    Picture: lazyPart(async () => (await import('./show/LanguageShow.tsx')).LanguageShow),
    Files: lazyPart(async () => (await import('./show/LanguageFiles.tsx')).LanguageFiles),
  },
};
