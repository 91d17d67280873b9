import type { Words } from '../../../../core/story/scene.ts';
import { counted, countText, say, strong } from '../../../../core/story/words.ts';
import { pruningText, pruningWords } from '../../../../kit/models/own-choices.ts';
import { bytes as bytesText, time } from '../../../../kit/words/quantity.ts';
import { oneDecimal } from '../../../../kit/words/rates.ts';
import { leftText } from '../../../../kit/words/shares.ts';
import type { PlanCost } from '../../../../theory/plan/plan-front.ts';
import type { ModelPlan, PlanRow } from './model-plans.ts';
import type { PlanWay } from './plan-ways.ts';

/** Bits in as many digits as they have meaning: 0.02, 7.3, 2 383. */
export function bitsText(bits: number): string {
  const size = Math.abs(bits);
  if (size < 0.005) return '0';
  const text = size < 0.995 ? size.toFixed(2) : size < 9.95 ? size.toFixed(1) : countText(size);
  return bits < 0 ? `−${text}` : text;
}

/** How a matrix is stored, apart from its pruning: 'MACKO', 'dense i4'. */
export function wayTitle({ format, valueType }: Pick<PlanWay, 'format' | 'valueType'>): string {
  const name = format.title.replace(/ f16$/, '');
  return valueType === 'f16' ? name : `${name} ${valueType}`;
}

/** The matrices of a row: 'layer 3, up'; 'up, 32 layers'. */
export function rowName({ name, layers }: Pick<PlanRow, 'name' | 'layers'>): string {
  return layers.length === 1 ? `layer ${layers[0]}, ${name}` : `${name}, ${layers.length} layers`;
}

/** Tokens per second that the matrices alone allow; null unless all were measured. */
export function tokensOf({ ns }: Pick<ModelPlan, 'ns'>): number | null {
  return ns === null || ns === 0 ? null : 1e9 / ns;
}

/** Why a matrix is stored as it is, in one sentence. */
export function reasonOf(row: PlanRow, kind: ModelPlan['kind'], cost: PlanCost): string {
  const { way, next, other, alone } = row;
  if (alone !== null && other !== null) return mixedReason(row, other, alone, cost);
  const format = formatReason(way, next, cost);
  if (kind !== 'left') return `As it was measured for all matrices alike; ${format}.`;
  if (way.pruning.way !== 'none') {
    const against = other === null ? '' : `, dense ${costText(other, cost)}`;
    return `${upper(format)}${against}.`;
  }
  if (other === null) {
    const known = cost === 'us' ? 'no other way was measured' : 'nothing else stores it';
    return `Stays dense: with this much left ${known}.`;
  }
  const what = cost === 'us' ? 'is faster' : 'is smaller';
  return `Stays dense: with this much left nothing ${what}; ${wayTitle(other)} at ${leftText(other.density)} takes ${costText(other, cost)}.`;
}

function mixedReason({ way, next }: PlanRow, other: PlanWay, alone: number, cost: PlanCost): string {
  const isPruned = way.pruning.way !== 'none';
  const [dense, pruned] = isPruned ? [other, way] : [way, other];
  const saved = savedText(dense, pruned, cost);
  if (!isPruned) return `Stays dense: pruned alone it would lose ${bitsText(alone)} bits to save ${saved}.`;
  return `Saves ${saved} for ${bitsText(alone)} bits, pruned alone; ${formatReason(way, next, cost)}.`;
}

/** 'bitmask takes the fewest bytes, MACKO 1 024 B more'. */
function formatReason(way: PlanWay, next: PlanWay | null, cost: PlanCost): string {
  const best = cost === 'us' ? 'is the fastest that was measured' : 'takes the fewest bytes';
  if (next === null)
    return `${wayTitle(way)} is the only format ${cost === 'us' ? 'measured for it' : 'that stores it so'}`;
  const more = cost === 'us' ? time((next.ns ?? 0) - (way.ns ?? 0)) : bytesText(Math.round(next.bytes - way.bytes));
  return `${wayTitle(way)} ${best}, ${wayTitle(next)} ${more} more`;
}

function savedText(dense: PlanWay, pruned: PlanWay, cost: PlanCost): string {
  return cost === 'us' ? time((dense.ns ?? 0) - (pruned.ns ?? 0)) : bytesText(Math.round(dense.bytes - pruned.bytes));
}

