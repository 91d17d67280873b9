import { describe, expect, it } from 'vitest';
import type { Command } from '../../kit/command.ts';
import { findCommands } from './Palette.tsx';

const command = (id: string, group: Command['group'], title: string): Command => ({ id, group, title, run: () => {} });
const ALL = [
  command('a', 'Animation', 'Next step'),
  command('b', 'Animation', 'Next chapter'),
  command('c', 'Measure', 'Run'),
  command('d', 'Format', 'CSR'),
  command('e', 'Page', 'Light colours'),
  command('f', 'Matrix', 'Example: running sums'),
];
const ids = (query: string): string[] => findCommands(ALL, query).map((c) => c.id);

describe('findCommands(commands, query)', () => {
  it('returns everything for nothing', () => expect(ids('  ')).toEqual(['a', 'b', 'c', 'd', 'e', 'f']));
  it('looks in groups and titles, whatever the case', () => expect(ids('FORMAT csr')).toEqual(['d']));
  it('takes words in any order', () => expect(ids('step next')).toEqual(['a']));
  it('puts titles that begin with the query first, then words that do', () => {
    expect(ids('run')).toEqual(['c', 'f']);
    expect(ids('s')).toEqual(['a', 'f', 'c', 'd', 'e']);
  });
  it('returns nothing for what is not there', () => expect(ids('xyzzy')).toEqual([]));
});
