/** The texts that the facts so far allow in a slot (a gap in a sentence). Choosing a text may add a fact. */
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
 * A slot: the texts that given facts allow, and a pattern (regular expression) of the texts that any facts allow.
 * `attribute`: the form of the text, the part after the point in `{A.Cap}`, such as 'Cap', with a capital; '': plain.
 */
export interface Slot {
  readonly say: (world: World, attribute: string) => SlotTexts;
  readonly pattern: (attribute: string) => string;
}

/** The facts of a tale (a short story) that is being generated or parsed. `undo` reverts changes made by `set`. */
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
