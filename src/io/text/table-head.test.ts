import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  isDoubtful,
  isLikeDoubtful,
  isNumber,
  isTable,
  mayBeNames,
  namedSeparator,
  type Remark,
  remarkOf,
  tableHead,
  withoutRemark,
} from './table-head.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const SEPARATORS = [',', ';', '\t', ' '] as const;

test('isNumber accepts numbers as programs write them, with a decimal comma where commas do not separate', () => {
  const digits = fc.stringMatching(/^\d{1,3}$/);
  const number = fc
    .record({
      sign: fc.constantFrom('', '+', '-'),
      body: fc.oneof(
        digits,
        digits.map((d) => `${d}.`),
        digits.map((d) => `.${d}`),
        fc.tuple(digits, digits).map((pair) => pair.join('.')),
      ),
      exponent: fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?\d{1,3}$/)),
    })
    .map(({ sign, body, exponent }) => sign + body + exponent);
  const words = fc
    .tuple(fc.constantFrom('', '+', '-'), fc.constantFrom('nan', 'inf', 'Infinity', 'True', 'FALSE'))
    .map((pair) => pair.join(''));
  const property = fc.property(fc.oneof(number, words), (text) => {
    for (const separator of SEPARATORS) {
      expect([text, isNumber(text, separator)]).toEqual([text, true]);
      expect(isNumber(text.replace('.', ','), separator)).toBe(separator !== ',' || !text.includes('.'));
      for (const other of [`x${text}`, `${text}x`, `${text} `, `+-${text}`, `${text},,`]) {
        expect([other, isNumber(other, separator)]).toEqual([other, false]);
      }
    }
  });
  fc.assert(property, { numRuns: 100 });
  for (const text of [
    '',
    '.',
    '+',
    '-.',
    'e5',
    '1e',
    '1e+',
    '1.5.2',
    '1 2',
    'na',
    'infinit',
    'truth',
    '1e1.5',
    '1x5',
    '.x',
  ])
    expect([text, isNumber(text, ',')]).toEqual([text, false]);
  expect(isNumber('1.5,2', ';')).toBe(false);
});

test('remarkOf recognises a remark that takes a whole line, also after spaces', () => {
  for (const mark of ['#', '%', '//'])
    for (const line of [mark, ` \t${mark} 1`, `${mark}${mark}`]) expect(remarkOf(line)).toBe(mark);
  for (const line of ['', '/', '/ /', '1 # 2', 'a//', '"#"']) expect(remarkOf(line)).toBeNull();
});

test('withoutRemark removes a remark after a number or a space, outside quotes; % and // only if earlier lines begin so', () => {
  const all = new Set<Remark>(['#', '%', '//']);
  for (const [line, rest] of [
    ['1 2 # 3', '1 2 '],
    ['1 2#3', '1 2'],
    ['1,-.5e+10#3', '1,-.5e+10'],
    ['1;+2.5E3#', '1;+2.5E3'],
    ['1 2\t# 3 # 4', '1 2\t'],
    ['#1 2', ''],
    ['5# 1', '5'],
    ['1 2 % 3', '1 2 '],
    ['1 2\t// 3', '1 2\t'],
    ['1 2 // 3 % 4 # 5', '1 2 '],
    ['"#%" 1 % 2', '"#%" 1 '],
    ['" # "1 2', '" # "1 2'],
    ['C# 1', 'C# 1'],
    ['x5#,1', 'x5#,1'],
    ['5%,1//2', '5%,1//2'],
    ['1 2 / 3', '1 2 / 3'],
    ['1 2', '1 2'],
  ])
    expect(withoutRemark(line, all)).toBe(rest);
  for (const mark of ['%', '//'] as const) {
    const line = `1 2 ${mark} 3`;
    for (const used of all) expect(withoutRemark(line, new Set([used]))).toBe(used === mark ? '1 2 ' : line);
  }
  expect(withoutRemark('1 2 # 3', new Set())).toBe('1 2 ');
});

test('mayBeNames accepts words of which none begins like a number, or whole numbers, True and False after an empty field', () => {
  for (const line of [
    'a,b',
    'a',
    'a;"b;1"',
    'first second',
    '1st,2nd',
    '12ab',
    ',a',
    ',0,12',
    ',True,false',
    ',0,TRUE',
    'class,true,false',
    'truely,falsehood',
    'nano,information',
    'a1,b_2',
    'a[0],b{',
    'a,,b',
    'a,_',
    'ж1',
  ])
    expect([line, mayBeNames(line)]).toEqual([line, true]);
  for (const line of [
    '',
    ',',
    '1,2',
    'a,1',
    'a,-1',
    'a,+.5',
    'a,.5',
    'a,1x',
    'a,-12ab',
    'nan',
    'a,inf',
    'a,-Infinity',
    'True,False',
    ',1.5',
    ',1,-2',
    ',x1,2',
    ',1,2x',
    'a,[1',
    '{a',
    '<a',
    'a,b\u0001',
    '\u0663,a',
    '$1,a',
    '0',
    'a,+true',
    '5ab1,1',
    'a,_2',
  ])
    expect([line, mayBeNames(line)]).toEqual([line, false]);
  expect(mayBeNames('a,1', ';')).toBe(true);
  expect(mayBeNames('a;1', ',')).toBe(true);
});

