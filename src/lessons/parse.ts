import { type Block, type FigureRef, type Inline, type Lesson, LessonError } from './lesson.ts';
import { namesIn, numberText } from './expression.ts';
import { isFigureAddress, isPageAddress, WATCH_ADDRESS } from './figure-address.ts';

/** Required fields. `afterwards`: what a reader can then do; `needs`: prerequisites. Optional: `also`, search words. */
const FIELDS = ['title', 'minutes', 'afterwards', 'needs'] as const;

/** Parses a lesson (CONTRIBUTING.md). `file`: '3-small-gaps.md' is lesson 3, small-gaps. Throws LessonError. */
export function parseLesson(file: string, text: string): Lesson {
  const named = /^(\d+)-([a-z0-9-]+)\.md$/.exec(file);
  if (!named) throw new LessonError(`lesson: found '${file}', expected a name such as 3-small-gaps.md`);
  const [, order, id] = named;
  const { head, body } = splitHead(file, text);
  const [title, minutes, afterwards, needs] = FIELDS.map((field) => {
    const value = head.get(field);
    if (!value) throw new LessonError(`${file}: found no ${field}, expected '${field}: ...'`);
    return value;
  });
  if (!/^[1-9]\d?$/.test(minutes)) throw new LessonError(`${file}: found minutes '${minutes}', expected 1 to 99`);
  const reader = new BodyReader(file, text.split('\n').length - body.length);
  body.forEach((line) => reader.line(line));
  const { blocks, sources } = reader.end();
  const numbers = { order: Number(order), minutes: Number(minutes) };
  return { id, ...numbers, title, afterwards, needs, also: head.get('also'), blocks, sources };
}

/** The fields between the two lines of dashes, and the lines that follow. */
export function splitHead(file: string, text: string): { head: ReadonlyMap<string, string>; body: readonly string[] } {
  const lines = text.split('\n');
  const end = lines.indexOf('---', 1);
  if (lines[0] !== '---' || end < 0) {
    throw new LessonError(`${file}:1: found '${lines[0]}', expected fields between two lines of ---`);
  }
  const head = new Map<string, string>();
  lines.slice(1, end).forEach((line, i) => {
    const field = /^([a-z]+): (.+)$/.exec(line);
    if (!field) throw new LessonError(`${file}:${i + 2}: found '${line}', expected 'name: value'`);
    head.set(field[1], field[2].trim());
  });
  return { head, body: lines.slice(end + 1) };
}

/** Parses the lines below the fields of a lesson, one after the other. */
class BodyReader {
  readonly #file: string;
  #lineNumber: number;
  readonly #blocks: Block[] = [];
  readonly #sources: (readonly Inline[])[] = [];
  #paragraph: string[] = [];
  #heading: string | null = null;
  #figure: FigureRef | null = null;
  #more: string | null = null;
  #atSources = false;

  constructor(file: string, linesBefore: number) {
    this.#file = file;
    this.#lineNumber = linesBefore;
  }

