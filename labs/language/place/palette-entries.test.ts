import { expect, it } from 'vitest';
import { fakeApp } from '../../../test/page.ts';
import type { CommandContext } from '../../../src/kit/command.ts';
import { LANGUAGE_FIELDS } from './address.ts';
import { PALETTE_ENTRIES } from './palette-entries.ts';
import { isModelsDialogOpen } from './models-dialog.ts';

it('to bring a model leads to the place, with the list of models open', () => {
  const app = fakeApp();
  const [bring] = PALETTE_ENTRIES.more({ app } as unknown as CommandContext);
  expect([bring.title, isModelsDialogOpen.getState()]).toEqual(['Bring a model that writes', false]);
  bring.run();
  expect(app.document.getState().view).toBe(LANGUAGE_FIELDS.id);
  expect(isModelsDialogOpen.getState()).toBe(true);
});
