// Byte-pair encoding by scores: neighbours merge in the order of a heap.

/** A pair of neighbours that form the token `text`; left: index of the first piece. */
interface Pair {
  readonly score: number;
  readonly left: number;
  readonly text: string;
}

/**
 * The letters after merging neighbours by falling score, from the left among equals. `scoreOf`: the score of the token
 * that a pair forms; null if it forms none. O(letters * log letters).
 */
export function mergedNeighbours(
  letters: readonly string[],
  scoreOf: (pair: string) => number | null,
): readonly string[] {
  const pieces: (string | null)[] = [...letters];
  const next = letters.map((_, i) => i + 1);
  const previous = letters.map((_, i) => i - 1);
  const heap: Pair[] = [];
  /** Adds piece `left` and the next one to the heap if they form a token. */
  const addPair = (left: number): void => {
    const right = left < 0 ? letters.length : next[left];
    if (right >= letters.length) return;
    const text = `${pieces[left] ?? ''}${pieces[right] ?? ''}`;
    const score = scoreOf(text);
    if (score !== null) push(heap, { score, left, text });
  };
  for (let i = 0; i + 1 < letters.length; i++) addPair(i);
  for (let pair = pop(heap); pair; pair = pop(heap)) {
    const { left, text } = pair;
    const right = next[left];
    // A piece of this pair has been merged with another piece since.
    if (pieces[left] === null || right >= letters.length || `${pieces[left]}${pieces[right] ?? ''}` !== text) continue;
    pieces[left] = text;
    pieces[right] = null;
    next[left] = next[right];
    if (next[left] < letters.length) previous[next[left]] = left;
    addPair(previous[left]);
    addPair(left);
  }
  return pieces.filter((piece) => piece !== null);
}

/** Whether pair a is merged before b. */
function isFirst(a: Pair, b: Pair): boolean {
  return a.score > b.score || (a.score === b.score && a.left < b.left);
}

/** Adds a pair to a heap whose first pair is merged first. */
function push(heap: Pair[], pair: Pair): void {
  let position = heap.push(pair) - 1;
  for (
    let up = (position - 1) >> 1;
    position > 0 && isFirst(heap[position], heap[up]);
    position = up, up = (position - 1) >> 1
  ) {
    [heap[position], heap[up]] = [heap[up], heap[position]];
  }
}

/** Removes the first pair of the heap; null if it is empty. */
function pop(heap: Pair[]): Pair | null {
  const [top] = heap;
  const last = heap.pop();
  if (last === undefined) return null;
  if (heap.length === 0) return top;
  heap[0] = last;
  for (let position = 0; ;) {
    const left = 2 * position + 1;
    const right = left + 1;
    let best = position;
    if (left < heap.length && isFirst(heap[left], heap[best])) best = left;
    if (right < heap.length && isFirst(heap[right], heap[best])) best = right;
    if (best === position) return top;
    [heap[position], heap[best]] = [heap[best], heap[position]];
    position = best;
  }
}
