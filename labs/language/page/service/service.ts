// The functions of the worker that the page Language calls.

import type { DecodeReport } from '../../../../src/core/reports/decode-report.ts';
import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import { defineService } from '../../../../src/engine/bridge/service.ts';
import type { EngineHost } from '../../../../src/engine/host.ts';
import type { ImportedModel } from '../../models/imported-model.ts';
import type { ImportedModels, ModelRequest } from '../../models/imported-models.ts';
import type { ModelPlan } from '../../decoders/open/open-model.ts';
import { QualityMeasurer } from './quality.ts';
import type {
  DecodeRequest,
  FiringRequest,
  MatrixFile,
  MatrixFileRequest,
  MeasuredParts,
  MeasuredQuality,
  OnDecodeReport,
  OnFired,
  OnPartLoss,
  OnQuality,
  OnStoredMatrix,
  OnWriteEvent,
  PartsRequest,
  QualityRequest,
  StoredRequest,
  TimesRequest,
  TokenTimes,
  UserTextQuality,
  UserTextRequest,
  WriteRequest,
  WritingResult,
} from './types.ts';
import { Decoders } from './decoders.ts';
import { type InputsQuality, type InputsRequest, inputsQuality } from './inputs.ts';
import { UserTextMeasurer } from './user-text.ts';
import { recipeOfPruning } from './request-recipes.ts';
import { FiringWriter } from './firing-writer.ts';
import { storedBytes } from './stored-bytes.ts';
import { TextWriter } from './write.ts';
import type { LoadedModels } from '../../models/loaded-models.ts';
import { decodeHere } from './decode-here.ts';
import { matrixFile } from './matrix-file.ts';

/** The loaded models, and the imported models: from an address, or from files. */
interface Models {
  readonly models: LoadedModels;
  readonly imported: ImportedModels;
}

/** The service that writes with language models, measures and times them: dense and pruned, shipped and imported. */
export const languageService = ({ models, imported }: Models) =>
  defineService('language', (host: EngineHost) => {
    const decoders = new Decoders(host);
    const writer = new TextWriter(models, decoders, host);
    const measurer = new QualityMeasurer(models, host, decoders);
    const userTexts = new UserTextMeasurer(models, host, decoders);
    const firing = new FiringWriter(models, () => host.now());
    /** Frees the data of the imported model, which would be in memory together with the next model's. */
    const releaseImported = async (): Promise<void> => {
      await writer.leave();
      writer.forget();
      decoders.release();
      models.forgetImported();
      userTexts.forget();
    };
    host.beforeBench(() => writer.leave());
    host.beforeBench(() => measurer.leaveDevice());
    host.beforeBench(() => userTexts.leaveDevice());
    return {
      /**
       * Writes a text with the dense model, reads the text with the pruned model, and lets the pruned model continue by
       * itself from its first different token. Events arrive when they are computed. A newer call ends an older call,
       * which rejects with CancelledError.
       */
      async write(job: ServiceJob, request: WriteRequest, onEvent: OnWriteEvent): Promise<WritingResult> {
        host.throwIfBusy('write');
        return writer.write(job, request, onEvent);
      },
      /** Counts the bytes of every matrix of a model's blocks in one format, and reports each. */
      async storedBytes(job: ServiceJob, request: StoredRequest, onMatrix: OnStoredMatrix): Promise<void> {
        host.throwIfBusy('encode');
        return storedBytes(host, models, request, job, onMatrix);
      },
      /**
       * Measures a pruned and rounded model on tales (texts of one grammar) that no model has seen, and lets the model
       * write tales, in which the judge (tales/judge.ts) finds the first broken law. Earlier results are kept: only
       * the rest is measured. Events arrive when tales are done.
       */
      async quality(job: ServiceJob, request: QualityRequest, onQuality: OnQuality): Promise<MeasuredQuality> {
        host.throwIfBusy('measure a model');
        return measurer.measure(job, request, onQuality);
      },
      /** Bits that tales need if every matrix reads only the largest inputs of a token. */
      async inputs(job: ServiceJob, request: InputsRequest): Promise<InputsQuality> {
        host.throwIfBusy('measure a model');
        return inputsQuality(models, request, job);
      },
      /** Bits of the user's text under a pruned and rounded model, in pieces as long as the model can read. */
      async userText(job: ServiceJob, request: UserTextRequest): Promise<UserTextQuality> {
        host.throwIfBusy('measure a model');
        return userTexts.measure(job, request);
      },
      /**
       * Extra bits of the beginning of the user's text if a single layer, kind or matrix is pruned, for each of them.
       */
      async userParts(job: ServiceJob, request: PartsRequest, onPart: OnPartLoss): Promise<MeasuredParts> {
        host.throwIfBusy('measure a model');
        return userTexts.parts(job, request, onPart);
      },
      /**
       * Writes a text with the unpruned model, and reports the firing neurons of every token, including the prompt.
       * Tokens arrive when they are computed. A newer call ends an older call, which rejects with CancelledError.
       */
      async fire(job: ServiceJob, request: FiringRequest, onFired: OnFired): Promise<{ readonly ended: boolean }> {
        host.throwIfBusy('write');
        return firing.write(job, request, onFired);
      },
      /** Inspects a model before its import: its properties and sizes. No weight is fetched. */
      inspect: (job: ServiceJob, request: ModelRequest): Promise<ModelPlan> => imported.inspect(request, job),
      /** Imports a model; with `keep` its files are saved in this browser. */
      async bring(job: ServiceJob, request: ModelRequest, keep: boolean): Promise<ImportedModel> {
        host.throwIfBusy('open a model');
        await releaseImported();
        return imported.import(request, { isSaved: keep }, job);
      },
      /** The imported models in this browser. */
      brought: (_job: ServiceJob): Promise<readonly ImportedModel[]> => imported.list(),
      /** Imported models whose download was interrupted after a part was stored. */
      unfinished: (_job: ServiceJob) => imported.unfinished(),
      /** Entries of imported models in this browser that cannot be read; the user may remove them. */
      unreadable: (_job: ServiceJob) => imported.unreadable(),
      forgetUnreadable: (_job: ServiceJob, entry: string): Promise<void> => imported.removeUnreadable(entry),
      /** Removes an imported model, or its stored parts. */
      async forget(_job: ServiceJob, id: string): Promise<void> {
        await releaseImported();
        return imported.remove(id);
      },
      /** A matrix of a model as a safetensors file, for other pages to open. */
      matrix: (job: ServiceJob, request: MatrixFileRequest): Promise<MatrixFile> => matrixFile(models, request, job),
      /** Times a token of a model on its device while nothing else runs. Recipe: how weights are pruned and rounded. */
      async times(job: ServiceJob, { model, pruning, format, params }: TimesRequest): Promise<TokenTimes> {
        const loaded = await models.load(model, job);
        const weights = await models.pruned(loaded, recipeOfPruning(pruning), job);
        const storage = format === null ? null : { format: host.format(format), params };
        return host.exclusively(() => decoders.times(loaded, weights, storage, job));
      },
      /**
       * Decodes 100 tokens with a model's sizes and generated weights, after none, 1,000 and 4,000 others. Reports
       * arrive as they grow; after an interruption the last report stays.
       */
      async decode(job: ServiceJob, request: DecodeRequest, onReport: OnDecodeReport): Promise<DecodeReport> {
        return host.exclusively(() => decodeHere(host, request, job, onReport));
      },
    };
  });

export type LanguageService = ReturnType<typeof languageService>;
