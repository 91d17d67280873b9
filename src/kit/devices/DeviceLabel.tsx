import type { BenchReport } from '../../core/report.ts';
import { type Device, dayText } from '../../state/index.ts';
import type { DeviceStatus } from '../../engine/device.ts';
import { ON_CPU } from '../words/speed-of.ts';
import { SOFTWARE_GPU } from '../words/ran-instead.ts';
import { useSession } from '../app-context.ts';
import { bandwidth } from '../words/rates.ts';

/** Where a device's figures come from: measured here or elsewhere, when and with what, or only bounds of its speed. */
export function DeviceLabel({ device }: { readonly device: Device }) {
  const wasTried = useSession((s) => s.bench.ended?.how === 'finished');
  const isUntimed = wasTried && device.kind === 'this' && device.reports.length === 0;
  return <span className="device-label">{isUntimed ? 'nothing could be timed here' : sourceText(device)}</span>;
}

/** 'recorded on NVIDIA H200, 22 November 2026, driver 570.1, commit abcdef1' */
function sourceText(device: Device): string {
  const { kind, name, roofs, recorded, published, reports } = device;
  const reads = roofs === null ? '' : bandwidth(roofs.readGBps);
  if (recorded) {
    return `recorded on ${name}, ${dayText(recorded.date)}, driver ${recorded.driver}, commit ${recorded.commit.slice(0, 7)}`;
  }
  switch (kind) {
    case 'published':
      return published?.by === 'measured'
        ? `bounds: at most ${reads}, as measured (${published.source})`
        : `bounds: at most ${reads}, by its data sheet${published?.source == null ? '' : ` (${published.source})`}`;
    case 'typed':
      return `bounds: at most ${reads}, as typed here`;
    case 'recorded':
    case 'report':
      return `${device.isImported ? 'imported' : 'from your reports'}, ${measuredText(reads, reports[0]?.createdAt)}`;
    case 'this':
      return reports.length === 0
        ? 'nothing is measured here yet'
        : `${reports.some(hasTime) ? 'measured' : 'nothing could be timed'} here, ${measuredText(reads, reports[0].createdAt)}`;
  }
}

function hasTime({ rows }: BenchReport): boolean {
  return rows.some(({ medianNs }) => medianNs !== null);
}

/** How fast a device reads memory, and the day of the measurement. */
function measuredText(reads: string, createdAt = ''): string {
  return [...(reads === '' ? [] : [`reads ${reads}`]), dayText(createdAt)].join(', ');
}

/** A device as it follows 'on': 'this GPU', 'this computer’s software GPU', 'NVIDIA H200, recorded'. */
export function deviceAfterOn(device: Device, status: DeviceStatus | null): string {
  if (isOnCpu(device, status)) return ON_CPU;
  const { kind, name, isSoftware, recorded } = device;
  if (isSoftware) return kind === 'this' ? SOFTWARE_GPU : `${name}, in software`;
  if (kind === 'this') return 'this GPU';
  return recorded ? `${name}, recorded` : name;
}

/** A device as it follows 'on', in a text that need not mention a recording: 'NVIDIA H200'. */
export function nameAfterOn(device: Device, status: DeviceStatus | null): string {
  return device.recorded ? device.name : deviceAfterOn(device, status);
}

/** Whether the times of a device were measured on the CPU. */
export function isOnCpu({ kind }: Device, status: DeviceStatus | null): boolean {
  return kind === 'this' && status?.kind === 'unavailable';
}
