import { LINE_BYTES } from '../../../core/kernel/load-counts.ts';
import type { Words } from '../../../core/story/scene.ts';
import { capitalised } from '../../../core/story/words.ts';
import { percent } from '../../../kit/words/quantity.ts';
import { type Kind, KIND_WORDS, type KindCounts, unitOf } from './kinds.ts';
import { oneDecimal } from '../../../kit/words/rates.ts';

/** A kernel as a sentence calls it, with what its loads of the kind cost. */
export interface Told {
  readonly name: string;
  readonly counts: KindCounts | null;
}

/** Lines that as many lanes touch as a subgroup has, on average over all loads. */
export function linesPerSubgroup({ cost, asked }: Pick<KindCounts, 'cost' | 'asked'>, lanes: number): number {
  return (lanes * cost) / asked;
}

/** Of the bytes in all lines that loads touch, the share that they ask for. */
export function usedShare({ usedBytes, cost }: Pick<KindCounts, 'usedBytes' | 'cost'>): number {
  return usedBytes / (cost * LINE_BYTES);
}

/** The finding, to be quoted: how many lines the lanes of a subgroup touch, beside another kernel. */
export function memoryWords(kind: Kind, lanes: number, own: Told, other: Told | null): readonly Words[] {
  const { name, counts } = own;
  const { loads, none } = KIND_WORDS[kind];
  if (counts === null || counts.asked === 0) return [{ text: `${capitalised(name)} ${none}.` }];
  const cost = (of: KindCounts): string => oneDecimal(linesPerSubgroup(of, lanes));
  const head = [
    { text: `${capitalised(possessive(name))} ${loads} ${VERBS[unitOf(counts)]} ` },
    { text: `${cost(counts)} ${unitOf(counts)}s`, strong: true },
    { text: ` of ${LINE_BYTES} bytes for every ${lanes} lanes` },
  ];
  const used = percent(usedShare(counts), 0);
  if (other === null) return [...head, { text: `, and use ${used} of the bytes in them.` }];
  if (other.counts === null || other.counts.asked === 0) {
    return [...head, { text: `, and use ${used} of the bytes in them; ${other.name} ${none}.` }];
  }
  const isAlike = other.counts.space === counts.space;
  const theirs = `${VERBS[unitOf(other.counts)]} ${cost(other.counts)}${isAlike ? '' : ` ${unitOf(other.counts)}s`}`;
  return [
    ...head,
    { text: ', where ' },
    { text: `${possessive(other.name)} ${theirs}`, strong: true },
    { text: `; they use ${used} of the bytes in them, and ${possessive(other.name)} ` },
    { text: `${percent(usedShare(other.counts), 0)}.` },
  ];
}

/** Lines are touched; turns of the banks, each of as many bytes, are taken. */
export const VERBS = { line: 'touch', turn: 'take' } as const;

function possessive(name: string): string {
  return name.endsWith('s') ? `${name}’` : `${name}’s`;
}

/** Numbers in few words: '0 to 31', '3', '1, 4, 9'. There is at least one. */
export function rangesText(numbers: readonly number[]): string {
  const sorted = [...new Set(numbers)].toSorted((a, b) => a - b);
  const [first, last] = [sorted[0], sorted[sorted.length - 1]];
  if (sorted.length > 1 && last - first === sorted.length - 1) return `${first} to ${last}`;
  return sorted.length <= 8 ? sorted.join(', ') : `${sorted.slice(0, 8).join(', ')} and ${sorted.length - 8} more`;
}
