// Byte-pair encoding by scores: neighbours merge in the order of a heap.

/** A pair of neighbours that form the token `text`; leftIndex: index of the first piece. */
interface Pair {
  readonly score: number;
  readonly leftIndex: number;
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
  /** Adds piece `leftIndex` and the next one to the heap if they form a token. */
  const addPair = (leftIndex: number): void => {
    const rightIndex = leftIndex < 0 ? letters.length : next[leftIndex];
    if (rightIndex >= letters.length) return;
    const text = `${pieces[leftIndex] ?? ''}${pieces[rightIndex] ?? ''}`;
    const score = scoreOf(text);
    if (score !== null) push(heap, { score, leftIndex, text });
  };
  for (let i = 0; i + 1 < letters.length; i++) addPair(i);
  for (let pair = pop(heap); pair; pair = pop(heap)) {
    const { leftIndex, text } = pair;
    const rightIndex = next[leftIndex];
    // A piece of this pair has been merged with another piece since.
    if (
      pieces[leftIndex] === null ||
      rightIndex >= letters.length ||
      `${pieces[leftIndex]}${pieces[rightIndex] ?? ''}` !== text
    )
      continue;
    pieces[leftIndex] = text;
    pieces[rightIndex] = null;
    next[leftIndex] = next[rightIndex];
    if (next[leftIndex] < letters.length) previous[next[leftIndex]] = leftIndex;
    addPair(previous[leftIndex]);
    addPair(leftIndex);
  }
  return pieces.filter((piece) => piece !== null);
}

/** Whether pair a is merged before b. */
function isFirst(a: Pair, b: Pair): boolean {
  return a.score > b.score || (a.score === b.score && a.leftIndex < b.leftIndex);
}

/** Adds a pair to a heap whose first pair is merged first. */
function push(heap: Pair[], pair: Pair): void {
  let position = heap.push(pair) - 1;
  for (
    let parent = (position - 1) >> 1;
    position > 0 && isFirst(heap[position], heap[parent]);
    position = parent, parent = (position - 1) >> 1
  ) {
    [heap[position], heap[parent]] = [heap[parent], heap[position]];
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
    const leftChild = 2 * position + 1;
    const rightChild = leftChild + 1;
    let firstOfThree = position;
    if (leftChild < heap.length && isFirst(heap[leftChild], heap[firstOfThree])) firstOfThree = leftChild;
    if (rightChild < heap.length && isFirst(heap[rightChild], heap[firstOfThree])) firstOfThree = rightChild;
    if (firstOfThree === position) return top;
    [heap[position], heap[firstOfThree]] = [heap[firstOfThree], heap[position]];
    position = firstOfThree;
  }
}
