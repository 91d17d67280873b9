// Layout of Training: no text is cut off or covered.

import { test } from '../../../e2e/fixtures.ts';
import { expectPagesFit } from '../../../e2e/page-fits.ts';

test.use({ reducedMotion: 'reduce', hasRecordings: true, details: '' });

test('no text of Training is cut off or covered, with its details sections closed or open', async ({ app }) => {
  await expectPagesFit(app, [['Training', '#2/train', '.answer-line[aria-busy="false"]']]);
});
