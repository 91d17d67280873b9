// Addresses of Language that version 0.2.0 wrote keep their meaning.

import { test } from '../../../e2e/fixtures.ts';
import { expectChoices } from '../../../e2e/stored-choices.ts';

test('the page knows the choices in addresses of version 0.2.0', async ({ page }) => {
  await expectChoices(page, ['language']);
});
