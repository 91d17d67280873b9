import type { BenchReport } from '../../../core/report.ts';
import type { Words } from '../../../core/story/scene.ts';
import { useSession } from '../../../kit/app-context.ts';
import { isOnCpu, onText } from '../../../kit/devices/DeviceLabel.tsx';
import { type ShownDevice } from '../../../kit/devices/use-device.ts';
import { CopyButton } from '../../../kit/controls/CopyButton.tsx';
import { AnswerLine } from '../../../kit/frame/AnswerLine.tsx';
import { noCardOf } from '../../../kit/words/no-card.ts';
import { storedMatrix } from '../../../kit/words/stored-matrix.ts';
import { NOT_OF_A_GPU, ON_CPU } from '../../../kit/words/speed-of.ts';
import type { DeviceStatus } from '../../../engine/device.ts';
import { answerWords, type SideTime } from './answer-words.ts';
import { dayText } from '../../../state/devices/devices.ts';
import type { Device } from '../../../state/devices/device.ts';
import { isExact } from '../../../kit/report/matrix-times.ts';
import { isOfSimpleKernel } from '../../../kit/words/timed-name.ts';
import type { Measured, MeasuredSide } from './use-measured.ts';

interface AnswerHeadProps {
  readonly measured: Measured | null;
  readonly shown: ShownDevice;
}

/** The answer in one line; the old one is dimmed until the new one is there. */
export function AnswerHead({ measured, shown }: AnswerHeadProps) {
  const status = useSession((s) => s.device);
  const isOpening = useSession((s) => s.opening !== null);
  const isComing = shown.loading !== null || isOpening || measured === null;
  const report = measured && answeringReport(measured);
  const isOfCard = report === null || noCardOf(report) === null;
  return (
    <AnswerLine
      className={isOfCard ? undefined : 'answer-line answer-line--no-card faint'}
      words={isComing ? null : measuredWords(measured, shown.device, status)}
      waiting={'\u00a0'}
    />
  );
}

/** Copies the answer with its source; nothing if nothing was timed. */
export function Cite({ measured, shown }: AnswerHeadProps) {
  const status = useSession((s) => s.device);
  const report = measured && answeringReport(measured);
  if (!report) return null;
  const words = measuredWords(measured, shown.device, status);
  return (
    <CopyButton
      text={() => citation(words, report, onText(shown.device, status), location.href)}
      what="Citation"
      otherwise="save the report, which has it all"
    >
      cite this number
    </CopyButton>
  );
}

/** A time with everything needed to find it again: its report, card, day and, for a recording, the commit of its kernels. */
export function citation(words: readonly Words[], report: BenchReport, card: string, address: string): string {
  const { createdAt, app, recorded } = report;
  const from = recorded ? `recording ${recorded.id}, commit ${recorded.commit.slice(0, 7)}` : `report of ${createdAt}`;
  const said = words.map(({ text }) => text).join('');
  return `${said} SparseScope ${app}, ${from}, ${recorded?.name ?? card}, ${dayText(recorded?.date ?? createdAt)}. ${address}`;
}

/** The state of an unfinished time: verified and interleaved like a final one, but still being refined. */
function soFar({ timed }: MeasuredSide): string {
  if (!timed?.report.unfinished) return '';
  const { row, report } = timed;
  return `First ${Math.min(row.samplesNs.length, report.workload.rounds)} of ${report.workload.rounds} rounds.`;
}

/** The report of the first of its times. */
export function answeringReport({ sides: [a, b] }: Measured): BenchReport | null {
  return (a.timed ?? b?.timed)?.report ?? null;
}

/** The answer for the sentence on a device. */
export function measuredWords(measured: Measured, device: Device, status: DeviceStatus | null): readonly Words[] {
  const { sides, asked, speed, byBytes } = measured;
  const [a, b = null] = sides;
  const onCpu = isOnCpu(device, status) || a.timed?.row.where === 'cpu';
  const timeOf = (side: MeasuredSide): SideTime => ({
    name: side.name,
    ns: side.timed?.row.medianNs ?? null,
    bound: side.bound,
    reason: side.refusal?.reason ?? side.untimed,
    cannotStore: side.refusal !== null,
    isSimple: isOfSimpleKernel(side.format, side.timed?.row),
  });
  const report = answeringReport(measured);
  return answerWords({
    a: timeOf(a),
    b: b && timeOf(b),
    device: onCpu ? ON_CPU : device.recorded ? device.name : onText(device, status),
    speed,
    byBytes,
    isApart: a.timed !== null && b?.timed != null && a.timed.report !== b.timed.report,
    // Stand-in weights are as random as the timed ones.
    isLike:
      report !== null &&
      !isExact(report.workload, asked) &&
      (measured.summary.place === undefined || measured.summary.place.isShipped === true),
    of: storedMatrix(measured.summary.source, measured.summary.place),
    tokens: asked.tokens,
    isBlock: asked.isBlock ?? false,
    caution: [soFar(a), onCpu && report ? NOT_OF_A_GPU : ''].filter((sentence) => sentence !== '').join(' '),
  });
}
