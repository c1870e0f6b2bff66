/** What a step sends or receives, as a value: from the state before it, whether a buffer holds the message or not. */
import { invariant } from '../common/assert.js';
import { remembered } from '../common/list-map.js';
import { codeOfValue, NO_VALUE, valueOfCode, type Domain } from '../model/domain.js';
import { hasPart } from '../sequential/absent-fields.js';
import { Compiler } from '../sequential/expression/evaluate.js';
import type { MessageScalar, Model } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { cellOf, type Shape, type Shapes } from './shapes.js';

/** A message: its shape, over the scalars in the place of cells. */
export interface Message {
    readonly shape: Shape;
    /** By scalar its code; valid until the next message is read. */
    readonly codes: Readonly<Int32Array>;
}

export class Messages {
    readonly #model: Model;
    readonly #sequential: SequentialModel;
    readonly #shapes: Shapes;
    readonly #compiler: Compiler;
    readonly #read = new Map<number, (state: Readonly<Int32Array>) => Message>();

    constructor(model: Model, sequential: SequentialModel, shapes: Shapes) {
        this.#model = model;
        this.#sequential = sequential;
        this.#shapes = shapes;
        this.#compiler = new Compiler(sequential.cells);
    }

    /** The message of a firing in a state; undefined if the summand sends and receives nothing. */
    of(summand: number, state: Readonly<Int32Array>): Message | undefined {
        return this.#sequential.summands[summand].message === undefined
            ? undefined
            : remembered(this.#read, summand, () => this.#reader(summand))(state);
    }

    /** The shape of what a summand sends or receives; undefined if that is nothing. */
    shapeOf(summand: number): Shape | undefined {
        const { message } = this.#sequential.summands[summand];
        return message && this.#shapeOf(message.channel);
    }

    #shapeOf(channel: number | Domain): Shape {
        return typeof channel === 'number' ? this.#shapes.messages[channel] : cellOf(channel);
    }

    #reader(summand: number): (state: Readonly<Int32Array>) => Message {
        const { participants, message } = this.#sequential.summands[summand];
        invariant(message !== undefined, 'a step without a message has none to read');
        const { by, channel, scalars } = message;
        const given = participants[by].path.flatMap(element =>
            element.kind === 'assign' ? [this.#compiler.assignment(element.cell, element.value, element.range)] : [],
        );
        const values = scalars.map(scalar => this.#compiler.expression(scalar));
        const parts: readonly Pick<MessageScalar, 'domain' | 'within'>[] =
            typeof channel === 'number' ? this.#model.channels[channel].message : [{ domain: channel }];
        const codes = new Int32Array(scalars.length);
        const copy = new Int32Array(this.#sequential.cells.length);
        const found: Message = { shape: this.#shapeOf(channel), codes };
        return state => {
            copy.set(state);
            for (const assign of given) {
                assign(copy);
            }
            for (const [scalar, { domain, within }] of parts.entries()) {
                const isThere = within === undefined || holds(codes[within.of], parts[within.of].domain, within);
                codes[scalar] = isThere ? codeOfValue(domain, values[scalar](copy)) : NO_VALUE;
            }
            return found;
        };
    }
}

/** Whether a scalar has the value that lets another one be there. */
function holds(code: number, domain: Domain, within: NonNullable<MessageScalar['within']>): boolean {
    return code !== NO_VALUE && hasPart(within, valueOfCode(domain, code));
}
