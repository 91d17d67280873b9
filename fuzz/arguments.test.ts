import { describe, expect, it } from 'vitest';
import { ArgumentError } from '../scripts/command-line.ts';
import { parseArguments, usage } from './arguments.ts';

const targets = [
  { id: 'formats', unit: 'matrices' },
  { id: 'readers', unit: 'mutants' },
];
const parse = (...argv: readonly string[]) => parseArguments(argv, targets, { seed: 5, threads: 2 });

describe('the command line of the fuzzer', () => {
  it('runs all targets for a minute by default', () => {
    expect(parse()).toEqual({
      seed: 5,
      minutes: 1,
      counts: new Map([
        ['formats', null],
        ['readers', null],
      ]),
      threads: 2,
      againstScipy: false,
      replay: null,
    });
  });

  it('runs only the targets with a count if there are counts', () => {
    const { minutes, counts } = parse('--mutants', '300');
    expect(minutes).toBeNull();
    expect([...counts]).toEqual([['readers', 300]]);
  });

  it('runs the other targets as well if there are counts and minutes', () => {
    const { counts, seed } = parse('--mutants', '300', '--minutes', '0.5', '--seed', '7');
    expect([...counts]).toEqual([
      ['formats', null],
      ['readers', 300],
    ]);
    expect(seed).toBe(7);
  });

  it('runs only the targets that --only names', () => {
    expect([...parse('--only', 'readers').counts.keys()]).toEqual(['readers']);
  });

  it.each([
    [['--seed=-1'], "--seed: found '-1', expected a whole number from 0 to 4294967295"],
    [['--seed='], "--seed: found '', expected a whole number from 0 to 4294967295"],
    [['--minutes', 'many'], "--minutes: found 'many', expected a number from 0 to 1440"],
    [['--only', 'formats,files'], "--only: found 'files', expected one of formats, readers"],
    [['--only', 'formats', '--mutants', '3'], '--only: found nothing that is counted'],
    [['--nonsense'], '--nonsense'],
    [['file'], 'file'],
  ])('rejects %j', (argv, message) => {
    expect(() => parse(...argv)).toThrow(ArgumentError);
    expect(() => parse(...argv)).toThrow(message);
  });

  it('explains every option', () => {
    for (const option of ['--minutes', '--matrices', '--mutants', '--only', '--seed', '--case']) {
      expect(usage(targets)).toContain(option);
    }
  });
});
