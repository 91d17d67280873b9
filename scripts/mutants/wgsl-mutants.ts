// Mutants of WGSL texts for mutation testing.

/** A mutant of a WGSL text: the text with one small fault in it. */
export interface Mutant {
  readonly line: number;
  /** the part that is changed, and its replacement; '' for a dropped statement */
  readonly before: string;
  readonly after: string;
  readonly text: string;
}

/** Operators and their mutants. Only operators between spaces count, so the brackets of `array<f32>` are none. */
const SWAPS: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '+',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '==': '!=',
  '!=': '==',
  '&&': '||',
  '||': '&&',
  '>>': '<<',
  '<<': '>>',
  '&': '|',
  '|': '&',
  '+=': '-=',
  '>>=': '<<=',
};
const OPERATOR = / (\S{1,3}) (?=\S)/g;
/** A whole number that is no part of a name or of a fraction. */
const WHOLE = /(?<![\w.])(\d+)(u?)(?![\w.])/g;
/** Statements that can be dropped: assignments, calls and barriers. Others are needed to compile, or to end a loop. */
const STATEMENT = /^\s+(?!(?:let|var|const|return|break|continue|struct)\b)[\w(*&][^{}]*;$/;
/** Lines that get no mutants: declarations, without which a text does not compile, and comments. */
const FIXED = /^\s*(?:@|override\b|enable\b|requires\b|struct\b|fn\b|alias\b|\/\/)/;

/** Every mutant of a WGSL text: operators swapped, whole numbers one more and one less, statements dropped. */
export function mutantsOf(text: string): readonly Mutant[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    if (FIXED.test(line)) return [];
    const code = line.replace(/\s*\/\/.*$/, '');
    const changed = (at: number, before: string, after: string): Mutant => {
      const put = line.slice(0, at) + after + line.slice(at + before.length);
      return { line: i + 1, before, after, text: lines.with(i, put).join('\n') };
    };
    const swapped = [...code.matchAll(OPERATOR)].flatMap(({ index, 1: operator }) =>
      Object.hasOwn(SWAPS, operator) ? [changed(index + 1, operator, SWAPS[operator])] : [],
    );
    const counted = [...code.matchAll(WHOLE)].flatMap(({ index, 0: found, 1: digits, 2: suffix }) =>
      [1, -1]
        .map((step) => Number(digits) + step)
        .filter((number) => number >= 0)
        .map((number) => changed(index, found, `${number}${suffix}`)),
    );
    const dropped = STATEMENT.test(code) ? [changed(line.indexOf(code.trim()), code.trim(), '')] : [];
    return [...swapped, ...counted, ...dropped];
  });
}
