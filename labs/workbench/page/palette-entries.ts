import type { Command } from '../../../src/kit/command.ts';
import type { PagePaletteEntries } from '../../../src/kit/page.ts';
import { PALETTE_ENTRIES as KERNEL_ENTRIES } from '../../../src/pages/code/palette-entries.ts';
import { withPage } from '../../../src/state/index.ts';
import { exercisePath, exercises } from '../exercises/index.ts';
import { userFormatAddress, WORKBENCH, type WorkbenchFields, WORKBENCH_FIELDS } from './address.ts';
import { exerciseAddress, FORMAT_EXERCISES } from './own/exercises/format-exercises.ts';

/** Entries of the command palette (Ctrl K) for the page Code: its sections, the exercises, and every kernel. */
export const PALETTE_ENTRIES: PagePaletteEntries = {
  searchWords: `${KERNEL_ENTRIES.searchWords}, edit, editor, playground, write`,
  description: 'kernels and formats of your own',
  more(context) {
    const { document } = context.app;
    const openFields = (fields: Partial<WorkbenchFields>) => () =>
      document.setState(withPage(document.getState(), WORKBENCH_FIELDS, fields));
    const command = (
      fields: Pick<Command, 'id' | 'group' | 'title' | 'searchWords' | 'run'> & { readonly description?: string },
    ): Command => ({ ...fields, leadsTo: WORKBENCH.title });
    return [
      command({
        id: 'code-edit',
        group: 'Section',
        title: 'Change a kernel and race it',
        searchWords: 'edit, modify, draft, optimise, optimize, tune, custom, my own',
        run: openFields({}),
      }),
      command({
        id: 'code-memory',
        group: 'Section',
        title: 'What a kernel loads, in lines of 128 bytes',
        searchWords: 'memory accesses, coalescing, coalesced, cache lines, sectors, trace, bank conflict, strided',
        run: openFields({ part: 'memory' }),
      }),
      command({
        id: 'code-own',
        group: 'Section',
        title: 'Write a format of your own',
        searchWords: 'custom, new, define, invent, javascript, coo, dia, sell, hyb, run length, dictionary',
        run: openFields(userFormatAddress()),
      }),
      ...exercises.map(({ id, title, summary }) =>
        command({
          id: `exercise-${id}`,
          group: 'Exercise',
          title,
          searchWords: 'practice, write a kernel, task',
          description: summary,
          run: openFields({ kernel: exercisePath(id) }),
        }),
      ),
      ...FORMAT_EXERCISES.map(({ id, title }) =>
        command({
          id: `own-exercise-${id}`,
          group: 'Exercise',
          title,
          searchWords: 'practice, write a format, task',
          run: openFields(exerciseAddress(id)),
        }),
      ),
      ...KERNEL_ENTRIES.more(context),
    ];
  },
};
