// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { localRunners, starterText } from '../test/own-runner.ts';
import { fakeApp } from '../../../test/page.ts';
import type { AnyListedFormat } from '../../../src/core/format.ts';
import { deflatedText } from '../library/deflated-text.ts';
import { decodeHash, withSource } from '../../../src/state/index.ts';
import { openLinkedFormats } from '../../../src/app/open-linked-formats.ts';
import { openFormatsOfLink } from './open-linked-formats.ts';

/** The texts of the saved formats by name, and the texts that the sandbox has run. */
const { savedTexts, evaluated } = vi.hoisted(() => ({
  savedTexts: new Map<string, string>(),
  evaluated: [] as string[],
}));

vi.mock('./format-library.ts', () => ({
  formatLibrary: () => ({
    load: async () => {},
    find: (id: string) => (savedTexts.has(id) ? { text: savedTexts.get(id) } : undefined),
  }),
}));
vi.mock('./page-sandbox.ts', () => ({
  pageSandbox: () => ({
    evaluate: (text: string) => {
      evaluated.push(text);
      return { ...localRunners(text), end() {} };
    },
  }),
}));

function pageAt(query: string) {
  const formats: AnyListedFormat[] = [...fakeApp().formats];
  const app = fakeApp();
  const provider = { open: openFormatsOfLink, CustomFormatList: () => null, ConsentDialog: () => null };
  const page = { ...app, formats, catalog: { ...app.catalog, formats }, provider };
  const hash = `#2/watch?${query}`;
  const problems = (): readonly string[] => page.session.store.getState().problems;
  return {
    ...page,
    problems,
    open: (isCurrent?: () => boolean) =>
      openLinkedFormats(page, decodeHash(hash, page.catalog).missingFormats ?? [], hash, isCurrent),
    isOpen: (id: string) => formats.some((format) => format.id === id),
    question: () => page.session.store.getState().pendingConsent,
  };
}

/** Opens the formats that an address names, and answers the question about one; nothing runs before the answer. */
async function openAndAnswer(page: ReturnType<typeof pageAt>, about: object, answer: boolean): Promise<void> {
  const opening = page.open();
  await eventually(() => expect(page.question()).toBeTruthy());
  expect(page.question()).toMatchObject(about);
  expect(evaluated).toEqual([]);
  page.question()?.answer(answer);
  await opening;
}

beforeEach(() => {
  savedTexts.clear();
  evaluated.length = 0;
});
afterEach(() => vi.clearAllMocks());

describe('custom formats that an address names', () => {
  it('run at once if they are saved in this browser', async () => {
    savedTexts.set('kept', starterText('coo'));
    const page = pageAt('a=mine:kept');
    await page.open();
    expect([page.problems(), page.isOpen('mine:kept')]).toEqual([[], true]);
    expect(page.document.getState().format).toBe('mine:kept');
  });

  it('are reported if they are missing, without affecting others', async () => {
    const page = pageAt('a=mine:nobody&b=csr&tokens=3');
    await page.open();
    expect(page.problems()).toEqual(['Link: this browser has no format nobody; open a link that contains it.']);
    expect([evaluated, page.isOpen('mine:nobody')]).toEqual([[], false]);
  });

  it('are run from a link only once the user agrees', async () => {
    const text = `${starterText('csr')}// of a link`;
    const page = pageAt(`b=mine:sent&own-format.b=${await deflatedText(text)}`);
    await openAndAnswer(page, { name: 'sent', text }, true);
    expect(evaluated).toContain(text);
    expect([page.isOpen('mine:sent'), page.document.getState().formatB?.format]).toEqual([true, 'mine:sent']);
    expect(page.question()).toBeNull();
  });

  it('are not run if the user declines', async () => {
    const page = pageAt(`a=mine:left&own-format.a=${await deflatedText(`${starterText('csr')}// left`)}`);
    await openAndAnswer(page, {}, false);
    expect([evaluated, page.problems()]).toEqual([[], ['CSR was not run, so it is not shown.']]);
  });

  it('need consent if a link has another text under a saved name', async () => {
    const text = `${starterText('dia')}// another`;
    savedTexts.set('twice', starterText('coo'));
    const page = pageAt(`a=mine:twice&own-format.a=${await deflatedText(text)}`);
    await openAndAnswer(page, { text }, true);
    expect(page.formats.find(({ id }) => id === 'mine:twice')?.title).toBe('DIA');
  });

  it.each(['page', 'matrix', 'link'])('are opened without replacing a %s that was chosen meanwhile', async (what) => {
    savedTexts.set(what, starterText('coo'));
    const page = pageAt(`a=mine:${what}`);
    const { document } = page;
    let isCurrent = true;
    const opening = page.open(() => isCurrent);
    const before = document.getState();
    if (what === 'page') page.session.setView('measure');
    if (what === 'matrix') document.setState(withSource(before, { kind: 'example', id: 'wide' }));
    isCurrent = what !== 'link';
    const chosen = document.getState();
    await opening;
    expect([page.problems(), page.isOpen(`mine:${what}`)]).toEqual([[], true]);
    const format = what === 'page' ? 'mine:page' : before.format;
    expect(document.getState()).toMatchObject({ source: chosen.source, view: chosen.view, format });
  });

  it('are reported if the page cannot open custom formats', async () => {
    savedTexts.set('kept', starterText('coo'));
    const page = pageAt('a=mine:kept');
    const missing = [{ id: 'mine:kept', link: null }];
    await openLinkedFormats({ ...page, provider: undefined }, missing, '#2/watch?a=mine:kept');
    expect(page.problems()).toEqual([
      'Link: found the format mine:kept, which this page cannot open; expected one it has.',
    ]);
    expect(evaluated).toEqual([]);
  });

  it.each([
    ['own-format.a=%%%', 'broken'],
    ['own-format.a=AAAA', 'The format broken in the link'],
  ])('report what is wrong with a link: %s', async (query, message) => {
    const page = pageAt(`a=mine:broken&${query}`);
    await page.open();
    expect(page.problems().join(' ')).toContain(message);
    expect(evaluated).toEqual([]);
  });

  it('report why a text cannot be run', async () => {
    savedTexts.set('faulty', 'export const title = ;');
    const page = pageAt('a=mine:faulty');
    await page.open();
    expect(page.problems()).toEqual([expect.stringMatching(/^faulty cannot be run: .*SyntaxError/i)]);
  });
});
