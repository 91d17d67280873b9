import { MODULE_BOUNDS } from '../theory/bounds.ts';
import { outlineOf } from '../own/outline.ts';
import { inflatedText } from '../library/deflated-text.ts';
import { type LinkedFormat, asMessage, failureText } from '../../../src/state/index.ts';
import type { App } from '../../../src/kit/app-context.ts';
import { approvedTexts, openFormat, type PageStores } from './open-format.ts';
import { formatLibrary } from './format-library.ts';

/**
 * Opens the custom formats that a link names; resolves with a message for each format that could not be opened. Code
 * stored in this browser runs at once; code that the link contains runs once the user has agreed to it.
 */
export async function openFormatsOfLink(app: PageStores, linked: readonly LinkedFormat[]): Promise<readonly string[]> {
  const library = formatLibrary();
  await library.load();
  const problems: string[] = [];
  for (const { id, link } of linked) {
    const name = id.slice(id.indexOf(':') + 1);
    const stored = library.find(name)?.text ?? null;
    try {
      const text = link === null ? stored : await inflatedText(`The format ${name} in the link`, link, MODULE_BOUNDS);
      if (text === null) {
        problems.push(`Link: this browser has no format ${name}; open a link that contains it.`);
      } else if (text !== stored && !approvedTexts.has(text) && !(await askConsent(app, name, text))) {
        problems.push(`${outlineOf(text).title ?? name} was not run, so it is not shown.`);
      } else {
        const why = await openFormat(app, name, text);
        if (why !== null) problems.push(asMessage(why));
      }
    } catch (error) {
      problems.push(failureText(error, `Opening the format ${name}`));
    }
  }
  return problems;
}

/** Asks the user whether the code in a link may be run. */
function askConsent({ session: { store } }: Pick<App, 'session'>, name: string, text: string): Promise<boolean> {
  store.getState().pendingConsent?.answer(false);
  return new Promise((resolve) => {
    const answer = (agrees: boolean): void => {
      store.setState({ pendingConsent: null });
      if (agrees) approvedTexts.add(text);
      resolve(agrees);
    };
    store.setState({ pendingConsent: { name, text, answer } });
  });
}
