import { smallest } from '../number/statistics.ts';
import type { CodeExcerpt } from './scene.ts';

/** The comment before a line that a story quotes. */
export const MARKER = /^\s*\/\/ step: (\S+)\s*$/;

/**
 * The lines around a marked line of a source text: the line after the comment `// step: NAME` is the current one, with
 * `context` lines before and after it. Marker lines are left out, so `firstLine` is the number of the first line shown
 * as if there were none; the common indentation is removed. Throws RangeError if the marker is missing.
 */
export function excerpt(file: string, source: string, marker: string, context = 1): CodeExcerpt {
  const lines = source.split('\n');
  const found = lines.findIndex((line) => MARKER.exec(line)?.[1] === marker);
  if (found < 0 || found + 1 >= lines.length) {
    throw new RangeError(`${file}: found no line after the comment '// step: ${marker}'`);
  }
  const before = lines.slice(0, found + 1).filter((line) => !MARKER.test(line));
  const after = lines.slice(found + 2).filter((line) => !MARKER.test(line));
  const above = context === 0 ? [] : before.slice(-context);
  const shown = [...above, lines[found + 1], ...after.slice(0, context)];
  const indents = shown.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const indent = smallest(indents);
  return {
    file,
    firstLine: found + 2 - above.length,
    lines: shown.map((line) => line.slice(indent)),
    current: above.length,
    currentLine: found + 2,
  };
}

/**
 * Looks up excerpts of files, given by name with their texts: by file and marker, each made once. Throws RangeError if
 * the marker is missing.
 */
export function excerptsOf<File extends string>(
  sources: Readonly<Record<File, string>>,
): (file: File, marker: string) => CodeExcerpt {
  const made = new Map<string, CodeExcerpt>();
  return (file, marker) => {
    const key = `${file}: ${marker}`;
    const known = made.get(key);
    if (known) return known;
    const code = excerpt(file, sources[file], marker);
    made.set(key, code);
    return code;
  };
}

/** The files among some sources that belong to kernels. */
export function kernelFilesOf(sources: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(sources).filter((file) => file.endsWith('.wgsl'));
}
