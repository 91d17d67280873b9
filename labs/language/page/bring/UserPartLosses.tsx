// How much each part of an imported model loses on the user's text if only that part is pruned.

import { SparseScopeError } from '../../../../src/core/errors.ts';
import { counted } from '../../../../src/core/text/words.ts';
import { useApp } from '../../../../src/kit/app-context.ts';
import { Button } from '../../../../src/kit/controls/Button.tsx';
import { useJob } from '../../../../src/kit/use-job.ts';
import type { JobRequest } from '../../../../src/state/index.ts';
import { JobProgress } from '../../../../src/kit/controls/JobProgress.tsx';
import { blockMatrices } from '../../decoders/decoder.ts';
import { modelAddress } from '../../overrides/model-files.ts';
import { HeatMap, partKey } from '../curve/HeatMap.tsx';
import type { LanguageService } from '../service/service.ts';
import type { LanguageModelChoice } from '../model-choice.ts';
import type { ServiceOf } from '../../../../src/engine/bridge/service.ts';
import type { ModelAddress } from '../../models/loaded-models.ts';
import type { MeasuredParts } from '../service/types.ts';
import { userTextProblem } from './user-text-job.ts';

/** The density to which one part of a model is pruned: a layer, a kind of matrix such as q, or a matrix. */
const PART_DENSITY = 0.3;

/** How many more bits the beginning of a text costs if one part of a model is pruned, for each part. */
export interface PartLosses {
  readonly text: string;
  /** bits lost, by `partKey` */
  readonly lost: ReadonlyMap<string, number>;
  /** the text's tokens and bits, once all parts were measured; null until then */
  readonly summary: MeasuredParts | null;
}

/** The job that measures all parts; if it is stopped, the results so far stay. */
export function partLossesJob(
  service: Pick<ServiceOf<LanguageService>, 'userParts'>,
  model: ModelAddress,
  text: string,
): JobRequest<PartLosses>['work'] {
  return async (watch, { update }) => {
    const problem = userTextProblem(text);
    if (problem !== null) throw new SparseScopeError(problem);
    let lost: PartLosses['lost'] = new Map();
    update({ text, lost, summary: null });
    const summary = await service.userParts(watch, { model, text, density: PART_DENSITY }, ({ layer, kind }, bits) => {
      lost = new Map(lost).set(partKey(layer, kind), bits);
      update({ text, lost, summary: null });
    });
    return { text, lost, summary };
  };
}

/** The length of the measured text, and its bits under the unpruned model, in words. */
export function partsText({ tokens, bits }: Pick<MeasuredParts, 'tokens' | 'bits'>): string {
  return `First ${counted(tokens, 'token')}: ${bits.toFixed(1)} bits unpruned.`;
}

interface UserPartLossesProps {
  readonly model: LanguageModelChoice['model'];
  readonly text: string;
}

/** Measures which parts of a model, pruned alone, cost most bits on the user's text. */
export function UserPartLosses({ model, text }: UserPartLossesProps) {
  const { engine } = useApp();
  const measuring = useJob<PartLosses>(['Measuring each matrix', model.id], null);
  const { data: answer, job, error, isCancelled, startWith, cancel } = measuring;
  const problem = isCancelled ? 'Stopped.' : error;
  const losses = answer?.text === text ? answer : null;
  const percentKept = Math.round(100 * PART_DENSITY);
  return (
    <section className="grid gap-3 mt-3">
      <h3 className="side-head">
        Where it hurts <span className="section-caption">bits lost, this alone at {percentKept} %</span>
      </h3>
      {losses !== null && losses.lost.size > 0 && (
        <HeatMap layers={model.shape.layers} kinds={blockMatrices(model.shape)} lost={losses.lost} />
      )}
      {losses?.summary && <p className="text-muted">{partsText(losses.summary)}</p>}
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {job ? (
        <JobProgress job={job} onCancel={cancel} />
      ) : (
        <p className="flex flex-wrap items-center gap-y-2 gap-x-3">
          <Button
            onClick={() =>
              startWith(partLossesJob(engine.service<LanguageService>('language'), modelAddress(model.id), text))
            }
          >
            Measure each part
          </Button>
        </p>
      )}
    </section>
  );
}
