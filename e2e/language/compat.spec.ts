import { test } from '../fixtures.ts';
import { expectChoices } from '../stored-choices.ts';

test('the page knows the choices in addresses of version 0.2.0', async ({ page }) => {
  await expectChoices(page, ['language']);
});
