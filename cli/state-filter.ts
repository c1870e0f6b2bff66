/**
 * States in, their successors out. What is written for a line depends on the line alone, in whatever order, parts and
 * processes lines are read:
 *
 *     3f0    a successor; with --tag the state that was expanded behind a tab
 *     ! …    a verdict and its state: `invariant NAME`, `deadlock`, `fault KIND LINE:COLUMN` or `instances NAME`
 *     # …    the end mark: `# 12 read, 34 transitions`, once everything before it is answered; of firings that a constraint
 *            cuts off also `, 5 outside`
 *     .      the answer to a line that is a dot, behind an end mark for the lines since the last one
 */
import type { Problem } from '../engine/common/problem.js';
import type { Expansion, ExpansionSink, WrongPart } from '../engine/verdict/expansion.js';
import type { Finding } from '../engine/explore/properties.js';
import { CallError, fileError, UndecidedError } from './call-error.js';
import type { CommandIo } from './io.js';
import { describeFileError, describeWriteError } from './model-source.js';
import type { ExpandInvocation } from './options/invocation.js';
import { writing } from './output.js';
import {
    LineReader,
    MalformedStates,
    RecordReader,
    type StateReader,
    type StateVisitor,
    StateWriter,
} from './packed-states.js';

/** States that are expanded together, at most. */
const BLOCK_STATES = 1 << 8;
/** Bytes that are read between two looks at how much is to be written, and bytes that are written together, about. */
const READ_BYTES = 1 << 12;
const WRITTEN_BYTES = 1 << 16;

/** Reads states and writes what comes of them. */
export class StateFilter {
    readonly #expansion: Expansion;
    readonly #invocation: ExpandInvocation;
    readonly #io: CommandIo;
    readonly #output: StateWriter;
    /** For verdicts and end marks: the output, or a file of their own. */
    readonly #verdicts: StateWriter;
    readonly #parts: Uint8Array[] = [];
    readonly #wordCount: number;
    readonly #sink: ExpansionSink;
    /** The states that are expanded next, and the place of the first one in the input. */
    readonly #block: Uint32Array;
    #blockCount = 0;
    #blockStart = 0;
    /** Since the last end mark. */
    #readCount = 0;
    #transitionsBefore = 0;
    #outsideBefore = 0;
    /** Templates of which there were too few instances. */
    readonly #missed = new Set<string>();

    constructor(expansion: Expansion, invocation: ExpandInvocation, io: CommandIo) {
        const { layout } = expansion;
        const { towards, verdictsFile } = invocation;
        this.#expansion = expansion;
        this.#invocation = invocation;
        this.#io = io;
        this.#wordCount = layout.wordCount;
        this.#block = new Uint32Array(layout.wordCount * BLOCK_STATES);
        this.#output = new StateWriter(layout);
        this.#verdicts = verdictsFile === undefined ? this.#output : new StateWriter(layout);
        this.#sink = towards === undefined ? this.#successorSink() : this.#predecessorSink(towards);
    }

    /** The problem if there is no initial state. */
    async writeInitialStates(): Promise<Problem | undefined> {
        const states = this.#expansion.initialStates();
        for (let next = states.next(); ; next = states.next()) {
            if (next.done === true) {
                if (next.value !== undefined) {
                    return next.value;
                }
                break;
            }
            if (next.value === undefined) {
                throw undecidedAt('an initial state');
            }
            this.#write(next.value, 0);
            this.#endState();
            await this.#send(WRITTEN_BYTES);
        }
        await this.#end();
        return undefined;
    }

