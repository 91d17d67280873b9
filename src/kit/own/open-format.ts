import { type AnyListedFormat, defaultParams } from '../../core/format.ts';
import type { matrix } from '../../engine/matrix-service.ts';
import type { FormatParams } from '../../state/index.ts';
import type { App } from '../app-context.ts';
import { cssName } from '../format-color.ts';
import { ownId } from '../../own/source.ts';
import { sandboxedFormat } from './sandboxed-format.ts';
import { formatLibrary } from './format-library.ts';
import { pageSandbox } from './page-sandbox.ts';

export type Stores = Pick<App, 'session' | 'document' | 'engine'> & {
  /** the list that the whole page has: the format is added to it */
  readonly formats: readonly AnyListedFormat[];
};

/** The texts of the formats that are open, by name. */
const open = new Map<string, string>();

/** Follows the places: a text that was changed in Code is another format when it is looked at elsewhere. */
let follows = false;

/**
 * Runs a text, and adds it to the formats of the page under its name. Resolves with why that failed, as a sentence; null
 * where it did not.
 */
export async function openFormat(app: Stores, name: string, text: string): Promise<string | null> {
  if (open.get(name) === text) return null;
  const opened = await sandboxedFormat(name, text, (module, options) => pageSandbox().evaluate(module, options));
  if ('why' in opened) return `${name} cannot be run: ${opened.why}.`;
  open.set(name, text);
  await add(app, opened.format);
  follow(app);
  return null;
}

async function add({ session, document, engine, formats }: Stores, format: AnyListedFormat): Promise<void> {
  const { id } = format;
  const all = formats as AnyListedFormat[];
  const at = all.findIndex((one) => one.id === id);
  all.splice(at < 0 ? all.length : at, 1, format);
  await format.sandboxed?.sendTo(engine.service<typeof matrix>('matrix'), null);
  // Ink: no further colour is far enough from those of the others.
  const { style } = window.document.documentElement;
  for (const part of ['', '-text']) style.setProperty(`--format-${cssName(id)}${part}`, 'var(--text)');
  const doc = document.getState();
  // The parameters of the text before may be no parameters of this one.
  const params = defaultParams<FormatParams>(format.params);
  const isB = doc.against?.format === id;
  document.setState({
    ...doc,
    params: { ...doc.params, [id]: params },
    ...(isB && { against: { format: id, params } }),
  });
  if (isB || doc.format === id) session.narrateAgain();
}

function follow(app: Stores): void {
  if (follows) return;
  follows = true;
  app.document.subscribe(({ view, format, against }, before) => {
    if (view === before.view) return;
    for (const [name, text] of open) {
      const isShown = [format, against?.format].includes(ownId(name));
      const kept = formatLibrary().find(name)?.text;
      if (!isShown || kept === undefined || kept === text || linked.has(text)) continue;
      void openFormat(app, name, kept).then((why) => {
        if (why !== null) app.session.store.setState({ error: why });
      });
    }
  });
}

/** Texts that came by a link: they stay what they are, whatever this browser keeps under their name. */
export const linked = new Set<string>();
