import { OWN_GROUP } from '../../../../core/format.ts';
import { countText } from '../../../../core/story/words.ts';
import { paramsAt } from '../../../../state/index.ts';
import { useApp, useDocument, useSession } from '../../../../kit/app-context.ts';
import { JobProgress } from '../../../../kit/controls/JobProgress.tsx';
import { NumberInput } from '../../../../kit/controls/NumberInput.tsx';
import { density as densityText } from '../../../../kit/words/quantity.ts';
import { type CurveChoices, type FormsChoices, isChosen, VALUE_TYPES } from '../../curves/curve-choices.ts';
import type { Density } from '../../curves/use-curves.ts';
import { softwareSentence } from '../../../../kit/words/no-card.ts';
import { withValueType } from '../../curves/variants.ts';
import { useSizeRuns } from '../../curves/size-runs.ts';
import { Swatch } from '../../../../kit/controls/Swatch.tsx';
import { Section } from '../../../../kit/controls/Section.tsx';
import { SelectField } from '../../../../kit/controls/Select.tsx';
import { Check, toggled } from '../../../../kit/controls/Check.tsx';
import { paramText } from '../../../../kit/report/param-words.ts';

interface ControlsProps {
  readonly choices: CurveChoices;
  readonly choose: (changed: Partial<FormsChoices>) => void;
  readonly density: Density;
  readonly onMeasureSizes: () => void;
  readonly onMeasureSpeeds: () => void;
  /** resumes an interrupted run; null if there is none */
  readonly onGoOn: (() => void) | null;
  /** why speeds cannot be measured now; null if they can */
  readonly speedProblem: string | null;
  readonly where: 'gpu' | 'cpu';
  /** density of the stage's matrix if that is the subject: it is measured unpruned */
  readonly ownDensity: number | null;
  readonly speedDensities: { readonly done: number; readonly all: number };
}

/** The subject, the formats, and what to measure. */
export function FormsControls(props: ControlsProps) {
  return (
    <div className="density-controls">
      <MatrixControls {...props} />
      <FormatControls {...props} />
      <MeasureControls {...props} />
      <OtherControls {...props} />
    </div>
  );
}

function MatrixControls({ choices, choose }: ControlsProps) {
  const summary = useSession((s) => s.summary);
  return (
    <Section title="Matrix">
      <SelectField
        label="of"
        value={choices.matrix}
        options={[
          { value: 'stage', label: summary ? summary.name : 'the sentence' },
          { value: 'generated', label: 'uniform, generated' },
        ]}
        onChange={(matrix) => choose({ matrix })}
      />
      {choices.matrix === 'generated' && (
        <div className="fields-2">
          <NumberInput
            label="rows"
            whole
            min={16}
            max={131_072}
            value={choices.rows === 0 ? (summary?.rows ?? 0) : choices.rows}
            onChange={(rows) => choose({ rows })}
          />
          <NumberInput
            label="columns"
            whole
            min={16}
            max={131_072}
            value={choices.cols === 0 ? (summary?.cols ?? 0) : choices.cols}
            onChange={(cols) => choose({ cols })}
          />
        </div>
      )}
      <div className="fields-2">
        <SelectField
          label="values"
          mono
          value={choices.values}
          options={VALUE_TYPES.map((value) => ({ value, label: value }))}
          onChange={(values) => choose({ values })}
        />
        <NumberInput
          label="seed"
          whole
          min={0}
          max={2 ** 32 - 1}
          value={choices.seed}
          onChange={(seed) => choose({ seed })}
        />
      </div>
    </Section>
  );
}

function FormatControls({ choices, choose, density }: ControlsProps) {
  const { formats } = useApp();
  const chosen = useDocument((doc) => doc.params);
  const params = paramsAt(formats, chosen, density.question);
  return (
    <Section title="Formats" aside="parameters">
      <ul className="density-formats">
        {formats.map((format) => {
          const own = withValueType(format, params[format.id], choices.values);
          return (
            <li key={format.id}>
              <Check
                checked={isChosen(format, choices.formats)}
                disabled={format.group === OWN_GROUP}
                onChange={() => choose({ formats: toggled(choices.formats, format.id) })}
              >
                <Swatch format={format.id} />
                {format.title}
              </Check>
              <span className="faint number">{own ? paramText(own) : `no ${choices.values}`}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function MeasureControls(props: ControlsProps) {
  const { choices, choose, density } = props;
  const { session } = useApp();
  const { sizes } = useSizeRuns();
  const { running } = density.sizes;
  const bench = useSession((s) => s.bench.running);
  const device = useSession((s) => s.device);
  const software =
    device?.kind === 'ready' && device.environment.isFallback ? softwareSentence(device.environment) : null;
  return (
    <Section
      title="Measure"
      aside={
        <>
          {props.speedDensities.done} of {props.speedDensities.all} done
        </>
      }
    >
      <div className="fields-2">
        <NumberInput
          label="densities"
          whole
          min={2}
          max={40}
          value={choices.densities}
          onChange={(densities) => choose({ densities })}
        />
        <NumberInput
          label="rounds"
          whole
          min={1}
          max={200}
          value={choices.rounds}
          onChange={(rounds) => choose({ rounds })}
        />
      </div>
      {bench ? (
        <JobProgress job={bench.job} onCancel={session.cancelBench} />
      ) : (
        <>
          {props.onGoOn && (
            <button type="button" className="button button--solid button--wide" onClick={props.onGoOn}>
              Go on
            </button>
          )}
          <button
            type="button"
            className={props.onGoOn ? 'button button--wide' : 'button button--solid button--wide'}
            disabled={props.speedProblem !== null}
            onClick={props.onMeasureSpeeds}
          >
            {props.speedDensities.done > 0
              ? 'Measure again'
              : props.ownDensity === null
                ? 'Measure speeds'
                : `Measure at its density, ${densityText(props.ownDensity)}`}
          </button>
        </>
      )}
      <p className="field-hint">
        {props.ownDensity !== null &&
          'The matrix of the sentence is measured as it is; for other densities, choose “uniform, generated”. '}
        {props.speedProblem ??
          (props.where === 'gpu'
            ? software !== null
              ? `Verifies y = A x at each density. ${software} Measure times it when you ask.`
              : `y = A x on this GPU, ${countText(choices.rounds)} rounds at each density.`
            : 'Without a GPU, y = A x is timed on one thread of the CPU, in TypeScript, which says nothing about a GPU.')}
      </p>
      {running ? (
        <JobProgress job={running} onCancel={sizes.cancel} />
      ) : (
        <button type="button" className="button button--wide" disabled={bench !== null} onClick={props.onMeasureSizes}>
          {density.encoded.length === 0 ? 'Encode matrices' : 'Encode again'}
        </button>
      )}
      <p className="field-hint">A dot for each encoded matrix, next to the expected line.</p>
    </Section>
  );
}

/** Optional series of the charts. */
function OtherControls({ choices, choose }: ControlsProps) {
  return (
    <Section title="Compared with">
      {(
        [
          ['published', 'published figures'],
          ['quantised', 'dense in fewer bits'],
          ['unstructured', 'Tiled-CSL, 4 bytes per non-zero'],
        ] as const
      ).map(([name, label]) => (
        <Check
          key={name}
          checked={choices.beside.includes(name)}
          onChange={() => choose({ beside: toggled(choices.beside, name) })}
        >
          {label}
        </Check>
      ))}
    </Section>
  );
}
