import { useMemo } from 'react';
import { counted, countText } from '../../../../core/text/words.ts';
import { referenceFormat } from '../../../../formats/catalog.ts';
import { useApp } from '../../../../kit/app-context.ts';
import { useChoices } from '../../../../kit/browser/choices.ts';
import { Button, TextButton } from '../../../../kit/controls/Button.tsx';
import { JobProgress } from '../../../../kit/controls/JobProgress.tsx';
import { useDevice } from '../../../../kit/devices/use-device.ts';
import { useJob } from '../../../../kit/use-job.ts';
import { modelSize } from '../../../../kit/words/model-sizes.ts';
import type { Device } from '../../../../state/index.ts';
import { fileAnswer, type TensorAnswer } from '../../../../theory/choice/file-choice.ts';
import { chooseFormats, denseTotals } from '../../../../theory/choice/format-choice.ts';
import { timedFormats } from '../../../../theory/choice/predicted-times.ts';
import type { ComparedFormats } from '../../rows/compare-row.ts';
import type { compareFormats, SentAnswer } from '../../service/service.ts';
import { CHOICE_FIELDS, ChoiceAnswer, ChoiceControls, type ChoiceSettings, type ShownChoice } from './ChoiceAnswer.tsx';

/** What was found so far in a file of `total` tensors with rows and columns. */
interface FoundTensors {
  readonly answers: readonly TensorAnswer[];
  readonly total: number;
}

/** The best format for every matrix of the file that the open matrix is from, which the user starts to read. */
export function FileChoice({ compared }: { readonly compared: ComparedFormats }) {
  const [settings, choose] = useChoices(CHOICE_FIELDS);
  const { summary, tokens } = compared;
  // Times of any shape count, not only those of the open matrix.
  const { device, loading } = useDevice(hasReports);
  const from = summary.read?.from;
  const name = from?.kind === 'file' ? from.name : (from?.link ?? summary.name);
  const times = useMemo(() => (tokens === 1 ? timedFormats(device.reports) : []), [tokens, device]);
  const reading = useFoundTensors(name, summary.baseNumber, settings, {
    times,
    key: [device.id, device.reports.length, tokens === 1],
  });
  const { data, job, error } = reading;
  const answer = useMemo(() => data && shownChoice(name, data, settings, times), [name, data, settings, times]);
  const isWhole = data !== null && data.answers.length === data.total;
  return (
    <>
      <ChoiceControls settings={settings} choose={choose} prunes />
      <div className="mt-3 empty:hidden">
        {job ? (
          <JobProgress job={job} onCancel={reading.cancel} />
        ) : data === null ? (
          <>
            <p className="mb-2">
              Reads every matrix of {name} and stores it in its two best formats, for their exact bytes. A large file
              takes minutes{from?.kind === 'remote' && ', and all of it is downloaded'}.
            </p>
            {loading ? (
              <p role="status">Loading recorded times</p>
            ) : (
              <Button onClick={reading.start}>Read every matrix</Button>
            )}
          </>
        ) : (
          !isWhole && (
            <p role="status" className="underlined">
              {countText(data.answers.length)} of {counted(data.total, 'tensor')} were read.{' '}
              <TextButton onClick={reading.start}>Continue</TextButton>
            </p>
          )
        )}
        {error !== null && (
          <p role="alert" className="text-danger">
            {error}
          </p>
        )}
      </div>
      {answer && (
        <>
          <ChoiceAnswer choice={answer.shown} settings={settings} device={device.name}>
            Bytes: exact for the two best formats of each matrix; vectors are left out. Lossless: nothing pruned,
            exponents by their entropy; the time of decoding is not modelled.
          </ChoiceAnswer>
          <NamedMatrices title="Stays dense f32" all={answer.unsupported} />
          <NamedMatrices title="Not counted" all={answer.unread} />
        </>
      )}
    </>
  );
}

const hasReports = ({ reports }: Device): boolean => reports.length > 0;

