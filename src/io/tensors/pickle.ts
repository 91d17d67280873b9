import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { Pacer, throwIfCancelled } from '../../core/pace.ts';
import { checkBound } from '../../core/bounds/check.ts';
import { clip } from '../../core/bounds/quote.ts';

// Reads Python pickles of protocols 2 to 5 as data. Nothing is looked up or executed: classes and functions are names, and
// `PickleNames` decides which of them may occur and what a call of one means.

/** A class or function by its name: 'torch._utils._rebuild_tensor_v2'. */
export class PickledName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A value of a pickle: null, boolean, number, bigint, string, bytes, a list of values (lists, tuples, sets), a Map
 * (dictionaries), a PickledName, or what `PickleNames` made of a call.
 */
export type PickledValue = unknown;

/** What the classes and functions of a pickle mean. Every method throws ReadError for what is not supported. */
export interface PickleNames {
  /** Rejects a class or function that is not supported. */
  check(name: string): void;
  /** The result of a call, or a new object of a class. */
  call(name: string, args: readonly PickledValue[]): PickledValue;
  /** The object that is stored outside of the pickle under an id. */
  stored(id: PickledValue): PickledValue;
  /** The state that an object gets after it was made. */
  setState(object: PickledValue, state: PickledValue): void;
}

/** Thrown where the bytes end before the pickle does. */
export class PickleEnd extends ReadError {}

/** Opcodes of a pickle; a tensor takes about 30. */
const MAX_OPCODES = 2 ** 22;
const MAX_MEMO = 2 ** 21;
/** Bytes of a whole number, and of the name of a module or class. */
const MAX_LONG_BYTES = 255;
const MAX_NAME_BYTES = 1024;
const LAST_PROTOCOL = 5;

/**
 * Reads the pickle that begins at `start`. Returns its value, and where it ends. Throws ReadError with the position of the
 * opcode, PickleEnd if the bytes end early, and CancelledError. O(bytes) time and memory.
 */
export async function readPickle(
  bytes: Uint8Array,
  start: number,
  names: PickleNames,
  job: Job,
): Promise<{ value: PickledValue; end: number }> {
  const machine = new PickleMachine(bytes, start, names);
  const pacer = new Pacer();
  for (let count = 1; ; count++) {
    const { at } = machine;
    try {
      checkBound('pickle', count, MAX_OPCODES, 'opcodes', ReadError);
      const opcode = machine.u8();
      if (opcode === STOP) return { value: machine.pop(), end: machine.at };
      const execute = OPCODES.get(opcode);
      if (!execute) throw new ReadError(`found opcode ${hex(opcode)}, expected one of a state dict`);
      execute(machine);
    } catch (error) {
      if (!(error instanceof ReadError) || error instanceof PickleEnd) throw error;
      throw new ReadError(`byte ${at} of the pickle: ${error.message}`);
    }
    if (count % 4096 > 0) continue;
    throwIfCancelled(job);
    await pacer.pauseIfDue();
  }
}

function hex(opcode: number): string {
  return `0x${opcode.toString(16).padStart(2, '0')}`;
}

/** The stack, the marks in it, and the memo of a pickle that is read. */
class PickleMachine {
  at: number;
  readonly names: PickleNames;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #stack: PickledValue[] = [];
  /** lengths of the stack at its marks */
  readonly #marks: number[] = [];
  readonly #memo = new Map<number, PickledValue>();

  constructor(bytes: Uint8Array, start: number, names: PickleNames) {
    this.at = start;
    this.names = names;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Where the next `length` bytes begin, which are passed over. */
  #skip(length: number): number {
    if (length > this.#bytes.length - this.at) {
      throw new PickleEnd(`byte ${this.#bytes.length} of the pickle: found the end, expected more`);
    }
    this.at += length;
    return this.at - length;
  }

