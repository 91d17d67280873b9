// Opens files, and writes what was opened as text, for snapshots of readers.

import { ReadError } from '../../src/core/errors.ts';
import { toDense } from '../../src/core/matrix/index.ts';
import { listTensors, type MatrixFiles, readMatrix, TensorChoiceError } from '../../src/io/read.ts';

/** The contents of one matrix of a file, and the notes about it. */
async function opened(file: MatrixFiles, tensor?: string): Promise<readonly string[]> {
  try {
    const {
      matrix,
      notes,
      format,
      tensor: chosen,
      file: name,
    } = await readMatrix(file, tensor === undefined ? {} : { tensor });
    const { rows, cols, nnz } = matrix;
    const cells = [...toDense(matrix)].map((value) => (Object.is(value, -0) ? '-0' : String(value))).join(' ');
    const what = [
      ...(Array.isArray(file) ? [name] : []),
      format,
      ...(chosen === null ? [] : [chosen]),
      `${rows} × ${cols}, ${nnz} stored`,
    ].join(', ');
    return [`  ${what}: ${cells}`, ...notes.map((note) => `    ${note}`)];
  } catch (error) {
    if (error instanceof TensorChoiceError) return ['  several to choose from'];
    if (error instanceof ReadError) return [`  refused: ${error.message}`];
    throw error;
  }
}

/** The result of opening a file, as lines of text: the matrix that it opens with, and each tensor that it lists. */
async function openingText(file: MatrixFiles): Promise<readonly string[]> {
  const first = await opened(file);
  if (first[0].startsWith('  refused')) return first;
  const { tensors } = await listTensors(file);
  const tensorLines = (tensors ?? []).map(async ({ name, dtype, shape, refused: rejection }) => [
    `  lists ${[name, dtype, ...(shape.length > 0 ? [shape.join(' × ')] : [])].join(', ')}${rejection === null ? '' : `: ${rejection}`}`,
    ...(tensors?.length === 1 ? [] : await opened(file, name)).map((line) => `  ${line}`),
  ]);
  return [...first, ...(await Promise.all(tensorLines)).flat()];
}

/** A file as a reader gets it: its name and its bytes or text. */
export type NamedContent = readonly [name: string, content: string | Uint8Array<ArrayBuffer>];

const bytesOf = (content: NamedContent[1]): Uint8Array<ArrayBuffer> =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

/** The beginning of a text as a JSON string, so that line ends and tabs are visible. */
const shown = (content: NamedContent[1]): string =>
  typeof content === 'string'
    ? ` ${JSON.stringify(content.slice(0, 120)).replaceAll('\ufeff', String.raw`\ufeff`)}`
    : '';

/** The result of opening each of these files, as text. */
export async function openedFiles(files: readonly NamedContent[]): Promise<string> {
  const lines: string[] = [];
  for (const [name, content] of files)
    lines.push(`${name}${shown(content)}`, ...(await openingText({ name, bytes: bytesOf(content) })));
  return `${lines.join('\n')}\n`;
}

/** The results of opening several files together, as text. */
export async function openedTogether(sets: readonly (readonly NamedContent[])[]): Promise<string> {
  const lines: string[] = [];
  for (const files of sets) {
    const together = files.map(([name, content]) => ({ name, bytes: bytesOf(content) }));
    lines.push(files.map(([name]) => name).join(', '), ...(await openingText(together)));
  }
  return `${lines.join('\n')}\n`;
}
