import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildOf } from './plugin.ts';

it('lists the files of a site, of which models are cached on first use, and distinguishes builds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  try {
    mkdirSync(join(folder, 'models/tales'), { recursive: true });
    mkdirSync(join(folder, '.vite'));
    for (const path of ['index.html', 'a.js', 'offline.js', '.vite/manifest.json', 'models/tales/config.json'])
      writeFileSync(join(folder, path), path);
    const { version, files, first } = buildOf(folder);
    expect(files).toEqual(['a.js', '', 'models/tales/config.json']);
    expect(first).toEqual(['a.js', '']);
    expect(buildOf(folder).version).toBe(version);
    writeFileSync(join(folder, 'models/tales/config.json'), 'another');
    expect(buildOf(folder).version).not.toBe(version);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