    /** Answers what is on standard input. Throws if it is malformed, or the answer is not read or not possible. */
    async expandInput(): Promise<undefined> {
        const { isBinary } = this.#invocation;
        const visitor: StateVisitor = {
            state: (words, place) => {
                this.#add(words, place);
            },
            dot: () => {
                this.#expandBlock();
                this.#endMark();
                this.#output.text('.\n');
            },
        };
        const { layout } = this.#expansion;
        const reader = isBinary ? new RecordReader(layout, visitor) : new LineReader(layout, visitor);
        for await (const part of inputOf(this.#io)) {
            for (let start = 0; start < part.length; start += READ_BYTES) {
                asCallError(() => {
                    reader.read(part.subarray(start, start + READ_BYTES));
                });
                await this.#send(WRITTEN_BYTES);
            }
            // Whoever waits for the answer to what it has written gets it.
            this.#expandBlock();
            await this.#send(1);
        }
        asCallError(() => {
            reader.end();
        });
        this.#expandBlock();
        await this.#end();
        return undefined;
    }

    #add(words: Readonly<Uint32Array>, place: number): void {
        const wrong = this.#expansion.wrongPart(words, 0);
        if (wrong !== undefined) {
            throw wrongState(this.#placeName(place), wrong);
        }
        if (this.#blockCount === 0) {
            this.#blockStart = place;
        }
        this.#block.set(words, this.#blockCount * this.#wordCount);
        this.#readCount++;
        if (++this.#blockCount === BLOCK_STATES) {
            this.#expandBlock();
        }
    }

    #expandBlock(): void {
        const count = this.#blockCount;
        this.#blockCount = 0;
        if (count > 0) {
            this.#expansion.expand(this.#block, count, this.#sink);
        }
    }

    #successorSink(): ExpansionSink {
        const { isTagged, isBinary } = this.#invocation;
        const told = (index: number, { kind, name, range }: Finding): void => {
            const place = range === undefined ? '' : ` ${range.start.line + 1}:${range.start.character + 1}`;
            this.#verdict(kind === 'deadlock' ? kind : `${kind} ${name}${kind === 'fault' ? place : ''}`, index);
        };
        return {
            successor: (index, representative) => {
                this.#write(representative, 0);
                if (isTagged) {
                    if (!isBinary) {
                        this.#output.text('\t');
                    }
                    this.#write(this.#block, index * this.#wordCount);
                }
                this.#endState();
            },
            finding: told,
            fault: told,
            missed: (index, templates) => {
                for (const template of templates) {
                    this.#missed.add(template);
                    this.#verdict(`instances ${template}`, index);
                }
            },
            undecided: index => {
                throw undecidedAt(`${this.#placeName(this.#blockStart + index)}: a successor of the state`);
            },
        };
    }

    /** Writes states that the given one is a successor of; they have been judged before. */
    #predecessorSink(towards: string): ExpansionSink {
        const target = this.#stateOf(towards);
        let last = -1;
        return {
            successor: (index, representative) => {
                // Blocks begin with the index 0 again, so what counts is the place in the input.
                const place = this.#blockStart + index;
                if (place !== last && representative.every((word, i) => word === target[i])) {
                    last = place;
                    this.#write(this.#block, index * this.#wordCount);
                    this.#endState();
                }
            },
            finding: () => undefined,
            fault: () => undefined,
            missed: () => undefined,
            undecided: index => {
                throw undecidedAt(`${this.#placeName(this.#blockStart + index)}: a successor of the state`);
            },
        };
    }

    /** A state from the command line. */
    #stateOf(text: string): Uint32Array {
        const found: Uint32Array[] = [];
        const reader = new LineReader(this.#expansion.layout, {
            state: words => {
                const wrong = this.#expansion.wrongPart(words, 0);
                if (wrong !== undefined) {
                    throw wrongState('--towards', wrong);
                }
                found.push(words.slice());
            },
            dot: () => undefined,
        });
        try {
            reader.read(new TextEncoder().encode(`${text}\n`));
        } catch (error) {
            throw error instanceof MalformedStates ? statesError('--towards', error.message) : error;
        }
        const [state] = found;
        if (state === undefined || found.length > 1) {
            throw statesError('--towards', 'it takes one state');
        }
        return state;
    }

    #write(words: Readonly<Uint32Array>, offset: number): void {
        if (this.#invocation.isBinary) {
            this.#output.record(words, offset);
        } else {
            this.#output.digits(words, offset);
        }
    }

    #endState(): void {
        if (!this.#invocation.isBinary) {
            this.#output.endLine();
        }
    }

    #verdict(verdict: string, index: number): void {
        this.#verdicts.text(`! ${verdict} `);
        this.#verdicts.digits(this.#block, index * this.#wordCount);
        this.#verdicts.endLine();
    }

    #endMark(): void {
        const { transitions, outside } = this.#expansion;
        const cutOff = outside === this.#outsideBefore ? '' : `, ${outside - this.#outsideBefore} outside`;
        this.#verdicts.text(
            `# ${this.#readCount} read, ${transitions - this.#transitionsBefore} transitions${cutOff}\n`,
        );
        this.#readCount = 0;
        this.#transitionsBefore = transitions;
        this.#outsideBefore = outside;
    }

    /** Writes what waits if that is so many bytes. Throws a CallError if nobody reads it. */
    async #send(least: number): Promise<void> {
        if (this.#verdicts !== this.#output && this.#verdicts.length >= least) {
            this.#parts.push(this.#verdicts.take());
        }
        if (this.#output.length < least) {
            return;
        }
        try {
            await this.#io.writeOutput(this.#output.take());
        } catch (error) {
            throw new CallError('call/output', `cannot write the states: ${describeWriteError(error)}`);
        }
    }

    /** The end mark comes last, after everything else has been taken. */
    async #end(): Promise<void> {
        const { verdictsFile } = this.#invocation;
        await this.#send(1);
        this.#endMark();
        await this.#send(1);
        if (verdictsFile !== undefined) {
            await writing(verdictsFile, () => this.#io.writeParts(verdictsFile, this.#parts));
        }
        if (this.#missed.size > 0) {
            const options = [...this.#missed].map(name => `--instances ${name}=COUNT`).join(' ');
            throw new UndecidedError(
                'limit/created',
                `some states have too few instances, and those after them are missing: more are needed (\`${options}\`), ` +
                    'from the initial states on',
            );
        }
    }

    #placeName(place: number): string {
        return `${this.#invocation.isBinary ? 'record' : 'line'} ${place}`;
    }
}

