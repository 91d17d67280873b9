import type { Command } from '../../kit/command.ts';
import type { PagePaletteEntries } from '../../kit/page.ts';
import { limits } from '../../formats/limits.ts';
import { withPage } from '../../state/index.ts';
import { CODE, CODE_FIELDS } from './address.ts';

/** Entries of the command palette for the page Code: the page, and every kernel with what limits its speed. */
export const PALETTE_ENTRIES: PagePaletteEntries = {
  searchWords: 'wgsl, shader, source, kernel code, program, gpu code, compute shader, cuda',
  description: 'the kernels, as the GPU gets them',
  more: ({ app: { document, formats } }) =>
    formats.flatMap((format) =>
      format.kernels.map(({ id, title, operation, features }): Command => ({
        id: `kernel-${id}`,
        group: 'Kernel',
        title: id,
        searchWords: [format.title, operation, ...features].join(' '),
        description: limits[id] ? `${title}. ${limits[id].says}` : title,
        leadsTo: CODE.title,
        run: () => document.setState(withPage(document.getState(), CODE_FIELDS, { kernel: id })),
      })),
    ),
};
