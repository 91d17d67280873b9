// For tests of readers: the messages with which they reject files.

import { expect } from 'vitest';
import { ReadError } from '../../src/core/errors.ts';
import { readMatrix } from '../../src/io/read.ts';

/** Returns the messages of the ReadErrors that reject these files, one line per file. Fails if a file is read. */
export async function rejections(files: readonly (readonly [name: string, bytes: Uint8Array])[]): Promise<string> {
  const lines: string[] = [];
  for (const [name, bytes] of files) {
    const error: unknown = await readMatrix({ name, bytes }).catch((e: unknown) => e);
    if (!(error instanceof ReadError)) expect.fail(`${name}: found no ReadError`);
    lines.push(error.message);
  }
  return `${lines.join('\n')}\n`;
}

/** Returns the message of the error that `read` throws, which must be a `kind`; 'nothing was wrong' if it does not throw. */
export function rejectionOf(read: () => unknown, kind: new (...given: never[]) => Error = ReadError): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(kind);
    return error instanceof Error ? error.message : '';
  }
  return 'nothing was wrong';
}
