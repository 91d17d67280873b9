import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { visibleText } from './markup.ts';

const textOfParagraph = (text: string): string => visibleText(createElement('p', null, text));

describe('visibleText', () => {
  it.each(['411 whole; less \u221256918.776 ns', '-3\u202f\u00b5s', 'by \u22121\u202f200.5\u202fms', '\u22122 s'])(
    'rejects a time below 0: %s',
    (text) => {
      expect(() => textOfParagraph(text)).toThrow(/^found a time of .+, expected none below 0$/);
    },
  );

  it.each(['40.3\u202f\u00b5s', '12\u20135 s', 'H100-5 s', '0 ns', '\u2212ln 2.5 %', '\u22123\u202f% less'])(
    'accepts a hyphen or minus sign that is not the sign of a time: %s',
    (text) => {
      expect(textOfParagraph(text)).toBe(text);
    },
  );
});
