import { test } from '../../../e2e/fixtures.ts';
import { expectPagesFit } from '../../../e2e/page-fits.ts';

test.use({ reducedMotion: 'reduce', hasRecordings: true, details: '' });

test('in Training nothing is cut and nothing lies over other words, also with its drawer open', async ({ app }) => {
  await expectPagesFit(app, [['Training', '#2/train', '.answer-line[aria-busy="false"]']]);
});