  u8 = (): number => this.#view.getUint8(this.#skip(1));
  u16 = (): number => this.#view.getUint16(this.#skip(2), true);
  u32 = (): number => this.#view.getUint32(this.#skip(4), true);
  i32 = (): number => this.#view.getInt32(this.#skip(4), true);
  f64 = (): number => this.#view.getFloat64(this.#skip(8));
  /** Beyond 2^53 it is inexact, and beyond any file. */
  u64 = (): number => Number(this.#view.getBigUint64(this.#skip(8), true));

  bytes(length: number): Uint8Array {
    const from = this.#skip(length);
    return this.#bytes.subarray(from, from + length);
  }

  text(length: number, encoding: 'utf-8' | 'latin1' = 'utf-8'): string {
    return new TextDecoder(encoding, { ignoreBOM: true }).decode(this.bytes(length));
  }

  /** A text up to the end of its line. */
  line(): string {
    const end = this.#bytes.indexOf(0x0a, this.at);
    if (end < 0) this.#skip(Infinity); // throws PickleEnd
    checkBound('name', end - this.at, MAX_NAME_BYTES, 'bytes', ReadError);
    const text = this.text(end - this.at);
    this.at++;
    return text;
  }

  /** A whole number of `length` bytes in two's complement; a bigint where a double is not exact. */
  long(length: number): number | bigint {
    checkBound('number', length, MAX_LONG_BYTES, 'bytes', ReadError);
    let value = 0n;
    for (const byte of this.bytes(length).toReversed()) value = (value << 8n) | BigInt(byte);
    const signed = BigInt.asIntN(8 * length, value);
    return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
  }

  push(value: PickledValue): void {
    this.#stack.push(value); // bounded: MAX_OPCODES
  }

  pop(): PickledValue {
    this.#expect(1);
    return this.#stack.pop();
  }

  top(): PickledValue {
    this.#expect(1);
    return this.#stack.at(-1);
  }

  /** Takes the last `count` values. */
  popMany(count: number): PickledValue[] {
    this.#expect(count);
    return this.#stack.splice(this.#stack.length - count);
  }

  #expect(count: number): void {
    const found = this.#stack.length - (this.#marks.at(-1) ?? 0);
    if (found < count) throw new ReadError(`found ${found} values on the stack, expected ${count}`);
  }

  mark(): void {
    this.#marks.push(this.#stack.length); // bounded: MAX_OPCODES
  }

  /** Takes the values after the last mark. */
  popToMark(): PickledValue[] {
    const from = this.#marks.pop();
    if (from === undefined) throw new ReadError('found no mark on the stack, expected one');
    return this.#stack.splice(from);
  }

