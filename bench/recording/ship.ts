import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SparseScopeError } from '../../src/core/errors.ts';
import { entryOf, type Recording, type RecordingIndex } from '../../src/core/reports/recording.ts';
import { checkRecording } from '../../src/core/reports/recording-check.ts';
import { withSitting } from './pack-recording.ts';

/**
 * `node scripts/run.mjs bench/recording/ship.ts FILE [ID]`: checks a recording that was handed in, and adds it to the site. With
 * the ID of an existing one, such as h200@2026-11-22, its reports are added to that one.
 */

const FOLDER = join('public', 'recordings');

function ship(file: string, into: string | undefined): void {
  const read = (path: string): Recording => checkRecording(path, JSON.parse(readFileSync(path, 'utf8')));
  const handedIn = read(file);
  const recording = into === undefined ? handedIn : withSitting(read(join(FOLDER, `${into}.json`)), handedIn);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${recording.id}.json`), `${JSON.stringify(recording)}\n`);
  const shipped = readdirSync(FOLDER).filter((name) => name !== 'index.json');
  const recordings = shipped.map((name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8');
    return entryOf(checkRecording(name, JSON.parse(text)), Buffer.byteLength(text));
  });
  const index: RecordingIndex = {
    schema: 1,
    // Of those of one day, the card that reads faster comes first.
    recordings: recordings.toSorted(
      (a, b) => b.date.localeCompare(a.date) || (b.roofs.readBandwidthGBps ?? 0) - (a.roofs.readBandwidthGBps ?? 0),
    ),
  };
  writeFileSync(join(FOLDER, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
  console.log(`${FOLDER}: ${recordings.map(({ id }) => id).join(', ')}`);
}

try {
  const [file, into] = process.argv.slice(2);
  if (file === undefined) throw new SparseScopeError('found no file, expected the recording.json of npm run record');
  ship(file, into);
} catch (error) {
  if (!(error instanceof SparseScopeError || error instanceof SyntaxError || error instanceof RangeError)) throw error;
  console.error(`ship: ${error.message}`);
  process.exitCode = 2;
}
