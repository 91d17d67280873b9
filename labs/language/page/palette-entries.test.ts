// Entries of the command palette for Language.

import { expect, it } from 'vitest';
import { fakeApp } from '../../../test/page.ts';
import type { CommandContext } from '../../../src/kit/command.ts';
import { LANGUAGE_FIELDS } from './address.ts';
import { PALETTE_ENTRIES } from './palette-entries.ts';
import { isModelsDialogOpen } from './models-dialog.ts';

it('the palette entry to import a model opens the page Language with the list of models', () => {
  const app = fakeApp();
  const [bring] = PALETTE_ENTRIES.more({ app } as unknown as CommandContext);
  expect([bring.title, isModelsDialogOpen.getState()]).toEqual(['Import a model that writes', false]);
  bring.run();
  expect(app.document.getState().view).toBe(LANGUAGE_FIELDS.id);
  expect(isModelsDialogOpen.getState()).toBe(true);
});
