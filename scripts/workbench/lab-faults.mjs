/**
 * Planted faults of the workbench, in the form of `UNIT_FAULTS`.
 *
 * @type {readonly (readonly [id: string, file: string, find: string, put: string, what: string, test: string, title?: string])[]}
 */
export const faults = [
  [
    'own-copies',
    'src/labs/workbench/own/runtime/list.ts',
    'this.#room.give(this.#name, capacity * this.#store.BYTES_PER_ELEMENT);',
    'this.#room.give(this.#name, (capacity - this.#store.length) * this.#store.BYTES_PER_ELEMENT);',
    'what an array is copied from takes no room',
    'src/labs/workbench/own/runtime/list.test.ts',
  ],
];
