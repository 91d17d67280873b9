import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArgumentError, readArguments, runProgram } from '../../scripts/command-line.ts';
import { entryOf, type Recording, type RecordingIndex } from '../../src/core/reports/recording.ts';
import { checkRecording } from '../../src/core/reports/recording-check.ts';
import { withSitting } from './pack-recording.ts';

/**
 * `node scripts/run.mjs bench/recording/ship.ts FILE [ID]`: checks a contributed recording, and adds it to the site. With
 * the ID of an existing one, such as h200@2026-11-22, its reports are added to that one.
 */

const FOLDER = join('public', 'recordings');

/** Writes a checked recording into the folder of the site, and the index of all recordings there. */
function ship(file: string, existingId: string | undefined): void {
  const read = (path: string): Recording => checkRecording(path, JSON.parse(readFileSync(path, 'utf8')));
  const contributed = read(file);
  const recording =
    existingId === undefined ? contributed : withSitting(read(join(FOLDER, `${existingId}.json`)), contributed);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${recording.id}.json`), `${JSON.stringify(recording)}\n`);
  const shipped = readdirSync(FOLDER).filter((name) => name !== 'index.json');
  const recordings = shipped.map((name) => {
    const text = readFileSync(join(FOLDER, name), 'utf8');
    return entryOf(checkRecording(name, JSON.parse(text)), Buffer.byteLength(text));
  });
  const index: RecordingIndex = {
    schema: 1,
    // Among recordings of one day, the card that reads faster comes first.
    recordings: recordings.toSorted(
      (a, b) => b.date.localeCompare(a.date) || (b.roofs.readBandwidthGBps ?? 0) - (a.roofs.readBandwidthGBps ?? 0),
    ),
  };
  writeFileSync(join(FOLDER, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
  console.log(`${FOLDER}: ${recordings.map(({ id }) => id).join(', ')}`);
}

const USAGE = `Usage: node scripts/run.mjs bench/recording/ship.ts FILE [ID]

Checks a contributed recording, the recording.json of npm run record, and adds it to the site; with the ID of an
existing one, such as h200@2026-11-22, its reports are added to that one.`;

await runProgram('ship', USAGE, (argv) => {
  const [file, existingId, ...others] = readArguments({}, argv).operands;
  if (file === undefined) throw new ArgumentError('found no file, expected the recording.json of npm run record');
  if (others.length > 0) throw new ArgumentError(`found '${others[0]}' beside a file and an ID, expected nothing more`);
  try {
    ship(file, existingId);
  } catch (error) {
    // No file, no JSON, or a recording of another device.
    const isInput =
      error instanceof SyntaxError || error instanceof RangeError || (error instanceof Error && 'code' in error);
    if (isInput) throw new ArgumentError(`${file}: ${error.message}`);
    throw error;
  }
  return 0;
});
