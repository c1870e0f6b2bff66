/** Words for names and numbers in messages. */
import { unreachable } from '../../engine/common/assert.js';
import * as ast from '../generated/ast.js';
import type { Named } from '../generated/ast.js';

/** `1,048,576`; beyond the exact integers a power of ten. */
export function formatCount(count: number): string {
    return count <= Number.MAX_SAFE_INTEGER ? count.toLocaleString('en-US') : count.toExponential(1);
}

/** The kind of a declaration with its article: `a parameter`. */
export function describeNamed(named: Named): string {
    switch (named.$type) {
        case 'Parameter':
            return 'a parameter';
        case 'Constant':
            return 'a constant';
        case 'TypeDeclaration':
        case 'Enumeration':
            return 'a type';
        case 'RecordDeclaration':
            return 'a record';
        case 'RecordField':
            return `a field of \`${named.$container.name}\``;
        case 'EnumerationValue':
            return `a value of \`${named.$container.name}\``;
        case 'Variable':
            return 'a variable';
        case 'ChannelDeclaration':
            return 'a channel';
        case 'EventDeclaration':
            return 'an event';
        case 'FunctionDeclaration':
            return 'a function';
        case 'FunctionParameter':
            return `a parameter of \`${named.$container.name}\``;
        case 'BuiltinFunction':
            return 'a built-in function';
        case 'Let':
            return 'a name for an expression';
        case 'Process':
            return 'a process';
        case 'ProcessIndex':
            return `an index of process \`${named.$container.name}\``;
        case 'BinderVariable':
            return ast.isFor(named.$container.$container) || ast.isForStatement(named.$container.$container)
                ? 'the variable of a `for`'
                : ast.isAlternative(named.$container.$container)
                  ? 'the variable of a `choose`'
                  : 'the variable of a quantifier';
        case 'Invariant':
            return 'an invariant';
        default:
            return unreachable(named);
    }
}
