// Sentences of the tab Speed about decoding on the user's device.

import {
  decodeBytes,
  type DecodeReport,
  type DecodeRun,
  type StageCheck,
} from '../../../../src/core/reports/decode-report.ts';
import { median } from '../../../../src/core/number/statistics.ts';
import { bytesText, counted } from '../../../../src/core/text/words.ts';
import type { DeviceStatus } from '../../../../src/engine/device.ts';
import { time } from '../../../../src/kit/words/quantity.ts';
import { bandwidth, oneDecimal } from '../../../../src/kit/words/rates.ts';
import { gigabytes } from '../../../../src/kit/words/model-sizes.ts';
import { adapterName } from '../../../../src/state/index.ts';
import type { DecodeMemory } from '../../theory/decode-memory.ts';

/** Why a model cannot be decoded here; null if it can. `keyBytes`: size of the buffer of a block's keys. */
export function decodeProblem(status: DeviceStatus, model: string, keyBytes: number): string | null {
  if (status.kind === 'unavailable') return status.reason;
  const { limits, isFallback } = status.environment;
  const { maxBufferSize: bufferLimit = Infinity, maxStorageBufferBindingSize: bindingLimit = Infinity } = limits;
  // Browsers do not report the total memory, so whether all buffers fit is unknown.
  const max = Math.min(bufferLimit, bindingLimit);
  if (isFallback || keyBytes <= max) return null;
  const name = bindingLimit <= bufferLimit ? 'maxStorageBufferBindingSize' : 'maxBufferSize';
  return `${model} needs a buffer of ${bytesText(keyBytes)} for the keys of a block, and this GPU binds at most ${bytesText(max)} (${name}).`;
}

/** Model, format and GPU memory of a run, or that the adapter is software, not timed. `title`: format and density. */
export function decodePlanText(
  status: DeviceStatus | null,
  model: string,
  title: string,
  memory: Pick<DecodeMemory, 'bytes'> | null,
): string {
  if (status?.kind === 'ready' && status.environment.isFallback) {
    return `${adapterName(status.environment)} is software: verified on tiny matrices, not timed`;
  }
  return `${model} in ${title}${memory === null ? '' : ` takes ${gigabytes(memory.bytes)} of GPU memory`}`;
}

/** Names the incorrect stages of a token, such as 'block 0, attention'; the CPU computed them again to compare. */
export function wrongText(wrong: readonly StageCheck[]): string {
  const stages = wrong.map(({ what, position }) => `${what} after ${counted(position, 'token')}`);
  return `Wrong, not timed: ${stages.join('; ')}.`;
}

/** The prefill speed, if timed, and the memory on the GPU; '' for a software adapter. */
export function decodeNote(report: DecodeReport, isTimed: boolean): string {
  const { environment, prefill, bytes } = report;
  const read =
    isTimed && prefill && prefill.roundMs.length > 0
      ? `Reads ${prefill.tokens} tokens at once at ${oneDecimal((1000 * prefill.tokens) / median(prefill.roundMs))} a second. `
      : '';
  if (environment.isFallback) return read;
  const parts = Object.entries(bytes).map(([purpose, size]) => `${purpose} ${bytesText(size)}`);
  return `${read}${bytesText(decodeBytes(report))} on the GPU: ${parts.join(', ')}. `;
}

/** Tokens per second that nine of ten rounds reached, and one of ten. */
export function spreadText({ msPerToken }: DecodeRun): string {
  return msPerToken === null ? '–' : `${oneDecimal(1000 / msPerToken.p90)} to ${oneDecimal(1000 / msPerToken.p10)}`;
}

/** The time that dispatches of one kind, such as attention, take for a token; '–' if not timed. */
export function kindText({ times }: DecodeRun, kind: string): string {
  const timed = times?.kinds[kind];
  return timed ? time(timed.ns) : '–';
}

/** The bytes that a token reads, per second; '–' if not timed. */
export function rateText({ msPerToken, bytesPerToken }: DecodeRun): string {
  return msPerToken === null ? '–' : bandwidth(bytesPerToken / (1e6 * msPerToken.median));
}

/** How many of the checked stages were correct, before and after the timed tokens: '12/12, 12/12'. */
export function stagesText({ checks: { before, after } }: DecodeRun): string {
  const right = (all: typeof before): string => `${all.filter(({ ok }) => ok).length}/${all.length}`;
  return `${right(before)}, ${right(after)}`;
}