  remember(index = this.#memo.size): void {
    checkBound('memo', this.#memo.size + 1, MAX_MEMO, 'values', ReadError);
    this.#memo.set(index, this.top());
  }

  recall(index: number): void {
    if (!this.#memo.has(index)) throw new ReadError(`found a reference to value ${index}, expected one that was read`);
    this.push(this.#memo.get(index));
  }

  name(module: PickledValue, name: PickledValue): void {
    if (typeof module !== 'string' || typeof name !== 'string') throw new ReadError('found a name that is no text');
    const full = `${module}.${name}`;
    this.names.check(full);
    this.push(new PickledName(full));
  }

  call(): void {
    const [callee, args] = this.popMany(2);
    if (!(callee instanceof PickledName)) throw new ReadError('found a call of what is no name');
    if (!Array.isArray(args)) throw new ReadError(`found a call of ${clip(callee.name)} without arguments`);
    this.push(this.names.call(callee.name, args));
  }

  append(values: readonly PickledValue[]): void {
    const list = this.top();
    if (!Array.isArray(list)) throw new ReadError('found items of what is no list');
    for (const value of values) list.push(value); // bounded: MAX_OPCODES
  }

  setItems(values: readonly PickledValue[]): void {
    const dictionary = this.top();
    if (!(dictionary instanceof Map)) throw new ReadError('found items of what is no dictionary');
    if (values.length % 2 > 0) throw new ReadError('found a key without a value');
    for (let i = 0; i < values.length; i += 2) dictionary.set(values[i], values[i + 1]); // bounded: MAX_OPCODES
  }

  protocol(): void {
    const version = this.u8();
    if (version > LAST_PROTOCOL) throw new ReadError(`found protocol ${version}, expected at most ${LAST_PROTOCOL}`);
  }
}

const STOP = 0x2e;

/** The supported opcodes, in the order of Python's pickletools. */
const OPCODES: ReadonlyMap<number, (m: PickleMachine) => void> = new Map<number, (m: PickleMachine) => void>([
  [0x4a /* BININT */, (m) => m.push(m.i32())],
  [0x4b /* BININT1 */, (m) => m.push(m.u8())],
  [0x4d /* BININT2 */, (m) => m.push(m.u16())],
  [0x8a /* LONG1 */, (m) => m.push(m.long(m.u8()))],
  [0x8b /* LONG4 */, (m) => m.push(m.long(m.u32()))],
  [0x47 /* BINFLOAT */, (m) => m.push(m.f64())],
  [0x4e /* NONE */, (m) => m.push(null)],
  [0x88 /* NEWTRUE */, (m) => m.push(true)],
  [0x89 /* NEWFALSE */, (m) => m.push(false)],
  // Texts of Python 2.
  [0x54 /* BINSTRING */, (m) => m.push(m.text(m.u32(), 'latin1'))],
  [0x55 /* SHORT_BINSTRING */, (m) => m.push(m.text(m.u8(), 'latin1'))],
  [0x42 /* BINBYTES */, (m) => m.push(m.bytes(m.u32()))],
  [0x43 /* SHORT_BINBYTES */, (m) => m.push(m.bytes(m.u8()))],
  [0x8e /* BINBYTES8 */, (m) => m.push(m.bytes(m.u64()))],
  [0x96 /* BYTEARRAY8 */, (m) => m.push(m.bytes(m.u64()))],
  [0x58 /* BINUNICODE */, (m) => m.push(m.text(m.u32()))],
  [0x8c /* SHORT_BINUNICODE */, (m) => m.push(m.text(m.u8()))],
  [0x8d /* BINUNICODE8 */, (m) => m.push(m.text(m.u64()))],
  [0x5d /* EMPTY_LIST */, (m) => m.push([])],
  [0x61 /* APPEND */, (m) => m.append(m.popMany(1))],
  [0x65 /* APPENDS */, (m) => m.append(m.popToMark())],
  [0x29 /* EMPTY_TUPLE */, (m) => m.push([])],
  [0x74 /* TUPLE */, (m) => m.push(m.popToMark())],
  [0x85 /* TUPLE1 */, (m) => m.push(m.popMany(1))],
  [0x86 /* TUPLE2 */, (m) => m.push(m.popMany(2))],
  [0x87 /* TUPLE3 */, (m) => m.push(m.popMany(3))],
  [0x7d /* EMPTY_DICT */, (m) => m.push(new Map())],
  [0x73 /* SETITEM */, (m) => m.setItems(m.popMany(2))],
  [0x75 /* SETITEMS */, (m) => m.setItems(m.popToMark())],
  [0x8f /* EMPTY_SET */, (m) => m.push([])],
  [0x90 /* ADDITEMS */, (m) => m.append(m.popToMark())],
  [0x91 /* FROZENSET */, (m) => m.push(m.popToMark())],
  [0x30 /* POP */, (m) => void m.pop()],
  [0x31 /* POP_MARK */, (m) => void m.popToMark()],
  [0x28 /* MARK */, (m) => m.mark()],
  [0x68 /* BINGET */, (m) => m.recall(m.u8())],
  [0x6a /* LONG_BINGET */, (m) => m.recall(m.u32())],
  [0x71 /* BINPUT */, (m) => m.remember(m.u8())],
  [0x72 /* LONG_BINPUT */, (m) => m.remember(m.u32())],
  [0x94 /* MEMOIZE */, (m) => m.remember()],
  [0x63 /* GLOBAL */, (m) => m.name(m.line(), m.line())],
  // bounded: two values
  [0x93 /* STACK_GLOBAL */, (m) => m.name(...(m.popMany(2) as [PickledValue, PickledValue]))],
  [0x52 /* REDUCE */, (m) => m.call()],
  [0x81 /* NEWOBJ */, (m) => m.call()],
  [
    0x62 /* BUILD */,
    (m) => {
      const state = m.pop();
      m.names.setState(m.top(), state);
    },
  ],
  [0x51 /* BINPERSID */, (m) => m.push(m.names.stored(m.pop()))],
  [0x80 /* PROTO */, (m) => m.protocol()],
  [0x95 /* FRAME */, (m) => void m.u64()],
]);
