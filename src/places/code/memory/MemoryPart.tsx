import './memory.css';
import { type ReactNode, useMemo, useState } from 'react';
import { lastUsed } from '../../../kit/charts/histogram.ts';
import { countText } from '../../../core/story/words.ts';
import { type Choices, placeState } from '../../../state/index.ts';
import { type Reading, READING } from '../address.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { Answer } from '../../../kit/frame/Answer.tsx';
import { ChoiceContext, type ChoiceFields, useChoices } from '../../../kit/browser/choices.ts';
import { LiveSlider } from '../../../kit/forms/LiveSlider.tsx';
import { NumberInput } from '../../../kit/controls/NumberInput.tsx';
import { Segmented } from '../../../kit/controls/Segmented.tsx';
import { saveText } from '../../../kit/browser/save-blob.ts';
import type { Draft } from '../kernel-drafts/draft.ts';
import type { ListedKernel } from '../kernel-list.ts';
import { KernelLoads } from './KernelLoads.tsx';
import { countsOf, type Kind, KIND_WORDS, type KindCounts, KINDS } from './kinds.ts';
import { loadsOfKind } from './loads-of-kind.ts';
import { PartButton } from '../PartButton.tsx';
import { kernelBeside, memoryFields, type MemoryChoices, modelledKernels, nameBeside } from './memory-choices.ts';
import { countsCsv } from './memory-files.ts';
import { memoryWords } from './memory-words.ts';
import type { SubgroupAnswer } from '../service/kernel-loads-types.ts';
import { useFindSubgroup, useLoadCounts, useSubgroup } from './use-loads.ts';
import { WatchedPart } from './WatchedPart.tsx';
import type { ReadingState } from '../use-reading.ts';
import { SelectField } from '../../../kit/controls/Select.tsx';

export interface MemoryPartProps {
  readonly listed: ListedKernel;
  /** of the kernel, if one is shown */
  readonly draft: Draft | null;
  readonly reading: ReadingState;
  readonly asked: Reading;
  readonly onRead: (reading: Partial<Reading>) => void;
  /** what came of the draft, where that has no column of its own */
  readonly outcome: ReactNode;
}

/** What the lanes of a kernel load of the open matrix: by its model, or else as a watched copy of it shows. */
export function MemoryPart({ listed, draft, reading, asked, onRead, outcome }: MemoryPartProps) {
  const { document, formats } = useApp();
  const modelled = useMemo(() => modelledKernels(formats), [formats]);
  const fields = useMemo(() => memoryFields(modelled.map(({ kernel }) => kernel.id)), [modelled]);
  const { id } = listed.kernel;
  // A draft has its own place in the address.
  const own = draft ? {} : { kernel: id };
  const choose = (changed: Choices): void => {
    const all = Object.entries({ ...placeState(document.getState(), READING).choices, ...changed });
    onRead({ ...own, part: 'memory', choices: Object.fromEntries(all.filter(([, text]) => text !== '')) });
  };
  const onCode = (at: Partial<Reading> = {}): void => onRead({ ...own, ...at });
  return (
    <ChoiceContext value={{ texts: asked.choices, choose }}>
      {listed.kernel.modelled === true && draft === null ? (
        <Modelled key={id} {...{ listed, fields, modelled, onCode }} />
      ) : (
        <WatchedPart key={draft?.id ?? id} {...{ listed, draft, reading, fields, onCode, outcome }} />
      )}
    </ChoiceContext>
  );
}

/** The most that a load costs in any of the counts. */
function largestOf(all: readonly (KindCounts | null)[]): number {
  return all.reduce((most, one) => Math.max(most, lastUsed(one?.histogram ?? [])), 1);
}

