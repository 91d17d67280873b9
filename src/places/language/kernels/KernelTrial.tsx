import './kernels.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { SelectField } from '../../../kit/controls/Select.tsx';
import { oneDecimal } from '../../../kit/words/rates.ts';
import { currentParams, type DraftVariant } from '../../../state/index.ts';
import { modelUrl } from '../../../kit/models/model-url.ts';
import type { Tried } from '../service/try-types.ts';
import type { LanguageSubject } from '../subject.ts';
import { blockFormats, draftValue, kernelChoices } from './choices.ts';
import { KERNEL_FIELDS } from './fields.ts';
import { useTrial } from './use-trial.ts';
import { logitsWords, roundingWords } from './words.ts';

/** Drafts that have been brought here and were shown: the page goes to a new one alone. */
const shown = new WeakSet<DraftVariant>();

/** The model that comes with the page whose neurons do not all fire. */
const RELU = 'tales-relu';

/** Which kernels decode the model: chosen, or written in Code, and held to the oracle when somebody asks for it. */
export function KernelTrial({ subject: { model, pruning } }: { readonly subject: LanguageSubject }) {
  const { formats } = useApp();
  const chosen = useDocument((doc) => doc.format);
  const params = useDocument(currentParams);
  const listed = useSession((s) => s.variants);
  const brought = useSession((s) => s.draftForModel);
  const [{ kernel, block }, choose] = useChoices(KERNEL_FIELDS);
  const format = formats.find(({ id }) => id === chosen) ?? referenceFormat;
  const kernels = useMemo(
    () => kernelChoices(format, params, brought === null ? listed : [brought, ...listed]),
    [format, params, brought, listed],
  );
  // A draft is no part of an address; the one that was brought here is chosen at first.
  const [draft, setDraft] = useState(brought === null ? '' : draftValue(brought));
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (brought === null || shown.has(brought)) return;
    shown.add(brought);
    section.current?.scrollIntoView({ block: 'center' });
    section.current?.querySelector('button')?.focus({ preventScroll: true });
  }, [brought]);
  const choice = kernels.find(({ value }) => value === (draft || kernel)) ?? kernels[0];
  const blocks = useMemo(() => (model.id === RELU ? blockFormats(formats) : []), [formats, model.id]);
  const ofBlock = blocks.find(({ id }) => id === block) ?? null;
  const key = JSON.stringify([model.id, pruning, format.id, params, choice.value, ofBlock?.id]);
  const { tried, isRunning, error, run, stop } = useTrial(key);
  const onTry = (): void => {
    const written = choice.draft;
    void run({
      model: { id: model.id, url: modelUrl(model.id) },
      pruning,
      format: written?.format ?? format.id,
      params: written?.params ?? params,
      kernel: written
        ? { kernel: written.kernel, files: written.files, overrides: written.overrides, mark: written.mark }
        : choice.value || null,
      block: ofBlock?.id ?? null,
    });
  };
  return (
    <section ref={section} className="kernel-trial" aria-labelledby="kernel-trial">
      <h3 id="kernel-trial" className="side-head">
        Kernels in the chain{' '}
        <span className="section-caption">each has to keep the logits that the oracle computes in f64</span>
      </h3>
      <div className="kernel-trial-choices">
        <SelectField
          label="kernel"
          value={choice.value}
          options={kernels}
          onChange={(value) => {
            const isDraft = kernels.some((one) => one.value === value && one.draft !== undefined);
            setDraft(isDraft ? value : '');
            if (!isDraft) choose({ kernel: value });
          }}
        />
        {blocks.length > 0 && (
          <SelectField
            label="feed-forward block"
            value={ofBlock?.id ?? ''}
            options={[
              { value: '', label: 'matrix by matrix' },
              ...blocks.map(({ id, title }) => ({ value: id, label: `${title}, in one kernel` })),
            ]}
            onChange={(value) => choose({ block: value })}
          />
        )}
        <button type="button" className="button button--solid" aria-busy={isRunning} onClick={isRunning ? stop : onTry}>
          {isRunning ? 'Stop' : 'Try it in the model'}
        </button>
      </div>
      <div role="status" className="kernel-trial-result" data-ok={tried?.ok ?? undefined}>
        {isRunning && <p className="quiet">Decoding the beginning of a tale, and comparing its logits …</p>}
        {error !== null && <p className="kernel-trial-error">{error}</p>}
        {tried !== null && <Result tried={tried} />}
      </div>
    </section>
  );
}

function Result({ tried }: { readonly tried: Tried }) {
  const { kernel, block, multiplied, draftFault, rate, usualRate, isSoftware } = tried;
  const rounding = roundingWords(tried);
  const isUsual = rate === usualRate;
  return (
    <>
      <p>
        <b>{logitsWords(tried)}</b>
      </p>
      <p className="kernel-trial-facts">
        {kernel === null ? (
          'No matrix is in the format'
        ) : (
          <>
            <code>{kernel}</code> multiplies {multiplied.inFormat} matrices
          </>
        )}
        {multiplied.refusal !== null && `, the others are dense: ${multiplied.refusal}`}
        {block !== null && (
          <>
            , <code>{block}</code> computes the feed-forward blocks
          </>
        )}
        . {rounding}
        {draftFault !== null && ` Alone the draft ${draftFault}.`}
      </p>
      {rate !== null && (
        <p>
          <b className="number">{oneDecimal(rate)}</b> tokens/s
          {!isUsual && usualRate !== null && (
            <>
              , <b className="number">{oneDecimal(usualRate)}</b> by the first kernel that fits
            </>
          )}
          {isSoftware && ', on a GPU in software, which says nothing about cards'}.
        </p>
      )}
    </>
  );
}
