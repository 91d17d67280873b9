import { expect } from 'vitest';
import { ReadError } from '../../src/core/errors.ts';
import { readMatrix } from '../../src/io/read.ts';

/** The whole message that rejects each of these files, a line for each. */
export async function rejections(files: readonly (readonly [name: string, bytes: Uint8Array])[]): Promise<string> {
  const lines: string[] = [];
  for (const [name, bytes] of files) {
    const error: unknown = await readMatrix({ name, bytes }).catch((e: unknown) => e);
    if (!(error instanceof ReadError)) expect.fail(`${name}: found no ReadError`);
    lines.push(error.message);
  }
  return `${lines.join('\n')}\n`;
}

/** The message with which a reader, or a function with another kind of error, rejects its input; 'nothing was wrong' if it does not. */
export function rejectionOf(read: () => unknown, kind: new (...given: never[]) => Error = ReadError): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(kind);
    return error instanceof Error ? error.message : '';
  }
  return 'nothing was wrong';
}
