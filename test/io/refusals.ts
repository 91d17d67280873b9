import { expect } from 'vitest';
import { ReadError } from '../../src/core/errors.ts';
import { readMatrix } from '../../src/io/read.ts';

/** The whole sentence by which each of these files is refused, a line for each. */
export async function refusals(files: readonly (readonly [name: string, bytes: Uint8Array])[]): Promise<string> {
  const lines: string[] = [];
  for (const [name, bytes] of files) {
    const error: unknown = await readMatrix({ name, bytes }).catch((e: unknown) => e);
    if (!(error instanceof ReadError)) expect.fail(`${name}: found no ReadError`);
    lines.push(error.message);
  }
  return `${lines.join('\n')}\n`;
}

/** The sentence by which a reader, or what throws another kind of error, refuses what it is given; 'nothing was wrong' where it takes it. */
export function refusalOf(read: () => unknown, kind: new (...given: never[]) => Error = ReadError): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(kind);
    return error instanceof Error ? error.message : '';
  }
  return 'nothing was wrong';
}