interface LoadControlsProps {
  readonly kinds: readonly Kind[];
  readonly values: MemoryChoices;
  readonly size: Pick<SubgroupAnswer, 'rows' | 'subgroups'> | null;
  readonly answer: SubgroupAnswer | null;
  /** the row that was asked for */
  readonly row: number | null;
  /** the first row of the subgroup */
  readonly firstRow: number | undefined;
  /** how many loads of this kind the subgroup makes */
  readonly loads: number;
  readonly listed: ListedKernel;
  readonly modelled: readonly ListedKernel[];
  readonly beside: ListedKernel | null;
  readonly choose: (changed: Partial<MemoryChoices>) => void;
  readonly onRow: (row: number) => void;
  /** the load that a slider passes; null: it was let go */
  readonly onMove: (load: number | null) => void;
}

/** Which loads of which subgroup are shown, and beside which kernel. */
function LoadControls(props: LoadControlsProps) {
  const { kinds, values, size, answer, row, firstRow, loads, listed, modelled, beside, choose, onRow, onMove } = props;
  return (
    <div className="memory-controls">
      <Segmented
        label="Loads of"
        value={values.of}
        options={kinds.map((one) => ({ value: one, label: KIND_WORDS[one].label }))}
        onChange={(of: Kind) => choose({ of, load: 1 })}
      />
      {size && (
        <NumberInput
          label="Row"
          hint="Goes to the first subgroup that works on this row."
          value={row !== null && answer?.rowsOf.includes(row) === true ? row : (firstRow ?? 0)}
          min={0}
          max={Math.max(0, size.rows - 1)}
          whole
          onChange={onRow}
        />
      )}
      <SelectField
        label="Beside it"
        value={beside?.kernel.id ?? 'none'}
        options={[
          { value: 'none', label: 'nothing' },
          ...modelled
            .filter(({ kernel }) => kernel.id !== listed.kernel.id)
            .map(({ format, kernel }) => ({ value: kernel.id, label: `${format.title}, ${kernel.title}` })),
        ]}
        onChange={(other) => choose({ with: other })}
      />
      <div className="memory-slider">
        {size && size.subgroups > 1 && (
          <LiveSlider
            label="Subgroup"
            value={answer?.subgroup ?? Math.min(Math.max(0, values.subgroup), size.subgroups - 1)}
            min={0}
            max={size.subgroups - 1}
            step={1}
            format={(value) => `${countText(value)} of 0 to ${countText(size.subgroups - 1)}`}
            onChange={(next) => choose({ subgroup: next, load: 1 })}
          />
        )}
      </div>
      <div className="memory-slider">
        {loads > 1 && (
          <LiveSlider
            label="Load"
            value={Math.min(values.load, loads)}
            min={1}
            max={loads}
            step={1}
            format={(value) => `${countText(value)} of ${countText(loads)}`}
            onMove={onMove}
            onChange={(next) => {
              onMove(null);
              choose({ load: next });
            }}
          />
        )}
      </div>
    </div>
  );
}

interface ModelledProps extends Pick<MemoryPartProps, 'listed'> {
  readonly fields: ChoiceFields<MemoryChoices>;
  readonly modelled: readonly ListedKernel[];
  readonly onCode: () => void;
}

