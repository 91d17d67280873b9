import { useEffect, useMemo, useRef, useState } from 'react';
import { useApp, useDocument } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { saveBlob } from '../../../kit/browser/save-blob.ts';
import { JobProgress } from '../../../kit/controls/JobProgress.tsx';
import { megabytes } from '../../../kit/words/weights.ts';
import { asSentence, newJob, type RunningJob } from '../../../state/index.ts';
import { PLACE_FIELDS } from '../fields.ts';
import { modelUrl } from '../../../kit/models/model-url.ts';
import type { language } from '../service/service.ts';
import type { SaveRequest } from '../service/types.ts';
import { useOwn } from '../use-own.ts';
import { useSubjectOrUsual } from '../use-subject.ts';

/** Saves the whole model as it is pruned and rounded, with its size beforehand. */
export function SaveModel() {
  const { engine, announce } = useApp();
  const service = useMemo(() => engine.service<typeof language>('language'), [engine]);
  const params = useDocument((doc) => doc.params[doc.format]);
  const [{ by: calibration }] = useChoices(PLACE_FIELDS);
  const subject = useSubjectOrUsual();
  const { matrices: own } = useOwn(subject);
  const request = useMemo<SaveRequest>(() => {
    const { model, pruning } = subject;
    return {
      model: { id: model.id, url: modelUrl(model.id) },
      pruning,
      params,
      ...(own && { own }),
      ...(calibration !== '' && { calibration }),
    };
  }, [subject, params, own, calibration]);
  const [size, setSize] = useState<{
    readonly of: SaveRequest;
    readonly words: string;
    readonly isRefused: boolean;
  } | null>(null);
  const [running, setRunning] = useState<RunningJob | null>(null);
  const abort = useRef<AbortController | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    service.savedBytes({ signal: controller.signal }, request).then(
      (found) => setSize({ of: request, words: `${megabytes(found)} as a zip: `, isRefused: false }),
      (failure: unknown) => {
        const isOver = controller.signal.aborted || !(failure instanceof Error);
        if (!isOver) setSize({ of: request, words: asSentence(failure.message), isRefused: true });
      },
    );
    return () => controller.abort();
  }, [service, request]);
  useEffect(() => () => abort.current?.abort(), []);

  const save = async (): Promise<void> => {
    abort.current = new AbortController();
    const { signal } = abort.current;
    setRunning(newJob('Saving the model'));
    try {
      const onProgress = (progress: RunningJob['progress']): void => setRunning((now) => now && { ...now, progress });
      const { name, blob } = await service.save({ signal, onProgress }, request);
      saveBlob(name, blob);
    } catch (error) {
      const isCancelled = error instanceof Error && error.name === 'CancelledError';
      if (!isCancelled) announce(asSentence(error instanceof Error ? error.message : String(error)));
    }
    setRunning(null);
  };
  const known = size?.of === request ? size : null;
  const canSave = running === null && known?.isRefused !== true;
  return (
    <section aria-labelledby="language-model-file">
      <h3 id="language-model-file">The model</h3>
      <div className="export-row">
        {/* It stays while the model is saved, or else the focus would fall out of the dialog, and Escape not close it. */}
        <button
          type="button"
          className="button"
          aria-disabled={!canSave}
          onClick={canSave ? () => void save() : undefined}
        >
          Save this model
        </button>
      </div>
      {running && <JobProgress job={running} onCancel={() => abort.current?.abort()} />}
      <p className="quiet">
        {known?.words}
        {known?.isRefused !== true &&
          'model.safetensors, dense with zeros, its config.json, tokenizer.json and a manifest.'}
      </p>
    </section>
  );
}
