/** Words for names and numbers in messages. */
import * as ast from '../generated/nodes.js';

/** `1,048,576`; beyond the exact integers a power of ten. */
export function formatCount(count: number): string {
    return count <= Number.MAX_SAFE_INTEGER ? count.toLocaleString('en-US') : count.toExponential(1);
}

const KINDS: Readonly<Record<ast.Named['$type'], string>> = {
    Parameter: 'a parameter',
    Constant: 'a constant',
    TypeDeclaration: 'a type',
    Enumeration: 'a type',
    RecordDeclaration: 'a record',
    RecordField: 'a field',
    EnumerationValue: 'a value',
    Variable: 'a variable',
    ChannelDeclaration: 'a channel',
    EventDeclaration: 'an event',
    FunctionDeclaration: 'a function',
    FunctionParameter: 'a parameter',
    InitialBody: 'a computed initial state',
    Procedure: 'a procedure',
    ProcedureParameter: 'a parameter',
    BuiltinFunction: 'a built-in function',
    BuiltinType: 'a type',
    Let: 'a name for an expression',
    Process: 'a process',
    ProcessIndex: 'an index',
    ProcessParameter: 'a parameter',
    Self: 'an instance',
    BinderVariable: 'the variable of a quantifier',
    Invariant: 'an invariant',
    Property: 'a property',
    Assumption: 'an assumption',
    StatedRun: 'a run',
};

/** The kind of a declaration with its article: `a parameter`. */
export function describeNamed(named: ast.Named): string {
    const kind = KINDS[named.$type];
    switch (named.$type) {
        case 'RecordField':
        case 'EnumerationValue':
        case 'FunctionParameter':
        case 'ProcedureParameter':
            return `${kind} of \`${named.$container.name}\``;
        case 'ProcessParameter':
            return `${kind} of template \`${named.$container.name}\``;
        case 'ProcessIndex':
            if (ast.isInitialBody(named.$container)) {
                return `${kind} of \`init ${named.$container.name}\``;
            }
            return `${kind} of process \`${named.$container.name}\``;
        case 'Self':
            return `${kind} of \`${(named.$container as ast.Process).name}\``;
        case 'Variable':
            return named.type.isOfChannel ? 'a channel' : kind;
        case 'Process':
            return named.isTemplate ? 'a template' : kind;
        case 'BinderVariable': {
            const owner = named.$container.$container;
            const isLoop = ast.isFor(owner) || ast.isForStatement(owner);
            return isLoop ? 'the variable of a `for`' : ast.isAlternative(owner) ? 'the variable of a `choose`' : kind;
        }
        default:
            return kind;
    }
}
