import { expect, test } from 'vitest';
import { manifestOf } from './build-lib.mjs';

test('package.json of the package names its addresses where the project has one', () => {
  const project = { name: 'a', version: '1.0.0', devDependencies: { vite: '8' }, scripts: { start: 'node' } };
  expect(manifestOf(project)).not.toHaveProperty('repository');
  expect(manifestOf({ ...project, repository: '' })).not.toHaveProperty('bugs');
  const manifest = manifestOf({ ...project, repository: 'https://example.org/a' });
  expect(manifest).toMatchObject({
    homepage: 'https://example.org/a#readme',
    bugs: 'https://example.org/a/issues',
    repository: { type: 'git', url: 'git+https://example.org/a.git' },
  });
  expect(manifest).not.toHaveProperty('devDependencies');
  expect(manifest).not.toHaveProperty('scripts');
});
