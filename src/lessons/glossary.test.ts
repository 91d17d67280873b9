import { expect, it } from 'vitest';
import { parseGlossary } from './index.ts';

it('parseGlossary reads terms, each once and with a meaning', () => {
  expect([...parseGlossary('g', '# Terms\n\n## a\n\nOne\ntwo.\n\n## b\n\nalso: c, d\n\nThree.')]).toEqual([
    ['a', { meaning: 'One two.', also: '' }],
    ['b', { meaning: 'Three.', also: 'c, d' }],
  ]);
  expect(() => parseGlossary('g', '## a\n\nalso: b\n')).toThrow("found nothing below 'a'");
  expect(() => parseGlossary('g', '## a\n\n## b\n\nx')).toThrow("found nothing below 'a'");
  expect(() => parseGlossary('g', '## a\n\nx\n\n## a\n\ny')).toThrow("found 'a' twice");
});
