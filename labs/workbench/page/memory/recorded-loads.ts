// Texts and pictures of the memory loads that were recorded for a workgroup of a kernel.

import type { ByteClass } from '../../../../src/core/encoded/ledger.ts';
import {
  type AccessSite,
  type AccessStep,
  accessSteps,
  type ArrayLoads,
  LINE_BYTES,
} from '../../theory/access-steps.ts';
import type { Words } from '../../../../src/core/text/words.ts';
import { countText } from '../../../../src/core/text/words.ts';
import { percent } from '../../../../src/kit/words/quantity.ts';
import { oneDecimal } from '../../../../src/kit/words/rates.ts';
import type { MemoryAnswer } from '../service/drafts/draft-types.ts';
import type { VisiblePass } from '../../../../src/engine/kernel-reading/kernel-reading-types.ts';
import { lanePicture, type LanePicture, WORD_BYTES } from './lane-picture.ts';

/** The colour of an array: its byte class's (such as values or indices), or x's. */
export type ArrayColor = Exclude<ByteClass, 'padding'> | 'x';

/** The verb for lines of a buffer, or for turns of workgroup memory: in a turn, every bank serves one word. */
const VERBS = { line: 'touch', turn: 'take' } as const;

/** The requested bytes as a share of all bytes in the lines that loads touch. */
export function usedShare(usedBytes: number, transactions: number): number {
  return usedBytes / (transactions * LINE_BYTES);
}

/** Returns the array whose loads are visible: the chosen one, or else x, or else the first; null without loads. */
export function chosenArray(arrays: readonly ArrayLoads[], chosen: string): ArrayLoads | null {
  const named = (name: string): ArrayLoads | undefined => arrays.find((array) => array.name === name);
  return named(chosen) ?? named('x') ?? arrays[0] ?? null;
}

/** The loads that a subgroup makes from an array, in order. */
export function loadsFrom(
  { trace, subgroup: width }: Pick<MemoryAnswer, 'trace' | 'subgroup'>,
  subgroup: number,
  name: string,
): readonly AccessStep[] {
  return accessSteps(trace, subgroup, width).filter(({ site }) => {
    const { name: array, writes } = trace.sites[site];
    return array === name && !writes;
  });
}

/** The first subgroup that loads from an array; 0 if none does. O(accesses). */
export function firstSubgroup(
  { trace, subgroup: width }: Pick<MemoryAnswer, 'trace' | 'subgroup'>,
  name: string,
): number {
  const { sites, lanes, max, counts, siteOf } = trace;
  const isLoad = sites.map((site) => site.name === name && !site.writes);
  for (let lane = 0; lane < lanes; lane++) {
    for (let i = 0; i < Math.min(counts[lane], max); i++) {
      if (isLoad[siteOf[lane * max + i]]) return Math.floor(lane / width);
    }
  }
  return 0;
}

/** A load as a picture, elements of fewer than 4 bytes as words; null if the size of an element is unknown. */
export function loadPicture({ space, elementBytes }: AccessSite, { elements }: AccessStep): LanePicture | null {
  if (elementBytes === null) return null;
  const itemBytes = Math.max(WORD_BYTES, elementBytes);
  const items = elements.map((element) => (element < 0 ? -1 : Math.floor((element * elementBytes) / itemBytes)));
  return lanePicture(space, itemBytes, items);
}

/** The elements of an array at some of its words: 'x[12]', or 'values[2 to 3]' if two fit into a word. */
export function elementsText({ name, elementBytes }: AccessSite, byte: number, words: number): string {
  if (elementBytes === null) return name;
  const first = byte / elementBytes;
  const last = (byte + words * WORD_BYTES) / elementBytes - 1;
  return last > first ? `${name}[${countText(first)} to ${countText(last)}]` : `${name}[${countText(first)}]`;
}

/** The text about a workgroup's loads from an array. */
export function loadWords(answer: MemoryAnswer, array: ArrayLoads | null): readonly Words[] {
  const { workgroup, subgroup } = answer;
  const who = `Workgroup ${countText(workgroup)}`;
  if (array === null) return [{ text: `${who} loads nothing.` }];
  const { name, space, loads, transactions, requestedLanes, usedBytes } = array;
  if (transactions === null || usedBytes === null) {
    return [{ text: `${who} loads from ${name} ${countText(loads)} times; its element size is unknown.` }];
  }
  const unit = space === 'storage' ? 'line' : 'turn';
  // Lines or turns for as many lanes as a subgroup has, averaged over all loads.
  const lines = oneDecimal((subgroup * transactions) / requestedLanes);
  return [
    { text: `${who}: its loads of ${name} ${VERBS[unit]} ` },
    { text: `${lines} ${unit}s`, strong: true },
    {
      text: ` of ${LINE_BYTES} bytes for every ${subgroup} lanes, and use ${percent(usedShare(usedBytes, transactions), 0)} of the `,
    },
    { text: 'bytes.' },
  ];
}

/** A message about accesses that were not recorded, since a lane made too many; null if all were. */
export function truncationText({ trace: { counts, max } }: Pick<MemoryAnswer, 'trace'>): string | null {
  const longest = counts.reduce((most, count) => Math.max(most, count), 0);
  if (longest <= max) return null;
  return `The first ${countText(max)} accesses a lane are recorded; the busiest made ${countText(longest)}.`;
}

/** The colour of an array: its byte class's, or x's. */
export function arrayColor({ bindings }: Pick<VisiblePass, 'bindings'>, name: string): ArrayColor {
  const byteClass = bindings.find((binding) => binding.name === name)?.byteClass;
  return byteClass === null || byteClass === undefined || byteClass === 'padding' ? 'x' : byteClass;
}

/** Workgroups in a pass's dispatch. */
export function workgroupsOf({ workgroups }: Pick<VisiblePass, 'workgroups'>): number {
  const [x, y] = workgroups;
  return x * y;
}