function costText(way: PlanWay, cost: PlanCost): string {
  return cost === 'us' && way.ns !== null ? time(way.ns) : bytesText(Math.round(way.bytes));
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface PlanTold {
  readonly model: string;
  readonly denseBytes: number;
  /** of the times; null where there are none */
  readonly device: string | null;
  /** the best plan within the same budget whose loss was measured; null where there is none */
  readonly sure: ModelPlan | null;
}

/** What a plan comes to, in a sentence or two. */
export function planWords(plan: ModelPlan, { model, denseBytes, device, sure }: PlanTold): readonly Words[] {
  const tokens = tokensOf(plan);
  const isDense = Math.abs(plan.bytes - denseBytes) < 1;
  const size = isDense
    ? bytesText(denseBytes)
    : `${bytesText(Math.round(plan.bytes))} instead of ${bytesText(denseBytes)}`;
  const speed =
    tokens === null || device === null
      ? say``
      : say`, and its matrices allow ${strong(`at most ${oneDecimal(tokens)} tokens a second`)} on ${device}`;
  const alike = alikeWords(plan);
  return [
    ...say`${alike === null ? '' : `${alike}, `}${model} takes ${strong(size)}`,
    ...speed,
    ...say`. `,
    ...lossWords(plan, sure),
  ];
}

/** A plan in a word or two, for charts: 'i4', '70 % by Wanda', '50 % left'; null for a mix. */
export function planName(plan: ModelPlan): string | null {
  const { kind, loss, rows } = plan;
  if (kind === 'left') return loss === 0 ? 'not pruned' : null;
  const [first] = rows;
  if (!first || !rows.every(({ way }) => pruningText(way.pruning) === pruningText(first.way.pruning))) return null;
  const { pruning, valueType } = first.way;
  if (pruning.way === 'none') return valueType === 'f16' ? 'not pruned' : valueType;
  return [pruningWords(pruning), ...(valueType === 'f16' ? [] : [valueType])].join(', ');
}

/** How all matrices are stored, where all are stored alike: 'In dense i4 throughout', 'In MACKO throughout, 70 % by Wanda'. */
function alikeWords({ rows, kind }: ModelPlan): string | null {
  const [first, ...others] = rows;
  const isAlike = ({ way }: PlanRow): boolean =>
    way.format === first.way.format && way.valueType === first.way.valueType && way.density === first.way.density;
  if (!first || !others.every(isAlike)) return null;
  const kept = first.way.density === 1 ? '' : `, ${keptWords(first, kind)}${kind === 'left' ? ' left' : ''}`;
  return `In ${wayTitle(first.way)} throughout${kept}`;
}

function lossWords(plan: ModelPlan, sure: ModelPlan | null): readonly Words[] {
  const { kind, loss, most, rows } = plan;
  const pruned = rows.filter(({ way }) => way.pruning.way !== 'none').length;
  if (kind === 'left') {
    if (loss === 0) return say`Nothing is pruned.`;
    return say`Every matrix keeps at least ${strong(leftText(1 - loss))} of its weights; what that loses has not been measured.`;
  }
  if (kind === 'measured') {
    if (loss === 0 && pruned === 0) return say`Nothing is lost.`;
    return say`It loses ${strong(`${bitsText(loss)} bits a tale`)}, as measured.`;
  }
  const upTo = most === null ? 'how much more nobody has measured' : `at most ${bitsText(most)}`;
  const known =
    sure === null
      ? ''
      : ` The best plan that was measured as a whole takes ${bytesText(Math.round(sure.bytes))} and loses ${bitsText(sure.loss)}.`;
  return say`It loses ${strong(`at least ${bitsText(loss)} bits a tale`)}, what its ${counted(pruned, 'pruned matrix', 'pruned matrices')} lose alone, and ${upTo}.${known}`;
}

/** What a row keeps: 'all', '30 % by Wanda'. */
export function keptWords({ way }: Pick<PlanRow, 'way'>, kind: ModelPlan['kind']): string {
  const { pruning, density } = way;
  if (pruning.way === 'none') return 'all';
  return kind === 'left' ? leftText(density) : pruningWords(pruning);
}
