/**
 * Packed states as text and as records: a line of hexadecimal digits, or so many bytes, the first cell in the highest
 * bits. All states of a model have one length, so that comparing texts, or bytes, compares states.
 *
 * This is an inner loop: nothing is allocated for a state.
 */

/** The bits of a state, in `wordCount` words of 32 bits, from the highest bit down. */
export interface StateForm {
    readonly bitCount: number;
    readonly wordCount: number;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const DOT = 0x2e;

const DIGITS = new TextEncoder().encode('0123456789abcdef');
/** By byte: the value of a digit, -1 for other bytes. */
const VALUES = new Int8Array(256).fill(-1);
DIGITS.forEach((digit, value) => (VALUES[digit] = value));

/** A state without bits has a digit, too. */
export function digitsOf({ bitCount }: StateForm): number {
    return Math.max(1, Math.ceil(bitCount / 4));
}

export function bytesOf({ bitCount }: StateForm): number {
    return Math.max(1, Math.ceil(bitCount / 8));
}

/** Bytes to write, in an array that grows. */
export class StateWriter {
    readonly #digits: number;
    readonly #bytes: number;
    #buffer = new Uint8Array(1 << 16);
    #length = 0;

    constructor(form: StateForm) {
        this.#digits = digitsOf(form);
        this.#bytes = bytesOf(form);
    }

    /** The digits of a state. */
    digits(words: Readonly<Uint32Array>, offset = 0): void {
        const count = this.#digits;
        this.#reserve(count);
        const buffer = this.#buffer;
        const start = this.#length;
        for (let digit = 0; digit < count; digit++) {
            const value = ((words[offset + (digit >>> 3)] ?? 0) >>> (28 - 4 * (digit & 7))) & 15;
            buffer[start + digit] = DIGITS[value] ?? 0;
        }
        this.#length += count;
    }

    /** The bytes of a state. */
    record(words: Readonly<Uint32Array>, offset = 0): void {
        const count = this.#bytes;
        this.#reserve(count);
        for (let byte = 0; byte < count; byte++) {
            this.#buffer[this.#length + byte] = (words[offset + (byte >>> 2)] ?? 0) >>> (24 - 8 * (byte & 3));
        }
        this.#length += count;
    }

    byte(value: number): void {
        this.#reserve(1);
        this.#buffer[this.#length++] = value;
    }

    text(text: string): void {
        const bytes = new TextEncoder().encode(text);
        this.#reserve(bytes.length);
        this.#buffer.set(bytes, this.#length);
        this.#length += bytes.length;
    }

    endLine(): void {
        this.byte(NEWLINE);
    }

    /** Returns the bytes that were written since the last call. */
    take(): Uint8Array {
        const taken = this.#buffer.slice(0, this.#length);
        this.#length = 0;
        return taken;
    }

    get length(): number {
        return this.#length;
    }

