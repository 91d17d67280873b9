import { RUNS_ALL, test } from '../../../e2e/fixtures.ts';
import { expectPagesFit } from '../../../e2e/page-fits.ts';

test.use({ reducedMotion: 'reduce', hasRecordings: true, details: '' });

const READY = '.answer-line[aria-busy="false"], .answer-text';

test('in no part of Language anything is cut or lies over other words, also with its drawer open', async ({ app }) => {
  await expectPagesFit(app, [
    ['Language', '#2/language', READY],
    // These are made of the same parts.
    ...(RUNS_ALL ? ['quality', 'neurons', 'speed'] : []).map((tab) => [tab, `#2/language/${tab}`, READY] as const),
  ]);
});
