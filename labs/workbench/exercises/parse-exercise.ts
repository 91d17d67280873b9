// Reads an exercise from its two files.

import { LessonError, type Inline } from '../../../src/lessons/lesson.ts';
import { parseInline, splitHead } from '../../../src/lessons/parse.ts';
import type { Exercise } from './exercise.ts';

/**
 * Required fields in the head of an exercise's text. kernel: id of the kernel to write. goal: share of the GPU's read
 * speed to reach. unfinished: what the initial code lacks, shown when a reader runs it unchanged.
 */
const FIELDS = ['title', 'about', 'kernel', 'params', 'matrix', 'goal', 'unfinished'] as const;

/** A part of a kernel that the reader writes: its initial lines, commented out, then its solution. */
const PART = /^ *\/\/ START.*\n((?: *\/\/.*\n)*?) *\/\/ SOLUTION\n([^]*?) *\/\/ END\n/gm;

/**
 * Parses an exercise from `text`, its Markdown file, and `code`, its WGSL file. `file`: the name of the Markdown file,
 * which begins with the exercise's number, as '1-a-lane-for-every-row.md' does. Throws LessonError.
 */
export function parseExercise(file: string, text: string, code: string): Exercise {
  const [, id] = /^(\d+)-[a-z0-9-]+\.md$/.exec(file) ?? [];
  if (id === undefined) throw new LessonError(`exercise: found '${file}', expected a name such as 1-a-lane.md`);
  const { head, body } = splitHead(file, text);
  const [title, summary, kernel, params, matrix, goalText, unfinished] = FIELDS.map((field) => {
    const value = head.get(field);
    if (value === undefined) throw new LessonError(`${file}: found no ${field}, expected '${field}: ...'`);
    return value;
  });
  const values = Object.fromEntries(params.split(', ').map((pair) => pairOf(file, pair)));
  const goal = Number(goalText);
  if (!(goal > 0 && goal < 1)) throw new LessonError(`${file}: found goal '${goalText}', expected a share such as 0.5`);

  const start = code.replace(PART, (_, lines: string) => lines.replace(/^( *)\/\/ ?/gm, '$1'));
  if (start === code) throw new LessonError(`${file}: found no part to write in its kernel, expected // START`);
  const sections = sectionsOf(file, body);
  return {
    id,
    title,
    summary,
    kernel,
    params: values,
    matrix,
    goal,
    needs: head.get('needs') ?? '',
    unfinished,
    task: sections.task,
    hints: sections.hints,
    aboutSolution: sections.solution,
    start,
    solution: code.replace(PART, '$2'),
  };
}

function pairOf(file: string, text: string): readonly [string, string] {
  const [, name, value] = /^(\w+)=(\w+)$/.exec(text) ?? [];
  if (name === undefined) throw new LessonError(`${file}: found params '${text}', expected name=value`);
  return [name, value];
}

type Paragraphs = readonly (readonly Inline[])[];

/** The task (the text before the first hint), the hints, and the explanation of the solution. */
function sectionsOf(
  file: string,
  lines: readonly string[],
): { readonly task: Paragraphs; readonly hints: readonly Paragraphs[]; readonly solution: Paragraphs } {
  const [first, ...rest] = lines.join('\n').split(/^@/m);
  const hints: Paragraphs[] = [];
  let solution: Paragraphs = [];
  for (const section of rest) {
    const [, name, text] = /^(\w+)\s*\n([^]*)$/.exec(section) ?? ['', section.trim(), ''];
    const paragraphs = paragraphsOf(text);
    if (name === 'hint' && paragraphs.length > 0) hints.push(paragraphs);
    else if (name === 'solution') solution = paragraphs;
    else throw new LessonError(`${file}: found @${name}, expected @hint or @solution with a text below it`);
  }
  const task = paragraphsOf(first);
  if (task.length === 0 || hints.length === 0 || solution.length === 0) {
    throw new LessonError(`${file}: expected a task, at least one @hint, and @solution`);
  }
  return { task, hints, solution };
}

function paragraphsOf(text: string): Paragraphs {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim().replaceAll(/\s+/g, ' '))
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => parseInline(paragraph));
}
