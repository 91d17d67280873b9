import { lazyPart, registerPart } from '../../kit/browser/lazy-part.ts';
import type { Overlay } from '../../kit/page.ts';

const keys = async () => (await import('./present-keys.ts')).PRESENT_KEYS;
registerPart(keys); // loaded ahead of use, like the pages: the keys then work without a network

/** The presentation, which covers the page, and the export dialog. */
export const present: Overlay = {
  id: 'present',
  title: 'The presentation',
  Page: lazyPart(async () => (await import('./Present.tsx')).Present),
  dialogs: {
    export: {
      title: 'The export',
      Page: lazyPart(async () => (await import('./ExportDialog.tsx')).ExportDialog),
    },
  },
  keys,
};