function Modelled({ listed, fields, modelled, onCode }: ModelledProps) {
  const params = useDocument((doc) => doc.params);
  const name = useSession((s) => s.summary?.name ?? '');
  const [values, choose] = useChoices(fields);
  const { of: kind } = values;
  const beside = kernelBeside(modelled, listed, values.with);

  const own = useMemo(() => ({ kernel: listed.kernel.id, params: params[listed.format.id] }), [listed, params]);
  const other = useMemo(
    () => beside && { kernel: beside.kernel.id, params: params[beside.format.id] },
    [beside, params],
  );
  const [counts, counting] = useLoadCounts(own);
  const [otherCounts, otherCounting] = useLoadCounts(other);
  const subgroup = useSubgroup({ ...own, at: values.subgroup < 0 ? { row: 0 } : { subgroup: values.subgroup } });
  const firstRow = subgroup.kind === 'there' ? subgroup.answer.rowsOf.at(0) : undefined;
  const otherSubgroup = useSubgroup(other && firstRow !== undefined ? { ...other, at: { row: firstRow } } : null);
  /** the row that was asked for, and stands in its field while the subgroup works on it */
  const [row, setRow] = useState<number | null>(null);
  const findSubgroup = useFindSubgroup();
  const goToRow = async (next: number): Promise<void> => {
    setRow(next);
    const at = await findSubgroup({ ...own, at: { row: next } });
    if (at !== null) choose({ subgroup: at, load: 1 });
  };
  const [moved, setMoved] = useState<number | null>(null);
  const load = moved ?? values.load;

  const answer = subgroup.kind === 'there' ? subgroup.answer : null;
  const size = answer ?? (counts.kind === 'there' ? counts.answer : null);
  const loads = useMemo(() => (answer ? loadsOfKind(answer, kind).length : 0), [answer, kind]);
  const found = counts.kind === 'there' ? countsOf(counts.answer.arrays, kind) : null;
  const otherFound = otherCounts.kind === 'there' ? countsOf(otherCounts.answer.arrays, kind) : null;
  // Side by side, charts of the same unit have the same axis.
  const most = largestOf([found, otherFound?.space === found?.space ? otherFound : null]);
  const otherMost = largestOf([otherFound, otherFound?.space === found?.space ? found : null]);
  // The copy of x is there where one of both kernels makes it.
  const loaded = [counts, otherCounts].flatMap((one) => (one.kind === 'there' ? one.answer.arrays : []));
  const kinds = KINDS.filter((one) => one !== 'copy' || one === kind || loaded.some((array) => array.of === one));
  const lanes = counts.kind === 'there' ? counts.answer.lanes : 32;
  return (
    <div className="memory-part">
      <div className="draft-tools">
        <PartButton onClick={() => onCode()}>Code</PartButton>
      </div>
      <Answer
        about={`${listed.kernel.id} · what its lanes load of ${name} · subgroups of ${lanes}, lines of 128 bytes`}
        words={
          counts.kind === 'there'
            ? memoryWords(
                kind,
                lanes,
                { name: nameBeside(listed, beside), counts: found },
                beside && otherCounts.kind === 'there'
                  ? { name: nameBeside(beside, listed), counts: otherFound }
                  : null,
              )
            : [{ text: counts.kind === 'failed' ? counts.reason : 'Counting the loads of the whole matrix …' }]
        }
        exports={
          counts.kind === 'there'
            ? [
                {
                  label: 'CSV',
                  title: 'Save what loads cost as CSV',
                  save: () =>
                    saveText(
                      'sparsescope-loads.csv',
                      countsCsv([counts.answer, ...(otherCounts.kind === 'there' ? [otherCounts.answer] : [])]),
                      'text/csv',
                    ),
                },
              ]
            : []
        }
      />
      <LoadControls
        {...{ kinds, values, size, answer, row, firstRow, loads, listed, modelled, beside, choose }}
        onRow={(next) => void goToRow(next)}
        onMove={setMoved}
      />
      <div className="memory-columns">
        <KernelLoads
          {...{ listed, kind, load, subgroup, most }}
          counted={counts}
          onCancel={counting.cancel}
          onAgain={counting.again}
        />
        {beside && (
          <KernelLoads
            {...{ kind, load }}
            most={otherMost}
            listed={beside}
            counted={otherCounts}
            onCancel={otherCounting.cancel}
            onAgain={otherCounting.again}
            subgroup={otherSubgroup}
          />
        )}
      </div>
      <p className="quiet memory-note">
        Worked out from the arrays by a model of the kernel, for subgroups of {lanes} lanes, without any device. A test
        checks the model against the kernel: a copy that records its addresses records the same ones. Lanes that reach a
        load together are assumed to make it together.
      </p>
    </div>
  );
}
