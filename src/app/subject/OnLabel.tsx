import { useDevice } from '../../kit/devices/use-device.ts';

const anyTimes = (): boolean => false;

/** The device by its name. */
export function OnLabel() {
  const { device } = useDevice(anyTimes);
  return (
    <>
      <b>{device.name}</b> <span className="word-quiet">{device.kind === 'recorded' ? 'recorded' : ''}</span>
    </>
  );
}
