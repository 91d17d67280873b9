import { smallest } from '../core/number/statistics.ts';
import type { CodeExcerpt } from './scene.ts';

/** The comment before a line that a story quotes, `// step: NAME`, with its marker NAME. */
export const MARKER = /^\s*\/\/ step: (\S+)\s*$/;

/**
 * The line after the comment with this marker in a source text, which is the current line, with the lines before and
 * after. Comments with markers and the common indentation are omitted; line numbers count back from the current line's
 * number in the file. Throws RangeError if the marker is missing.
 */
export function excerpt(file: string, source: string, marker: string): CodeExcerpt {
  const lines = source.split('\n');
  const markerLine = lines.findIndex((line) => MARKER.exec(line)?.[1] === marker);
  if (markerLine < 0 || markerLine + 1 >= lines.length) {
    throw new RangeError(`${file}: found no line after the comment '// step: ${marker}'`);
  }
  const isShown = (line: string): boolean => !MARKER.test(line);
  const above = lines.slice(0, markerLine).filter(isShown).slice(-1);
  const below = lines
    .slice(markerLine + 2)
    .filter(isShown)
    .slice(0, 1);
  const shown = [...above, lines[markerLine + 1], ...below];
  const indents = shown.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const indent = smallest(indents);
  return {
    file,
    firstLine: markerLine + 2 - above.length,
    lines: shown.map((line) => line.slice(indent)),
    current: above.length,
    currentLine: markerLine + 2,
  };
}

/**
 * A function that returns the `excerpt` for a file and a marker, and makes each once. `sources`: texts by file name.
 * Throws RangeError if the marker is missing.
 */
export function excerptsOf<File extends string>(
  sources: Readonly<Record<File, string>>,
): (file: File, marker: string) => CodeExcerpt {
  const excerpts = new Map<string, CodeExcerpt>();
  return (file, marker) => {
    const key = `${file}: ${marker}`;
    const cached = excerpts.get(key);
    if (cached) return cached;
    const code = excerpt(file, sources[file], marker);
    excerpts.set(key, code);
    return code;
  };
}

/** The names of the WGSL files among these sources. */
export function kernelFilesOf(sources: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(sources).filter((file) => file.endsWith('.wgsl'));
}
