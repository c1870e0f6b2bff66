/**
 * The built-in functions. A model may declare their names; its own functions and records hide them in calls. What a
 * call means is said by typing/infer-calls.ts, typing/constant-evaluation.ts, lowering/lower-call.ts, and for all sizes
 * by rules and fault kinds of the family.
 */
import { type BuiltinFunction, type BuiltinType, isBuiltinFunction, isBuiltinType } from '../generated/nodes.js';

export interface BuiltinDescription {
    readonly name: string;
    /** In the form of a declaration. */
    readonly signature: string;
    /** Sentences in Markdown. */
    readonly documentation: string;
}

/** By name how many arguments it has; the first one is a sequence. */
export const SEQUENCE_FUNCTIONS = {
    head: 1,
    last: 1,
    tail: 1,
    append: 2,
    concat: 2,
    slice: 3,
    without: 2,
    places: 1,
    elements: 1,
} as const;

export type SequenceFunction = keyof typeof SEQUENCE_FUNCTIONS;

export function isSequenceFunction(name: string): name is SequenceFunction {
    return name in SEQUENCE_FUNCTIONS;
}

const EMPTY = 'Of an empty sequence it is a fault.';
const BITS = 'The operands are not negative; a negative one is a fault.';

const BUILTIN_FUNCTIONS: readonly BuiltinDescription[] = [
    {
        name: 'min',
        signature: 'min(first, second, …)',
        documentation: 'The smallest of two or more integers. Of all values of an expression: `min(i in T: e)`.',
    },
    {
        name: 'max',
        signature: 'max(first, second, …)',
        documentation: 'The largest of two or more integers. Of all values of an expression: `max(i in T: e)`.',
    },
    {
        name: 'len',
        signature: 'len(of)',
        documentation:
            'How many messages a channel with a capacity holds, or how many elements an array, a set or a sequence has.',
    },
    {
        name: 'full',
        signature: 'full(of)',
        documentation:
            'Whether a channel or a sequence holds as many elements as it can. A channel must have a capacity.',
    },
    {
        name: 'empty',
        signature: 'empty(of)',
        documentation: 'Whether a channel, a set or a sequence holds nothing. A channel must have a capacity.',
    },
    {
        name: 'alive',
        signature: 'alive(reference)',
        documentation: 'Whether the instance of a template has not ended. `none` is a fault.',
    },
    {
        name: 'first',
        signature: 'first(type)',
        documentation:
            'The first value of a declared type: what a variable of it holds that is given no value. Of a record it has the first value of each field.',
    },
    { name: 'head', signature: 'head(sequence)', documentation: `The first element. ${EMPTY}` },
    { name: 'last', signature: 'last(sequence)', documentation: `The last element. ${EMPTY}` },
    { name: 'tail', signature: 'tail(sequence)', documentation: `All elements but the first. ${EMPTY}` },
    {
        name: 'append',
        signature: 'append(sequence, element)',
        documentation:
            'The sequence with one more element at its end. It is a fault to store more than its place holds.',
    },
    {
        name: 'concat',
        signature: 'concat(first, second)',
        documentation: 'The elements of one sequence, and behind them those of another one.',
    },
    {
        name: 'slice',
        signature: 'slice(sequence, from, to)',
        documentation: 'The elements from one place to before another one. Places that are not there are a fault.',
    },
    {
        name: 'without',
        signature: 'without(sequence, place)',
        documentation: 'The sequence without the element at a place, which must be there.',
    },
    {
        name: 'places',
        signature: 'places(sequence)',
        documentation: 'The set of the places in use: from 0 to before its length.',
    },
    { name: 'elements', signature: 'elements(sequence)', documentation: 'The set of the elements.' },
    {
        name: 'pow',
        signature: 'pow(base, exponent)',
        documentation: 'The power of an integer. A negative exponent is a fault.',
    },
    {
        name: 'xor',
        signature: 'xor(first, second)',
        documentation: `The bits that exactly one of the two has. ${BITS}`,
    },
    { name: 'bitand', signature: 'bitand(first, second)', documentation: `The bits that both have. ${BITS}` },
    {
        name: 'bitor',
        signature: 'bitor(first, second)',
        documentation: `The bits that at least one of the two has. ${BITS}`,
    },
    { name: 'shl', signature: 'shl(value, by)', documentation: `The value with its bits moved up. ${BITS}` },
    { name: 'shr', signature: 'shr(value, by)', documentation: `The value with its bits moved down. ${BITS}` },
];

/** The type of the numbers without end. */
const NAT: BuiltinDescription = {
    name: 'nat',
    signature: 'nat',
    documentation:
        'The numbers 0, 1, 2, … without end. They are compared, copied, and have constants added; what a search keeps of them are their order and small distances.',
};

/** The nodes of the built-in functions and of the built-in type, by name: they stand in no text. */
export const BUILTIN_NODES: ReadonlyMap<string, BuiltinFunction | BuiltinType> = new Map<
    string,
    BuiltinFunction | BuiltinType
>([
    ...BUILTIN_FUNCTIONS.map(({ name }): [string, BuiltinFunction] => [name, { $type: 'BuiltinFunction', name }]),
    [NAT.name, { $type: 'BuiltinType', name: NAT.name }],
]);

/** Whether a node is in no text. */
export function isBuiltin(node: unknown): node is BuiltinFunction | BuiltinType {
    return isBuiltinFunction(node) || isBuiltinType(node);
}

export function builtinDescriptionOf({ name }: BuiltinFunction | BuiltinType): BuiltinDescription | undefined {
    return name === NAT.name ? NAT : BUILTIN_FUNCTIONS.find(builtin => builtin.name === name);
}
