/** Where tokens are chosen. */
export function TokensPopover() {
  return <p className="word-note">Tokens</p>;
}
