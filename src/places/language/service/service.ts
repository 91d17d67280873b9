import type { DecodeReport } from '../../../core/reports/decode-report.ts';
import type { ServiceJob } from '../../../engine/bridge/job.ts';
import { defineService } from '../../../engine/bridge/service.ts';
import type { EngineHost } from '../../../engine/host.ts';
import type { BroughtModel, ModelRequest, Unfinished } from '../../../engine/models/brought-models.ts';
import type { ModelPlan } from '../../../language/open/open-model.ts';
import { QualityMeasurer } from './quality.ts';
import type { MeasuredQuality, OnQuality, QualityRequest } from './quality-types.ts';
import { decodeHere } from './decode.ts';
import { Decoders } from './decoder-of.ts';
import { OwnTextMeasurer } from './own-text.ts';
import type { OnOwnPart, OwnParts, OwnPartsRequest, OwnTextQuality, OwnTextRequest } from './own-text-types.ts';
import { oneMatrix } from './one-matrix.ts';
import { storedBytes } from './stored-bytes.ts';
import type {
  DecodeRequest,
  FiringRequest,
  MatrixFile,
  MatrixFileRequest,
  OnDecodeReport,
  OnFired,
  OnStoredMatrix,
  OnWriteEvent,
  StoredRequest,
  TimesRequest,
  TokenTimes,
  WriteRequest,
  Written,
} from './types.ts';
import { FiringWriter } from './firing.ts';
import { recipeOf } from './recipe-of.ts';
import { Writer } from './write.ts';

/** Models that write, dense and pruned. */
export const language = defineService('language', (host: EngineHost) => {
  const decoders = new Decoders(host);
  const writer = new Writer(host.loading.models, decoders, host);
  const measurer = new QualityMeasurer(host.loading.models, host, decoders);
  const ownTexts = new OwnTextMeasurer(host.loading.models, host, decoders);
  const firing = new FiringWriter(host.loading.models, () => host.now());
  /** What was made of a brought model would be in memory beside the next one. */
  const leaveBrought = async (): Promise<void> => {
    await writer.leave();
    host.loading.models.forgetBrought();
    ownTexts.forget();
  };
  host.beforeBench(() => writer.leave());
  host.beforeBench(() => measurer.leaveDevice());
  host.beforeBench(() => ownTexts.leaveDevice());
  return {
    /**
     * Writes a text with the dense model, reads it with the pruned one, and lets that write by itself from where it would
     * have written something else. Events arrive as they are computed. A newer call ends an older one, which rejects with
     * CancelledError.
     */
    async write(job: ServiceJob, request: WriteRequest, onEvent: OnWriteEvent): Promise<Written> {
      host.refuseIfBusy('write');
      return writer.write(job, request, onEvent);
    },
    /** Bytes of every matrix of a model's blocks in one format, as they are counted. */
    async storedBytes(job: ServiceJob, request: StoredRequest, onMatrix: OnStoredMatrix): Promise<void> {
      host.refuseIfBusy('encode');
      return storedBytes(host, request, job, onMatrix);
    },
    /**
     * Measures a model pruned and rounded on tales that no model has seen, and lets it write some for the judge. What was
     * measured before is kept: only what is missing is measured. Events arrive as tales are done.
     */
    async quality(job: ServiceJob, request: QualityRequest, onQuality: OnQuality): Promise<MeasuredQuality> {
      host.refuseIfBusy('measure a model');
      return measurer.measure(job, request, onQuality);
    },
    /** Bits of a text that somebody gives under a model, pruned and rounded, in pieces as long as it can read. */
    async ownText(job: ServiceJob, request: OwnTextRequest): Promise<OwnTextQuality> {
      host.refuseIfBusy('measure a model');
      return ownTexts.measure(job, request);
    },
    /** Bits that the beginning of such a text costs more if one layer, kind or matrix alone is pruned, one after the other. */
    async ownParts(job: ServiceJob, request: OwnPartsRequest, onPart: OnOwnPart): Promise<OwnParts> {
      host.refuseIfBusy('measure a model');
      return ownTexts.parts(job, request, onPart);
    },
    /**
     * Writes a text with a model as it came, and tells of every token which neurons fire, prompt included. Tokens arrive as
     * they are computed. A newer call ends an older one, which rejects with CancelledError.
     */
    async fire(job: ServiceJob, request: FiringRequest, onFired: OnFired): Promise<{ readonly ended: boolean }> {
      host.refuseIfBusy('write');
      return firing.write(job, request, onFired);
    },
    /** Looks at a model that somebody brings: what it is and what it would take. No weight is fetched. */
    look: (job: ServiceJob, request: ModelRequest): Promise<ModelPlan> => host.brought.look(request, job),
    /** Reads a model that somebody brings; with `keep` its files stay in this browser. */
    async bring(job: ServiceJob, request: ModelRequest, keep: boolean): Promise<BroughtModel> {
      host.refuseIfBusy('open a model');
      await leaveBrought();
      return host.brought.bring(request, keep, job);
    },
    /** Models that somebody brought, and that this browser has. */
    brought: (_job: ServiceJob): Promise<readonly BroughtModel[]> => host.brought.list(),
    /** What is kept of models that never came whole. */
    unfinished: (_job: ServiceJob): Promise<readonly Unfinished[]> => host.brought.unfinished(),
    /** Removes one of them. */
    async forget(_job: ServiceJob, id: string): Promise<void> {
      await leaveBrought();
      return host.brought.remove(id);
    },

    /** A matrix of a model as a safetensors file, which other places open. */
    matrix: (job: ServiceJob, request: MatrixFileRequest): Promise<MatrixFile> =>
      oneMatrix(host.loading.models, request, job),
    /** Times a token of a model where it runs, while nothing else does. */
    async times(job: ServiceJob, { model, pruning, format, params }: TimesRequest): Promise<TokenTimes> {
      const loaded = await host.loading.models.of(model, job);
      const weights = await host.loading.models.stored(loaded, recipeOf(pruning), job);
      const storedAs = format === null ? null : { format: host.format(format), params };
      return host.alone(() => decoders.times(loaded, weights, storedAs, job));
    },
    /**
     * Decodes 100 tokens at the sizes of a model, with generated weights, behind none, 1,000 and 4,000 others. Reports
     * arrive as they grow; what broke off leaves what it had.
     */
    async decode(job: ServiceJob, request: DecodeRequest, onReport: OnDecodeReport): Promise<DecodeReport> {
      return host.alone(() => decodeHere(host, request, job, onReport));
    },
  };
});
