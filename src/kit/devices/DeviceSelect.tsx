import { type Device, DEVICE_KINDS, type DeviceKind } from '../../state/devices/device.ts';
import { typedId } from '../../state/devices/ids.ts';
import { useRecordingsList } from './use-device.ts';

interface DeviceSelectProps {
  readonly id?: string;
  readonly device: Device;
  readonly devices: readonly Device[];
  readonly onChoose: (id: string) => void;
}

const GROUPS: Readonly<Record<DeviceKind, string>> = {
  this: 'this device',
  recorded: 'recorded',
  report: 'from your reports',
  published: 'published: bounds',
  typed: 'typed: bounds',
};

/** The value of the option that begins a typed device. */
const TYPE = 'type';

/** Whose speeds are shown: one control for all places. */
export function DeviceSelect({ id, device, devices, onChoose }: DeviceSelectProps) {
  useRecordingsList();
  return (
    <select
      id={id}
      className="select device-select"
      aria-label={id === undefined ? 'Device' : undefined}
      value={device.id}
      onChange={({ currentTarget: { value } }) =>
        onChoose(value === TYPE ? typedId({ readGBps: 1000, f32Tflops: 50 }) : value)
      }
    >
      {DEVICE_KINDS.map((kind) => {
        const own = devices.filter((one) => one.kind === kind);
        if (own.length === 0 && kind !== 'typed') return null;
        return (
          <optgroup key={kind} label={GROUPS[kind]}>
            {own.map((one) => (
              <option key={one.id} value={one.id}>
                {one.label}
              </option>
            ))}
            {kind === 'typed' && own.length === 0 && <option value={TYPE}>type its figures</option>}
          </optgroup>
        );
      })}
    </select>
  );
}
