import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SparseScopeError } from '../../src/core/errors.ts';
import { choiceOf, type RecordingIndex } from '../../src/core/reports/recording.ts';
import { checkRecording } from '../../src/core/reports/recording-check.ts';

/** `node scripts/run.mjs bench/recording/ship.ts FILE`: checks a recording that was handed in, and adds it to the site. */

const FOLDER = join('public', 'recordings');

function ship(file: string): void {
  const recording = checkRecording(file, JSON.parse(readFileSync(file, 'utf8')));
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${recording.id}.json`), `${JSON.stringify(recording)}\n`);
  const shipped = readdirSync(FOLDER).filter((name) => name !== 'index.json');
  const recordings = shipped.map((name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8');
    return choiceOf(checkRecording(name, JSON.parse(text)), Buffer.byteLength(text));
  });
  const index: RecordingIndex = {
    schema: 1,
    recordings: recordings.toSorted((a, b) => b.date.localeCompare(a.date) || a.id.localeCompare(b.id)),
  };
  writeFileSync(join(FOLDER, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
  console.log(`${FOLDER}: ${recordings.map(({ id }) => id).join(', ')}`);
}

try {
  const [file] = process.argv.slice(2);
  if (file === undefined) throw new SparseScopeError('found no file, expected the recording.json of npm run record');
  ship(file);
} catch (error) {
  if (!(error instanceof SparseScopeError || error instanceof SyntaxError)) throw error;
  console.error(`ship: ${error.message}`);
  process.exitCode = 2;
}
