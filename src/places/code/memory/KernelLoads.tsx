import { useMemo } from 'react';
import { LINE_BYTES } from '../../../core/kernel/load-counts.ts';
import type { LoadedArray } from '../../../core/kernel/loads.ts';
import { counted, countText } from '../../../core/story/words.ts';
import type { LoadsAnswer, SubgroupAnswer } from '../service/kernel-loads-types.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { bytes, percent } from '../../../kit/words/quantity.ts';
import type { ListedKernel } from '../kernel-list.ts';
import { CostHistogram } from './CostHistogram.tsx';
import { countsOf, type Kind, KIND_WORDS, type KindCounts, unitOf } from './kinds.ts';
import { LaneLinks } from './LaneLinks.tsx';
import { lanePicture } from './lane-picture.ts';
import { loadsOfKind } from './loads-of-kind.ts';
import { linesPerSubgroup, rangesText, usedShare } from './memory-words.ts';
import type { Asked } from './use-loads.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { oneDecimal } from '../../../kit/words/rates.ts';

export interface KernelLoadsProps {
  readonly listed: ListedKernel;
  readonly kind: Kind;
  /** which load of the kind, from 1 */
  readonly load: number;
  readonly counted: Asked<LoadsAnswer>;
  readonly onCancel: () => void;
  readonly onAgain: () => void;
  readonly subgroup: Asked<SubgroupAnswer>;
  /** the most that a load of the kind costs in any kernel that is shown */
  readonly most: number;
}

/** One kernel: one load of a subgroup as a picture, and what all loads of the matrix cost. */
export function KernelLoads(props: KernelLoadsProps) {
  const { listed, kind, load, counted: all, onCancel, onAgain, subgroup, most } = props;
  const { format, kernel } = listed;
  const found = all.kind === 'there' ? countsOf(all.answer.arrays, kind) : null;
  const counts = found && found.loads > 0 ? found : null;
  return (
    <section className="memory-kernel" aria-label={`${format.title}, ${kernel.title}`}>
      <h3>
        <Swatch format={format.id} /> {format.title} <small>{kernel.title}</small>
      </h3>
      <div>
        {subgroup.kind === 'failed' && all.kind !== 'failed' && <p role="alert">{subgroup.reason}</p>}
        {subgroup.kind === 'there' && <OneLoad id={kernel.id} answer={subgroup.answer} kind={kind} load={load} />}
      </div>
      <div>
        {all.kind === 'failed' && (
          <p role="alert">
            {all.reason}{' '}
            <button type="button" className="text-button" onClick={onAgain}>
              Try again
            </button>
          </p>
        )}
        {all.kind === 'waiting' && all.job && <JobProgress job={all.job} onCancel={onCancel} />}
        {all.kind === 'there' && counts === null && <p className="quiet">On this matrix it {KIND_WORDS[kind].none}.</p>}
        {all.kind === 'there' && counts && <Figures counts={counts} answer={all.answer} />}
      </div>
      <div>{counts && <CostHistogram kernel={kernel.id} kind={kind} counts={counts} most={most} />}</div>
    </section>
  );
}

interface OneLoadProps {
  readonly id: string;
  readonly answer: SubgroupAnswer;
  readonly kind: Kind;
  readonly load: number;
}

function OneLoad({ id, answer, kind, load }: OneLoadProps) {
  const { arrays, sites, lanes, subgroup, rowsOf, loads } = answer;
  const own = useMemo(() => loadsOfKind(answer, kind), [answer, kind]);
  const number = Math.min(load, own.length);
  const at = own[number - 1];
  const picture = useMemo(() => {
    if (at === undefined) return null;
    const site = sites[loads.siteOf[at]];
    return lanePicture(arrays[site.array].space, site, loads.items.subarray(at * lanes, (at + 1) * lanes));
  }, [at, arrays, sites, loads, lanes]);
  const rows = rowsOf.length === 0 ? 'no row' : `${rowsOf.length === 1 ? 'row' : 'rows'} ${rangesText(rowsOf)}`;
  const who = `Subgroup ${countText(subgroup)}, ${rows}`;
  if (picture === null) return <p className="quiet">{`${who}: it ${KIND_WORDS[kind].none}.`}</p>;
  const site = sites[loads.siteOf[at]];
  const array = arrays[site.array];
  const unit = array.space === 'storage' ? counted(picture.rows.length, 'line') : counted(picture.rows.length, 'turn');
  const kept = loads.total > loads.siteOf.length ? `, of the first ${countText(loads.siteOf.length)} loads` : '';
  return (
    <>
      <p className="memory-who">
        {who}. Number {countText(number)} of {countText(own.length)} {KIND_WORDS[kind].loads}
        {kept}
        {number < load ? `: it makes no ${countText(load)}, so this is the last` : ''}.
      </p>
      <LaneLinks
        id={`lanes-${id.replace('/', '-')}`}
        title={`${id}: number ${number} of its ${KIND_WORDS[kind].loads}, subgroup ${subgroup}`}
        caption={`${counted(picture.links.length, 'lane')} ask for ${site.itemBytes} bytes each of ${array.name}: ${unit}.`}
        picture={picture}
        kind={kind}
        whatAt={(byte, words) => placeText(array, byte, words)}
      />
    </>
  );
}

function placeText({ name, of, columnsPerWord = 1 }: LoadedArray, byte: number, words: number): string {
  if (of !== 'x' && of !== 'copy') return name;
  const column = (byte / 4) * columnsPerWord;
  const columns = words * columnsPerWord;
  return columns === 1
    ? `column ${countText(column)}`
    : `columns ${countText(column)} to ${countText(column + columns - 1)}`;
}

function Figures({ counts, answer }: { readonly counts: KindCounts; readonly answer: LoadsAnswer }) {
  const unit = unitOf(counts);
  const { loads, asked, cost } = counts;
  const { lanes, nnz } = answer;
  const rows: readonly (readonly [string, string])[] = [
    [`${unit}s for ${lanes} lanes`, oneDecimal(linesPerSubgroup(counts, lanes))],
    [`${unit}s of a load`, oneDecimal(cost / loads)],
    ['lanes that take part', `${oneDecimal(asked / loads)} of ${lanes}`],
    [`bytes used of those in the ${unit}s`, percent(usedShare(counts))],
    [`${unit}s in all`, countText(cost)],
    [
      unit === 'line' ? 'of 128 bytes each, from memory or a cache' : 'of 128 bytes each, from workgroup memory',
      bytes(cost * LINE_BYTES),
    ],
    [`${unit}s for a non-zero`, nnz === 0 ? '–' : (cost / nnz).toFixed(3)],
  ];
  return (
    <dl className="memory-figures" aria-label={`All loads of ${counts.arrays.join(' and ')}`}>
      {rows.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="number">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