/** Reads the file once it is started; what was read stays when it is cancelled, and starting it again continues there. */
function useFoundTensors(
  name: string,
  baseNumber: number,
  { goal, bits, pruned }: ChoiceSettings,
  device: { readonly times: ReturnType<typeof timedFormats>; readonly key: readonly unknown[] },
) {
  const { engine, formats } = useApp();
  return useJob<FoundTensors>(
    ['Reading matrices', name, baseNumber, goal, bits, pruned, device.key],
    async (watch, { lastOfSameKey, update }) => {
      const isUnfinished = lastOfSameKey !== null && lastOfSameKey.answers.length < lastOfSameKey.total;
      const previous = isUnfinished ? lastOfSameKey : null;
      const answers = [...(previous?.answers ?? [])];
      let total = previous?.total ?? 0;
      const question = { objective: goal, times: device.times, keptShare: 1 - pruned / 100, minBits: Number(bits) };
      await engine
        .service<typeof compareFormats>('compare')
        .choose(watch, baseNumber, question, answers.length, (answer, all) => {
          answers.push(received(answer, formats));
          total = all;
          // Each part draws the table again.
          if (answers.length % Math.ceil(total / MAX_PARTS) === 0) update({ answers: [...answers], total });
        });
      return { answers, total };
    },
    { manual: true, title: `Reading ${name}` },
  );
}

/** The most parts of a result that are drawn while a file is read. */
const MAX_PARTS = 500;

/** An answer of the worker, with the page's formats. */
function received({ options, ...answer }: SentAnswer, formats: ReturnType<typeof useApp>['formats']): TensorAnswer {
  const formatOf = (id: string) => formats.find((format) => format.id === id) ?? referenceFormat;
  return {
    ...answer,
    options: options && {
      matrix: options.matrix,
      options: options.options.map(({ candidate, ...option }) => ({
        ...option,
        candidate: { ...candidate, format: formatOf(candidate.format) },
      })),
    },
  };
}

/** The choice for the tensors that were read; null if none of them is a matrix. */
function shownChoice(
  name: string,
  { answers, total }: FoundTensors,
  { goal, bits, budget, pruned }: ChoiceSettings,
  times: ReturnType<typeof timedFormats>,
) {
  const { all, lookup, losslessBytes, unsupported, unread } = fileAnswer(answers);
  if (all.length === 0) return null;
  // The embedding, from which a token looks up a row (`lookup` bytes), is stored in f16 in any case.
  const limit = goal === 'time' && budget > 0 ? budget * 1e9 - lookup : Infinity;
  const dense = denseTotals(all, referenceFormat, times);
  const facts = {
    objective: goal,
    prunedPercent: pruned,
    fewestBitsOfAValue: Number(bits),
    denseF16Bytes: Math.round(dense.f16.bytes + lookup),
    denseI4Bytes: Math.round(dense.i4.bytes + lookup),
    losslessBytes: Math.round(losslessBytes),
    unsupported,
    unread,
    notReached: total - answers.length,
  };
  const shown: ShownChoice = {
    name,
    isOfFile: true,
    choice: chooseFormats(all, goal, limit),
    dense,
    lookup,
    fewestBytes: (chooseFormats(all, 'bytes')?.bytes ?? 0) + lookup,
    more: [
      ['dense, lossless', modelSize(losslessBytes)],
      ...(lookup > 0 ? [['of each, embedding in f16', modelSize(lookup)] as const] : []),
    ],
    facts,
  };
  return { shown, unsupported, unread };
}

/** The most matrices that are named; the JSON has them all. */
const MAX_NAMED = 3;

/** Matrices with a reason for each. */
function NamedMatrices({ title, all }: { readonly title: string; readonly all: readonly string[] }) {
  if (all.length === 0) return null;
  const others = all.length - MAX_NAMED;
  return (
    <p className="field-hint mt-2 [overflow-wrap:anywhere]">
      {title}: {all.slice(0, MAX_NAMED).join('; ')}
      {others > 0 && `; and ${countText(others)} more (JSON)`}.
    </p>
  );
}
