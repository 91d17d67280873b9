// Opens custom formats in the page.

import { type AnyListedFormat, defaultParams } from '../../../src/core/format.ts';
import type { matrix } from '../../../src/engine/matrix-service.ts';
import type { App } from '../../../src/kit/app-context.ts';
import { cssName } from '../../../src/kit/format-color.ts';
import type { FormatParams } from '../../../src/state/index.ts';
import { userFormatId } from '../own/user-format-source.ts';
import { formatLibrary } from './format-library.ts';
import { pageSandbox } from './page-sandbox.ts';
import { sandboxedFormat } from './sandboxed-format.ts';

/** The parts of the page that change when a format is opened. */
export type PageStores = Pick<App, 'session' | 'document' | 'engine'> & {
  /** the page's list, to which the format is added */
  readonly formats: readonly AnyListedFormat[];
};

/** The texts of the open formats, by name. */
const openTexts = new Map<string, string>();

/** Whether `reopenChanged` is subscribed to the document. */
let isSubscribed = false;

/**
 * Opens a custom format: runs its code, and adds it to the formats of the page. Resolves with null, or if
 * that failed, with the reason as a message.
 */
export async function openFormat(app: PageStores, name: string, text: string): Promise<string | null> {
  if (openTexts.get(name) === text) return null;
  const opened = await sandboxedFormat(name, text, (module, options) => pageSandbox().evaluate(module, options));
  if ('why' in opened) return `${name} cannot be run: ${opened.why}.`;
  openTexts.set(name, text);
  await addFormat(app, opened.format);
  reopenChanged(app);
  return null;
}

async function addFormat({ session, document, engine, formats }: PageStores, format: AnyListedFormat): Promise<void> {
  const { id } = format;
  const mutableFormats = formats as AnyListedFormat[];
  const index = mutableFormats.findIndex((format) => format.id === id);
  mutableFormats.splice(index < 0 ? mutableFormats.length : index, 1, format);
  await format.sandboxed?.registerWith(engine.service<typeof matrix>('matrix'), null);
  // Black, since the other formats use all colours that differ enough.
  const { style } = window.document.documentElement;
  for (const part of ['', '-text']) style.setProperty(`--format-${cssName(id)}${part}`, 'var(--text)');
  const doc = document.getState();
  // The parameters of the previous text may not exist in this one.
  const params = defaultParams<FormatParams>(format.params);
  const isFormatB = doc.formatB?.format === id; // B: the second of the two shown formats
  document.setState({
    ...doc,
    params: { ...doc.params, [id]: params },
    ...(isFormatB && { formatB: { format: id, params } }),
  });
  if (isFormatB || doc.format === id) session.rebuildStories();
}

/** Opens a format again when the user leaves the page Code after changing its text there. */
function reopenChanged(app: PageStores): void {
  if (isSubscribed) return;
  isSubscribed = true;
  app.document.subscribe(({ view, format, formatB }, before) => {
    if (view === before.view) return;
    for (const [name, text] of openTexts) {
      const isShown = [format, formatB?.format].includes(userFormatId(name));
      const current = formatLibrary().find(name)?.text;
      if (!isShown || current === undefined || current === text || approvedTexts.has(text)) continue;
      void openFormat(app, name, current).then((why) => {
        if (why !== null) app.session.store.setState({ error: why });
      });
    }
  });
}

/** Texts from links that the user agreed to run: a text stored under the same name does not replace them. */
export const approvedTexts = new Set<string>();
