import type { AnyListedFormat } from '../../../../core/format.ts';
import { counted, countText } from '../../../../core/story/words.ts';
import { referenceFormat } from '../../../../formats/catalog.ts';
import type { RunningJob } from '../../../../state/index.ts';
import { useSession } from '../../../../kit/app-context.ts';
import { JobProgress } from '../../../../kit/controls/JobProgress.tsx';
import { NumberInput } from '../../../../kit/controls/NumberInput.tsx';
import { Segmented } from '../../../../kit/controls/Segmented.tsx';
import { ALL_IMAGES, type NetworkChoices } from './fields.ts';
import { valueTypesOf, WAY_TITLES, WAYS } from './plan.ts';
import { Swatch } from '../../../../kit/controls/Swatch.tsx';
import { Check, toggled } from '../../../../kit/controls/Check.tsx';
import { FieldGroup } from '../../../../kit/controls/FieldGroup.tsx';

export interface NetworkFormProps {
  readonly chosen: NetworkChoices;
  readonly choose: (changed: Partial<NetworkChoices>) => void;
  /** of weights */
  readonly formats: readonly AnyListedFormat[];
  readonly running: RunningJob | null;
  readonly error: string | null;
  readonly done: number;
  readonly of: number;
  readonly onRun: () => void;
  readonly onCancel: () => void;
}

/** What to prune, how, in which formats, and where to run it. */
export function NetworkForm(props: NetworkFormProps) {
  const { chosen, choose, formats, running, error, done, of, onRun, onCancel } = props;
  const device = useSession((s) => s.device);
  return (
    <div className="network-form">
      <FieldGroup title="Pruned by">
        {WAYS.map((way) => (
          <Check
            key={way}
            checked={chosen.prune.includes(way)}
            onChange={() => choose({ prune: WAYS.filter((w) => toggled(chosen.prune, way).includes(w)) })}
          >
            <span>{WAY_TITLES[way]}</span>
            {way === chosen.prune[0] && chosen.prune.length > 1 && (
              <span className="check-aside faint">in every format</span>
            )}
          </Check>
        ))}
      </FieldGroup>
      <Segmented
        label="layers"
        value={chosen.layers}
        options={[
          { value: 'all', label: 'all three' },
          { value: 'hidden', label: 'hidden ones' },
        ]}
        onChange={(layers) => choose({ layers })}
      />
      <FieldGroup title="Formats" aside="values">
        <FormatCheck
          title={referenceFormat.title}
          id={referenceFormat.id}
          values={`${valueTypesOf(referenceFormat).join(', ')}, not pruned`}
          checked
        />
        {formats.map((format) => (
          <FormatCheck
            key={format.id}
            title={format.title}
            id={format.id}
            values={valueTypesOf(format).join(', ')}
            checked={chosen.tried.includes(format.id)}
            onToggle={() => {
              const ids = formats.map((f) => f.id);
              choose({ tried: ids.filter((id) => toggled(chosen.tried, format.id).includes(id)) });
            }}
          />
        ))}
      </FieldGroup>
      <FieldGroup
        title="Run"
        aside={
          <>
            {done} of {of} done
          </>
        }
        className="network-run"
      >
        <Segmented
          label="products on the"
          value={chosen.where}
          options={[
            { value: 'cpu', label: 'CPU' },
            { value: 'gpu', label: 'GPU', disabled: device?.kind !== 'ready' },
          ]}
          onChange={(where) => choose({ where })}
        />
        <NumberInput
          label="test images"
          whole
          min={20}
          max={ALL_IMAGES}
          value={chosen.images}
          onChange={(images) => choose({ images })}
        />
        {running ? (
          <JobProgress job={running} onCancel={onCancel} />
        ) : (
          <button type="button" className="button button--solid button--wide" onClick={onRun} disabled={done === of}>
            {done === of ? 'Everything has run' : done === 0 ? 'Run' : 'Go on'}
          </button>
        )}
        {chosen.images < ALL_IMAGES && (
          <button type="button" className="text-button" onClick={() => choose({ images: ALL_IMAGES })}>
            Run on all {countText(ALL_IMAGES)} images
          </button>
        )}
        {error !== null && (
          <p className="field-error" role="status">
            {error}
          </p>
        )}
        <p className="field-hint">
          {`${counted(of, 'network')}: each layer is pruned, encoded in the format, and multiplied by ${counted(chosen.images, 'image')}.`}
        </p>
      </FieldGroup>
    </div>
  );
}

interface FormatCheckProps {
  readonly title: string;
  readonly id: string;
  readonly values: string;
  readonly checked: boolean;
  /** absent: always runs */
  readonly onToggle?: () => void;
}

function FormatCheck({ title, id, values, checked, onToggle }: FormatCheckProps) {
  return (
    <Check checked={checked} disabled={!onToggle} onChange={() => onToggle?.()}>
      <Swatch format={id} />
      <span>{title}</span>
      <span className="check-aside faint">{values}</span>
    </Check>
  );
}
