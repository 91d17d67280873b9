/** The texts that the facts so far allow in a slot, a gap in a sentence; a choice between them may create a fact. */
export interface SlotTexts {
  /** The kind of fact that another text would contradict: name, owner, color, ... */
  readonly kind: string;
  readonly texts: readonly string[];
  /** Null: equally likely. */
  readonly weights: readonly number[] | null;
  /** Called after text `i` was chosen. */
  readonly bind: ((world: World, i: number) => void) | null;
}

/**
 * A slot: its texts by the facts and, whatever the facts, a pattern (regular expression) of all possible texts.
 * `attribute`: the form of the text, the part after the point in `{A.Cap}`, such as 'Cap', with a capital; '': plain.
 */
export interface Slot {
  readonly say: (world: World, attribute: string) => SlotTexts;
  readonly pattern: (attribute: string) => string;
}

/** The facts of a tale while it is drawn or parsed. Every change goes through `set`, so that `undo` can revert it. */
export class World {
  readonly #facts = new Map<string, unknown>();
  readonly #keys: string[] = [];
  readonly #old: unknown[] = [];

  get<T>(key: string): T | undefined {
    return this.#facts.get(key) as T | undefined;
  }

  has(key: string): boolean {
    return this.#facts.get(key) !== undefined;
  }

  set(key: string, value: unknown): void {
    this.#keys.push(key);
    this.#old.push(this.#facts.get(key));
    this.#facts.set(key, value);
  }

  /** The number of changes so far, to which `undo` can return. */
  mark(): number {
    return this.#keys.length;
  }

  undo(mark: number): void {
    while (this.#keys.length > mark) {
      const key = this.#keys.pop() ?? '';
      this.#facts.set(key, this.#old.pop());
    }
  }
}
