import type { LanguageSupport } from '@codemirror/language';
import type { ArrayClass } from '../../../../../core/declared/element-type.ts';
import { bracketLanguage } from '../../editor/bracket-language.ts';

const KEYWORDS = new Set(
  'export const let var function return for of in if else while do break continue switch case default new typeof null undefined true false class throw try catch finally async await yield'.split(
    ' ',
  ),
);

/** Tokenizer states: inside a comment, inside a template string. */
const COMMENT = 1;
const TEMPLATE = 2;

/** JavaScript for the editor of a format's module: highlighting, with arrays coloured by what their bytes are for. */
export function moduleLanguage(classOf: (name: string) => ArrayClass | undefined): LanguageSupport {
  return bracketLanguage({
    name: 'format',
    token(stream, state) {
      if (state.inside === COMMENT || stream.match('/*')) {
        state.inside = stream.skipTo('*/') ? 0 : COMMENT;
        if (state.inside === COMMENT) stream.skipToEnd();
        else stream.match('*/');
        return 'comment';
      }
      if (state.inside === TEMPLATE || stream.match('`')) {
        state.inside = stream.match(/^(?:\\.|[^`\\])*`/) ? 0 : TEMPLATE;
        if (state.inside === TEMPLATE) stream.skipToEnd();
        return 'string';
      }
      if (stream.match(/^(?:'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?)/)) return 'string';
      return stream.match(/^\d[\w.]*/) ? 'number' : undefined;
    },
    word: /^[A-Za-z_$][\w$]*/,
    kindOf: (name) => (KEYWORDS.has(name) ? 'keyword' : (classOf(name) ?? 'variableName')),
  });
}
