import { messageOf } from '../src/core/errors.ts';
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { ArgumentError } from './arguments.ts';

/**
 * Opens a file that will be written after minutes of measuring, without changing it. Throws ArgumentError if it cannot
 * be written.
 */
export function checkOutput(option: string, path: string): void {
  const isNew = !existsSync(path);
  try {
    closeSync(openSync(path, 'a'));
    if (isNew) rmSync(path);
  } catch (error) {
    const why = messageOf(error);
    throw new ArgumentError(`${option}: found '${path}', expected a file that can be written (${why})`);
  }
}
