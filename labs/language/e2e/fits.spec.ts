// Layout of Language: no text is cut off or covered.

import { RUNS_ALL, test } from '../../../e2e/fixtures.ts';
import { expectPagesFit } from '../../../e2e/page-fits.ts';

test.use({ reducedMotion: 'reduce', hasRecordings: true, details: '' });

const READY = '.answer-line[aria-busy="false"], .answer-text';

test('no text of Language is cut off or covered, with its details sections closed or open', async ({ app }) => {
  await expectPagesFit(app, [
    ['Language', '#2/language', READY],
    // The other tabs consist of the same components, so they are tested only when all tests run.
    ...(RUNS_ALL ? ['quality', 'neurons', 'speed'] : []).map((tab) => [tab, `#2/language/${tab}`, READY] as const),
  ]);
});
