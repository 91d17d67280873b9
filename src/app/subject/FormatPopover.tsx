/** Where A is chosen. */
export function APopover() {
  return <p className="word-note">A</p>;
}

/** Where B is chosen. */
export function BPopover() {
  return <p className="word-note">B</p>;
}
