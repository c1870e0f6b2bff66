/**
 * The built-in functions. A model may declare their names; its own functions and records hide them in calls. What a
 * call means is said by typing/infer-calls.ts, typing/constant-evaluation.ts, lowering/lower-call.ts, and for all sizes
 * by rules and fault kinds of the family.
 */
import type { BuiltinFunction } from '../generated/nodes.js';

export interface BuiltinDescription {
    readonly name: string;
    /** In the form of a declaration. */
    readonly signature: string;
    /** Sentences in Markdown. */
    readonly documentation: string;
}

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
        documentation: 'How many messages a channel with a capacity holds, or how many elements an array has.',
    },
    {
        name: 'full',
        signature: 'full(channel)',
        documentation: 'Whether a channel holds as many messages as its capacity. It must have one.',
    },
    {
        name: 'empty',
        signature: 'empty(channel)',
        documentation: 'Whether a channel holds no message. It must have a capacity.',
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

/** The nodes of the built-in functions, by name: they stand in no text. */
export const BUILTIN_NODES: ReadonlyMap<string, BuiltinFunction> = new Map(
    BUILTIN_FUNCTIONS.map(({ name }) => [name, { $type: 'BuiltinFunction', name }]),
);

export function builtinDescriptionOf({ name }: BuiltinFunction): BuiltinDescription | undefined {
    return BUILTIN_FUNCTIONS.find(builtin => builtin.name === name);
}