/** The states on standard input, at least one. Throws a CallError if they are malformed. */
export async function readPath(expansion: Expansion, io: CommandIo): Promise<readonly Uint32Array[]> {
    const path: Uint32Array[] = [];
    const reader: StateReader = new LineReader(expansion.layout, {
        state: (words, line) => {
            const wrong = expansion.wrongPart(words, 0);
            if (wrong !== undefined) {
                throw wrongState(`line ${line}`, wrong);
            }
            path.push(words.slice());
        },
        dot: line => {
            throw statesError(`line ${line}`, 'a dot is no state of a path');
        },
    });
    for await (const part of inputOf(io)) {
        asCallError(() => {
            reader.read(part);
        });
    }
    asCallError(() => {
        reader.end();
    });
    if (path.length === 0) {
        throw new CallError('call/states', 'there is no state: a path has one in each line, the first an initial one');
    }
    return path;
}

/** Yields the bytes on standard input. Throws a CallError if it cannot be read. */
async function* inputOf(io: CommandIo): AsyncGenerator<Uint8Array, void> {
    try {
        yield* io.standardInputParts();
    } catch (error) {
        throw fileError('read', '-', describeFileError(error));
    }
}

/** The error for something that was read, at its place. */
export function statesError(place: string, message: string): CallError {
    return new CallError('call/states', `${place}: ${message}`);
}

function asCallError(read: () => void): void {
    try {
        read();
    } catch (error) {
        throw error instanceof MalformedStates ? statesError(error.place, error.message) : error;
    }
}

function wrongState(place: string, wrong: WrongPart): CallError {
    const what =
        wrong === 'unused' ? 'bits that are in no variable are set' : `\`${wrong.variable}\` has no such value`;
    return statesError(
        place,
        `this is no state of the model, since ${what}; were these states made with other parameters or another model?`,
    );
}

function undecidedAt(subject: string): UndecidedError {
    return new UndecidedError(
        'limit/representative',
        `${subject} has a representative that takes too much work to find, and another one must not be used in its ` +
            'place; `--reduction none` uses no symmetry',
    );
}
