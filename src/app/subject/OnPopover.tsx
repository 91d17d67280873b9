/** Where the device is chosen. */
export function OnPopover() {
  return <p className="word-note">Device</p>;
}
