import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { Tag, tags } from '@lezer/highlight';
import type { ArrayClass } from '../../../../own/element-type.ts';

const KEYWORDS = new Set(
  'export const let var function return for of in if else while do break continue switch case default new typeof null undefined true false class throw try catch finally async await yield'.split(
    ' ',
  ),
);

const BYTES: Readonly<Record<ArrayClass, Tag>> = {
  values: Tag.define(),
  indices: Tag.define(),
  metadata: Tag.define(),
};

const OPENS: ReadonlySet<string> = new Set('([{');
const CLOSES = /^[)\]}]/;

interface OpenBracket {
  /** indentation of the line that opens it */
  readonly indent: number;
  readonly outer: OpenBracket | null;
}

interface Inside {
  isComment: boolean;
  isTemplate: boolean;
  bracket: OpenBracket | null;
}

/** The class of an array, by its name in the module. */
type ClassOf = (name: string) => ArrayClass | undefined;

/** JavaScript as modules of formats use it: keywords, texts, comments, and arrays by what they hold; and indentation. */
export function moduleLanguage(classOf: ClassOf): LanguageSupport {
  const language = StreamLanguage.define<Inside>({
    name: 'format',
    startState: () => ({ isComment: false, isTemplate: false, bracket: null }),
    copyState: (state) => ({ ...state }),
    token(stream, state) {
      if (state.isComment) {
        if (stream.skipTo('*/')) {
          stream.match('*/');
          state.isComment = false;
        } else stream.skipToEnd();
        return 'comment';
      }
      if (state.isTemplate) {
        if (stream.match(/^(?:\\.|[^`\\])*`/)) state.isTemplate = false;
        else stream.skipToEnd();
        return 'string';
      }
      if (stream.eatSpace()) return null;
      if (stream.match('//')) {
        stream.skipToEnd();
        return 'comment';
      }
      if (stream.match('/*')) {
        state.isComment = true;
        return 'comment';
      }
      if (stream.match(/^(?:'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?)/)) return 'string';
      if (stream.match('`')) {
        state.isTemplate = !stream.match(/^(?:\\.|[^`\\])*`/);
        if (state.isTemplate) stream.skipToEnd();
        return 'string';
      }
      if (stream.match(/^\d[\w.]*/)) return 'number';
      const found = stream.match(/^[A-Za-z_$][\w$]*/);
      const name = found && found !== true ? found[0] : null;
      if (name === null) {
        const sign = stream.next() ?? '';
        if (OPENS.has(sign)) state.bracket = { indent: stream.indentation(), outer: state.bracket };
        else if (CLOSES.test(sign)) state.bracket = state.bracket?.outer ?? null;
        return null;
      }
      if (KEYWORDS.has(name)) return 'keyword';
      return classOf(name) ?? 'variableName';
    },
    tokenTable: { ...BYTES },
    indent({ isComment, isTemplate, bracket }, textAfter, { unit }) {
      if (isComment || isTemplate) return null;
      if (bracket === null) return 0;
      return CLOSES.test(textAfter) ? bracket.indent : bracket.indent + unit;
    },
    languageData: {
      indentOnInput: /^\s*[)\]}]$/,
      commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
      closeBrackets: {},
    },
  });
  return new LanguageSupport(language, syntaxHighlighting(COLOURS));
}

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, fontWeight: '600' },
  { tag: [tags.comment, tags.string], color: 'var(--text-muted)' },
  { tag: tags.number, color: 'inherit' },
  { tag: BYTES.values, color: 'var(--values-text)' },
  { tag: BYTES.indices, color: 'var(--indices-text)' },
  { tag: BYTES.metadata, color: 'var(--metadata-text)' },
]);