  line(line: string): void {
    this.#lineNumber++;
    const text = line.trim();
    const directive = /^@(\w+)\s*(.*)$/.exec(text);
    const heading = /^## (.+)$/.exec(text);
    if (text === '' || directive || heading) this.#endParagraph();
    if (directive) this.#directive(directive[1], directive[2]);
    else if (heading) this.#heading = heading[1];
    else if (this.#atSources && text.startsWith('- ')) this.#sources.push(parseInline(text.slice(2)));
    else if (text !== '') this.#paragraph.push(text);
  }

  end(): { blocks: readonly Block[]; sources: readonly (readonly Inline[])[] } {
    this.#endParagraph();
    if (this.#heading !== null) this.#fail(`the heading '${this.#heading}'`, 'a paragraph below it');
    return { blocks: this.#blocks, sources: this.#sources };
  }

  #directive(name: string, rest: string): void {
    switch (name) {
      case 'figure':
        this.#figure = { address: this.#address(rest), step: null };
        return;
      case 'step':
        if (!/^(?:\d+|end|[a-z-]+(?:\+\d+)?|cell \d+,\d+|frame [a-z\d ]+)$/.test(rest))
          this.#fail(`@step ${rest}`, "'7', 'end', 'pack', 'pack+3', 'cell 0,5' or 'frame first weight'");
        this.#figure = { ...this.#needFigure(), step: rest };
        return;
      case 'predict': {
        const [question, address, ...more] = rest.split(/\s+/);
        if (!address || more.length > 0) this.#fail(`@predict ${rest}`, 'a question and an address of Watch');
        const figure = { address: this.#address(address), step: null };
        const before = this.#blocks.filter((b) => b.kind === 'prediction' && b.question === question).length;
        const key = before === 0 ? question : `${question}-${before + 1}`;
        this.#blocks.push({ kind: 'prediction', ...this.#takeCommonFields(figure), question, key });
        return;
      }
      case 'exercise':
        if (!/^[1-9]\d?$/.test(rest)) this.#fail(`@exercise ${rest}`, 'the number of an exercise, such as @exercise 1');
        this.#blocks.push({ kind: 'exercise', ...this.#takeCommonFields(this.#needFigure()), exercise: rest });
        return;
      case 'more':
        if (rest === '') this.#fail('@more', 'what the cards below are, such as @more More claims of MACKO');
        this.#more = rest;
        return;
      case 'sources':
        this.#atSources = true;
        return;
      default:
        this.#fail(`@${name}`, '@figure, @step, @predict, @exercise, @more or @sources');
    }
  }

  #address(text: string): string {
    if (isFigureAddress(text) || isPageAddress(text)) return text;
    return this.#fail(`'${text}'`, `an address of Watch, from '${WATCH_ADDRESS}' on, or of a figure of another page`);
  }

  #needFigure(): FigureRef {
    return this.#figure ?? this.#fail('no figure yet', '@figure and an address before the first paragraph');
  }

  /** The fields that every block has. Takes the heading, which belongs only to the block after it. */
  #takeCommonFields(figure: FigureRef): Pick<Block, 'n' | 'heading' | 'appendixTitle' | 'figure'> {
    const heading = this.#heading;
    const more = this.#more;
    this.#heading = null;
    // Blocks after @more are in cards, each a heading with its paragraphs, so the first one needs a heading.
    if (heading === null && more !== (this.#blocks.at(-1)?.appendixTitle ?? null))
      this.#fail(`a paragraph below '@more ${more}'`, 'a heading above it');
    return { n: this.#blocks.length + 1, heading, appendixTitle: more, figure };
  }

  #endParagraph(): void {
    if (this.#paragraph.length === 0) return;
    const text = this.#paragraph.join(' ');
    this.#paragraph = [];
    this.#blocks.push({ kind: 'paragraph', ...this.#takeCommonFields(this.#needFigure()), inline: parseInline(text) });
  }

  #fail(found: string, expected: string): never {
    throw new LessonError(`${this.#file}:${this.#lineNumber}: found ${found}, expected ${expected}`);
  }
}

const INLINE = /\*\*([^*]+)\*\*|`([^`]+)`|\{([^}]+)\}|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** Parses **strong**, `code`, {number of the figure}, {density from 0.1 to 0.6 by 0.05}, [words](address or term). */
export function parseInline(text: string): readonly Inline[] {
  const pieces: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index) });
    from = match.index + match[0].length;
    const [, strong, code, expression, words, href] = match;
    if (strong !== undefined) pieces.push({ kind: 'strong', text: strong });
    else if (code !== undefined) pieces.push({ kind: 'code', text: code });
    else if (expression !== undefined) pieces.push(parseDraggable(expression) ?? { kind: 'number', expression });
    else if (href.startsWith('glossary:'))
      pieces.push({ kind: 'term', text: words, term: href.slice(9).replaceAll('-', ' ') });
    else pieces.push({ kind: 'link', text: words, href });
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
}

/** Parses a number that can be dragged, 'density from 0.1 to 0.6 by 0.05'; null for a computed one. */
function parseDraggable(text: string): Inline | null {
  const match = /^(\w+) from ([\d.]+) to ([\d.]+)(?: by ([\d.]+))?$/.exec(text.trim());
  if (!match) return null;
  const [, name, min, max, by = '1'] = match;
  return { kind: 'drag', name, min: Number(min), max: Number(max), by: Number(by) };
}

/** The text of a paragraph; … for numbers that depend on a figure. */
export function plainText(inline: readonly Inline[]): string {
  return inline.map((piece) => ('text' in piece ? piece.text : (constantNumber(piece) ?? '…'))).join('');
}

/** The text of a number that depends on no figure; null for one that does. */
function constantNumber(piece: Inline): string | null {
  if (piece.kind !== 'number' || namesIn(piece.expression).length > 0) return null;
  return numberText(piece.expression, () => Number.NaN);
}
