/** Where the word's controls go. */
export function PrunedPopover() {
  return <p className="word-note">Pruning is set beside the matrix, in Watch.</p>;
}
