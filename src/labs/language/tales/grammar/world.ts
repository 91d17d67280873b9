/** What a slot can say here: one text, or several to choose from; choosing may make a fact. */
export interface Said {
  /** The law that breaks when something else is written: name, owner, color, ... */
  readonly kind: string;
  readonly texts: readonly string[];
  /** Null: all equal. */
  readonly weights: readonly number[] | null;
  /** Called after text `i` has been said. */
  readonly bind: ((world: World, i: number) => void) | null;
}

/** How a slot is spoken: from the facts, and, for a sentence out of its tale, as an expression of all it could ever say. */
export interface Slot {
  readonly say: (world: World, attribute: string) => Said;
  readonly pattern: (attribute: string) => string;
}

/**
 * The facts of a tale while it is told. Every change goes through `set`, which notes the old value, so that a parser can
 * go back to where it chose.
 */
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
