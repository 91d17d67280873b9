/** The names that a WGSL text declares at module scope, and which of given names it uses. */

const COMMENT = /\/\/.*$|\/\*[\s\S]*?\*\//gm;
const DIRECTIVE = /^\s*(?:enable|requires|diagnostic)\b[^;]*;/gm;
/** A word, with its prefix if that shows that it is not a name of module scope. */
const WORD = /[@.]?\b[A-Za-z_]\w*/g;
/** The name of a declaration without its attributes. */
const DECLARED = /^(?:@[^;{]*?\s)?(?:fn|struct|const|alias|override|var(?:\s*<[^>]*>)?)\s+(\w+)/;
/** Names that a declaration contains: local variables, parameters, and members of a struct. */
const LOCAL = /\b(?:let|var|const)\s+(\w+)|(\w+)\s*:(?!:)/g;

/** A clause of a switch, whose colon declares nothing. */
const CASE = /\bcase\b[^:{]*:/g;

export interface Declaration {
  readonly name: string;
  readonly text: string;
}

/** The declarations at module scope, in their order, without comments. */
export function declarations(code: string): readonly Declaration[] {
  const bare = code.replaceAll(COMMENT, '').replaceAll(DIRECTIVE, '');
  const result: Declaration[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: mark, index } of bare.matchAll(/[{}();]/g)) {
    if (mark === '{' || mark === '(') depth++;
    else if (mark !== ';') depth--;
    const ends = depth === 0 && (mark === ';' || mark === '}');
    if (!ends) continue;
    const text = bare.slice(start, index + 1).trim();
    start = index + 1;
    if (text === ';') continue;
    // Attributes may be on separate lines.
    const name = DECLARED.exec(text.replaceAll(/@\w+(?:\([^)]*\))?\s*/g, ''))?.[1];
    if (name === undefined) throw new SyntaxError(`found '${text.slice(0, 60)}', expected a declaration`);
    result.push({ name, text });
  }
  return result;
}

/**
 * The words of a text that may be names of module scope: without attributes, members after a dot, and names declared by
 * the same declaration: parameters, local variables, members of a struct.
 */
export function usedNames(code: string): ReadonlySet<string> {
  const used = new Set<string>();
  for (const { name, text } of declarations(code)) {
    const declaredNames = new Set([name]);
    // Expressions between 'case' and its colon are used, not declared.
    for (const [, variable, typed] of text.replaceAll(CASE, '').matchAll(LOCAL)) declaredNames.add(variable ?? typed);
    for (const [word] of text.matchAll(WORD)) {
      if (!/^[@.]/.test(word) && !declaredNames.has(word)) used.add(word);
    }
  }
  return used;
}