    #reserve(count: number): void {
        if (this.#length + count > this.#buffer.length) {
            const longer = new Uint8Array(2 * (this.#length + count));
            longer.set(this.#buffer.subarray(0, this.#length));
            this.#buffer = longer;
        }
    }
}

/** What is wrong with what was read: the number of the line or record, from 1, and a message for its author. */
export class MalformedStates extends Error {
    override readonly name = 'MalformedStates';
    readonly place: string;

    constructor(place: string, message: string) {
        super(message);
        this.place = place;
    }
}

export interface StateVisitor {
    /** A state, by its line from 1; the words are valid during the call. */
    state(words: Readonly<Uint32Array>, line: number): void;
    /** A line that is a dot. */
    dot(line: number): void;
}

/** Reads states from parts that end anywhere. Calls the visitor, and throws MalformedStates. */
export interface StateReader {
    read(part: Uint8Array): void;
    end(): void;
}

export class LineReader implements StateReader {
    readonly #digits: number;
    readonly #words: Uint32Array;
    readonly #visitor: StateVisitor;
    /** The beginning of a line whose end is not there yet. */
    #begun = new Uint8Array();
    #line = 1;

    constructor(form: StateForm, visitor: StateVisitor) {
        this.#digits = digitsOf(form);
        this.#words = new Uint32Array(form.wordCount);
        this.#visitor = visitor;
    }

    read(part: Uint8Array): void {
        let bytes = part;
        if (this.#begun.length > 0) {
            bytes = new Uint8Array(this.#begun.length + part.length);
            bytes.set(this.#begun);
            bytes.set(part, this.#begun.length);
        }
        let start = 0;
        for (;;) {
            const end = bytes.indexOf(NEWLINE, start);
            if (end < 0) {
                break;
            }
            this.#readLine(bytes, start, end);
            start = end + 1;
        }
        this.#begun = bytes.slice(start);
        if (this.#begun.length > this.#digits + MOST_BEYOND) {
            this.#readLine(this.#begun, 0, this.#begun.length);
        }
    }

    end(): void {
        if (this.#begun.length > 0 && this.#begun.length < this.#digits && this.#begun[0] !== DOT) {
            throw this.#malformed('the input ends within it');
        }
        if (this.#begun.length > 0) {
            this.#readLine(this.#begun, 0, this.#begun.length);
            this.#begun = new Uint8Array();
        }
    }

    #readLine(bytes: Uint8Array, start: number, lineEnd: number): void {
        const end = lineEnd > start && bytes[lineEnd - 1] === RETURN ? lineEnd - 1 : lineEnd;
        if (end === start + 1 && bytes[start] === DOT) {
            this.#visitor.dot(this.#line++);
            return;
        }
        const words = this.#words.fill(0);
        for (let byte = start; byte < end; byte++) {
            const value = VALUES[bytes[byte] ?? 0] ?? -1;
            const digit = byte - start;
            if (value < 0) {
                throw this.#wrongByte(bytes, start, digit, end);
            }
            const word = digit >>> 3;
            words[word] = (words[word] ?? 0) | (value << (28 - 4 * (digit & 7)));
        }
        if (end - start !== this.#digits) {
            throw this.#malformed(
                `a state of this model has ${countOf(this.#digits, 'digit')}, and here are ${end - start}; ` +
                    'were these states made with other parameters or another model?',
            );
        }
        this.#visitor.state(words, this.#line++);
    }

    #wrongByte(bytes: Uint8Array, start: number, digit: number, end: number): MalformedStates {
        const first = String.fromCharCode(bytes[start] ?? 0);
        const wrong = String.fromCharCode(bytes[start + digit] ?? 0);
        switch (true) {
            case first === '!' || first === '#':
                return this.#malformed('it is a verdict or an end mark: only states are read');
            case wrong === '\t':
                return this.#malformed('behind the tab is what `--tag` writes: only states are read (`cut -f 1`)');
            case /[A-F]/.test(wrong):
                return this.#malformed(`the digit '${wrong}' in column ${digit + 1} is written in lower case`);
            default: {
                const text = new TextDecoder().decode(bytes.subarray(start + digit, Math.min(end, start + digit + 4)));
                return this.#malformed(
                    `'${[...text][0]}' in column ${digit + 1} is no hexadecimal digit: states are written with 0-9 and a-f`,
                );
            }
        }
    }

    #malformed(message: string): MalformedStates {
        return new MalformedStates(`line ${this.#line}`, message);
    }
}

/** So many bytes behind a state are waited for before the line is too long. */
const MOST_BEYOND = 256;

export class RecordReader implements StateReader {
    readonly #bytes: number;
    readonly #words: Uint32Array;
    readonly #visitor: Pick<StateVisitor, 'state'>;
    #record = 1;
    /** The bytes of the next record that are there. */
    #filled = 0;

    constructor(form: StateForm, visitor: Pick<StateVisitor, 'state'>) {
        this.#bytes = bytesOf(form);
        this.#words = new Uint32Array(form.wordCount);
        this.#visitor = visitor;
    }

    read(part: Uint8Array): void {
        const words = this.#words;
        for (let index = 0; index < part.length; index++) {
            const word = this.#filled >>> 2;
            words[word] = (words[word] ?? 0) | ((part[index] ?? 0) << (24 - 8 * (this.#filled & 3)));
            if (++this.#filled === this.#bytes) {
                this.#visitor.state(words, this.#record++);
                this.#filled = 0;
                words.fill(0);
            }
        }
    }

    end(): void {
        if (this.#filled > 0) {
            throw new MalformedStates(
                `record ${this.#record}`,
                `the input ends within it, after ${this.#filled} of ${countOf(this.#bytes, 'byte')}`,
            );
        }
    }
}

function countOf(count: number, noun: string): string {
    return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
