import type { PublishedFigures } from '../../../../core/format.ts';
import type { ChoiceField } from '../../../../kit/browser/choices.ts';
import type { Device } from '../../../../state/devices/device.ts';
import { devicesOf } from '../../../../state/devices/devices.ts';
import { publishedId, readDeviceId } from '../../../../state/devices/ids.ts';

export const LEAST_SIDES = 2;
export const MOST_SIDES = 6;

/** The devices that the page proposes, or these. */
export type SideChoice = 'proposed' | readonly string[];

const BETWEEN = ';';
const LONGEST = 600;

/** `x.side=` and the ids of devices with semicolons between them. */
export const SIDE_FIELD: ChoiceField<SideChoice> = {
  default: 'proposed',
  read(text) {
    const ids = text.length > LONGEST ? [] : [...new Set(text.split(BETWEEN))];
    const known = ids.every((id) => id !== '' && readDeviceId(id) === id);
    return known && ids.length >= LEAST_SIDES && ids.length <= MOST_SIDES ? ids : null;
  },
  write: (value) => (value === 'proposed' ? '' : value.join(BETWEEN)),
  expected: `${LEAST_SIDES} to ${MOST_SIDES} devices with semicolons between them`,
};

/** Devices that can be chosen: cards. What a CPU plays or computes is never mixed with them. */
export function cardsOf(devices: readonly Device[], hasGpu: boolean): readonly Device[] {
  return devices.filter(({ kind, isSoftware }) => !isSoftware && (kind !== 'this' || hasGpu));
}

/**
 * The devices that the page proposes: those that have, or may have, times for the question; then cards with published
 * speeds; then data sheets, up to two.
 */
export function proposed(
  cards: readonly Device[],
  has: (device: Device) => boolean,
  published: readonly PublishedFigures[],
): readonly string[] {
  const figured = new Set(published.flatMap(({ of, on }) => (of === 'speed' && on !== null ? [publishedId(on)] : [])));
  const timed = cards.filter(has);
  const others = cards.filter((device) => !timed.includes(device) && figured.has(device.id));
  const sheets = cards.filter(({ kind, published: sheet }) => kind === 'published' && sheet?.by === 'data sheet');
  const ids = [...timed, ...others].map(({ id }) => id).slice(0, MOST_SIDES);
  return ids.length >= LEAST_SIDES ? ids : [...new Set([...ids, ...sheets.map(({ id }) => id)])].slice(0, LEAST_SIDES);
}

/** The devices with these ids, in their order: typed ones are made of their figures; others that are gone are left out. */
export function devicesWith(ids: readonly string[], cards: readonly Device[]): readonly Device[] {
  return ids.flatMap((id) => cards.find((device) => device.id === id) ?? typed(id) ?? []);
}

function typed(id: string): Device | undefined {
  if (!id.startsWith('typed:')) return undefined;
  const all = devicesOf({ reports: [], status: null, recorded: [], loaded: {}, on: id });
  return all.find((device) => device.id === id);
}