test("a first line 'sep=;' names the separator", () => {
  for (const separator of SEPARATORS)
    for (const line of [`sep=${separator}`, `\ufeff"SEP=${separator}"\r`, `sep=${separator} \t`])
      expect(namedSeparator(line)).toBe(separator);
  for (const line of ['', 'sep=', 'sep=|', 'sep=;;', 'xsep=;', 'sep=;x', ' sep=;', 'sep;', '""sep=;']) {
    expect(namedSeparator(line)).toBeNull();
  }
});

test('isDoubtful accepts numbers in quotes, True and False; isLikeDoubtful accepts a next line like them', () => {
  for (const line of [
    '"1","2"',
    '"1" "2.5"',
    ' "1";"-2"',
    '"1,5";"2"',
    'True,False',
    'x,True,False',
    'true',
    'FALSE\ttrue',
  ])
    expect([line, isDoubtful(line)]).toEqual([line, true]);
  for (const line of [
    '"1","x"',
    '"1",2',
    '1,"2"',
    '"1"x',
    '1,2',
    '1,True',
    ',True',
    'x',
    'x,1',
    'True,1',
    'True,Falsey',
    'untrue,False,x',
    '"1,5","2"',
    '',
  ])
    expect([line, isDoubtful(line)]).toEqual([line, false]);
  expect(isDoubtful('x;True', ',')).toBe(false);
  expect(isDoubtful('True;x', ';')).toBe(false);
  const like = (line: string, next: string): boolean => isLikeDoubtful(line, next);
  expect([like('"1","2"', '"3","4"'), like('"1","2"', '3,4'), like('"1","2"', 'True,False')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([like('True,False', '0,true'), like('True,False', '0,1'), like('True,False', '"0","1"')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(like('"1","2"', ',"3"')).toBe(false);
  expect(isLikeDoubtful('True', '0;True', ',')).toBe(false);
});

describe('the head of a table', () => {
  const headOf = (names: string | null, line: string, separator?: string) => {
    const { hasNames, unreadColumn, width, refused, ...head } = tableHead(names, line, undefined, undefined, separator);
    expect(head.entries).toBeNull();
    expect(hasNames).toBe(names !== null);
    return [head.separator, width, unreadColumn, refused];
  };

  it('has the first separator outside quotes: tab, semicolon, comma, spaces', () => {
    for (const [line, separator, width] of [
      ['5', ',', 1],
      [' 5 ', ',', 1],
      ['1 2', ' ', 2],
      [' 1   2\t', '\t', 2],
      [' 1   2  3 ', ' ', 3],
      ['1, 2', ',', 2],
      ['1,5; 2', ';', 2],
      ['1,5;0\t2', '\t', 2],
      ['"1;2",3', ',', 2],
      ['"1 2"  "3 4" 5', ' ', 3],
      ['1,,2,', ',', 4],
    ] as const)
      expect(headOf(null, line)).toEqual([separator, width, null, null]);
    expect(headOf(null, '1,2;3', ',')).toEqual([',', 2, null, null]);
  });

  it('has names of rows in the first column if it has no name or has words, or if there is one name fewer than fields', () => {
    for (const [names, line, width, unread] of [
      ['a,b', '1,2', 2, null],
      [',a,b', '1,2,3', 2, 'unnamed index'],
      ['a,b', '1,2,3', 2, 'one name fewer'],
      ['a,b', 'x,2,3', 2, 'one name fewer'],
      ['a', 'x,2', 1, 'one name fewer'],
      ['a', '"1",2', 1, 'one name fewer'],
      ['a', ' "1",2', 1, 'one name fewer'],
      ['a,b,c', 'x,2,3', 2, 'named rows'],
      ['a,b', ',2', 2, null],
      ['a', 'x', 1, null],
    ] as const)
      expect(headOf(names, line)).toEqual([',', width, unread, null]);
  });

  it('says what is wrong if there are too few or too many names', () => {
    const under = (fields: string, names: string, n: number): string =>
      `found ${fields} under ${names}, expected ${n}, or ${n + 1} with the name of the row first`;
    expect(headOf('a', '1,2')).toEqual([',', 2, null, under('2 fields', '1 name', 1)]);
    expect(headOf('a,b', '1')).toEqual([',', 1, null, under('1 field', '2 names', 2)]);
    expect(headOf('a,b', '1,2,3,4')).toEqual([',', 4, null, under('4 fields', '2 names', 2)]);
    expect(headOf(',a', '1,2,3')).toEqual([',', 2, 'unnamed index', under('3 fields', '2 names', 2)]);
  });

  it('has the entries that the names of the read columns describe', () => {
    const entriesOf = (names: string, line: string) => {
      const { entries } = tableHead(names, line);
      return entries === null ? null : [entries.row, entries.column, entries.value];
    };
    expect(entriesOf('row,col,value', '1,2,3')).toEqual([0, 1, 2]);
    expect(entriesOf(',row,col,value', '0,1,2,3')).toEqual([0, 1, 2]);
    expect(entriesOf('row,col,value', '0,1,2,3')).toEqual([0, 1, 2]);
    expect(entriesOf('id,row,col,value', 'x,1,2,3')).toEqual([0, 1, 2]);
    expect(entriesOf('id,row,col,value', '0,1,2,3')).toBeNull();
  });

  it('has spaces and tabs as separators in a file with the ending of an edge list', () => {
    const edgeHeadOf = (line: string, name = 'a.edges', names: string | null = null) => {
      const { separator, width, entries, hasNames } = tableHead(names, line, undefined, name);
      return [separator, width, entries?.recognisedBy ?? null, hasNames];
    };
    expect(edgeHeadOf('1\t2 0.5')).toEqual([' ', 3, 'ending', false]);
    expect(edgeHeadOf(' 1\t 2  0.5')).toEqual([' ', 3, 'ending', false]);
    expect(edgeHeadOf(' 1 2')).toEqual([' ', 2, 'ending', false]);
    expect(edgeHeadOf('1,2')).toEqual([',', 2, 'ending', false]);
    expect(edgeHeadOf('1,2 3')).toEqual([',', 2, 'ending', false]);
    expect(edgeHeadOf('1\t2 0.5', 'a.txt')).toEqual(['\t', 2, null, false]);
    expect(edgeHeadOf('1,2', 'a.edges', 'a,b')).toEqual([',', 2, null, true]);
  });
});

describe('a file is a table', () => {
  const kindsOf = (text: string): string =>
    (['marks', 'spaces'] as const).filter((between) => isTable(bytes(text), between)).join();

  it('if it has two lines of as many numbers, or one of four', () => {
    for (const text of [
      '1,2\n3,4',
      '1;2\r\n3;4\r\n',
      '1\t2\n\n3\t4\n',
      '1,2\n \n3,4\n',
      '1,2,3,4',
      '# a\n1,2\n3,4\n',
      '1,2 # a\n3,4\n',
      '% a\n1,2 % b\n3,4\n',
      'a,b\n1,2\n3,4\n',
      'a,b\n1,2',
      ',a,b\n0,1,2\n',
      'a,b,c\nx,1,2\n',
      'sep=;\n1,5;2\n3;4\n',
      'sep=;\na;b\n3;4\n',
      '1,nan\nTrue,-inf\n',
    ])
      expect([text, kindsOf(text)]).toEqual([text, 'marks']);
    for (const text of ['1 2\n3 4', ' 1  2 3   4\n', '"a" "b"\n1 2\n', 'sep= \n1 2\n3 4\n']) {
      expect([text, kindsOf(text)]).toEqual([text, 'spaces']);
    }
    const printed = '2 x 3 sparse Matrix of class "dgCMatrix", with 2 entries \n  i j x\n1 1 1 5\n2 2 2 6\n';
    expect(kindsOf(printed)).toBe('spaces');
    expect(kindsOf(printed.replace('  i j x', '1 1 1 5'))).toBe('spaces');
    expect(kindsOf(`1 1 1 5\n${printed.replace('  i j x', '1 1 1 5')}`)).toBe('');
  });

  it('and not otherwise', () => {
    for (const text of [
      '',
      '\n',
      '# a\n',
      'a,b\n',
      '1\n2\n',
      '1,2',
      '1,2,3\n',
      '1,2\n3,4,5\n',
      '1,2\n3,x\n',
      'a,b\n1,2,3,4\n',
      'a,b\nc,d\n1,2\n',
      'a\nx,1\n',
      ',a\n0,1\n',
      '1,2 % b\n3,4\n',
      'sep=;\n1,2\n3,4\n',
      '1,2\nsep=;\n',
    ])
      expect([text, kindsOf(text)]).toEqual([text, '']);
  });

  it('even if the 512 bytes end inside the last line; a single line that is truncated needs five fields', () => {
    const filledTo512 = (text: string, end: string): string => text + end.padStart(512 - text.length, '0');
    expect(kindsOf(filledTo512('1,2\n3,4\n', ',x'))).toBe('marks');
    expect(kindsOf(filledTo512('1,2\n3,4\n', ',x').slice(1))).toBe('');
    expect(kindsOf(filledTo512('1,2,3,4,', 'x'))).toBe('marks');
    expect(kindsOf(filledTo512('1,2,3,', 'x'))).toBe('');
    expect(kindsOf(filledTo512('1,x,3,4,', '5'))).toBe('');
    expect(kindsOf(filledTo512('1 2 3 4 ', 'x'))).toBe('spaces');
    expect(kindsOf(filledTo512('# a\n1,2,3,4,', 'x'))).toBe('marks');
    expect(kindsOf(filledTo512('a,b,c,d,e\n1,2,3,4,', 'x'))).toBe('');
  });
});
