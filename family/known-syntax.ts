/**
 * The syntax that the proof for all values of the parameters knows: the properties of each kind of node.
 *
 * A node of another kind, or with a property that is not listed and holds something, may mean something that no rule of the proof is about.
 * Then nothing is proved about its model, until a rule is written and the list is extended.
 */
import * as ast from '../language/generated/nodes.js';
import type { Node } from '../language/tree/node.js';

export function isKnownSyntax(node: Node): boolean {
    const known = KNOWN[node.$type];
    return (
        known !== undefined &&
        !isBuiltinType(node) &&
        Object.entries(node).every(
            ([name, value]) => name.startsWith('$') || known.includes(name) || value === false || isEmptyList(value),
        )
    );
}

/** No rule is about numbers without end. */
function isBuiltinType(node: Node): boolean {
    return ast.isReference(node) && ast.isBuiltinType(node.target.ref);
}

function isEmptyList(value: unknown): boolean {
    return Array.isArray(value) && value.length === 0;
}

const KNOWN: Readonly<Record<string, readonly string[] | undefined>> = {
    Alternative: ['body', 'groups', 'where'],
    ArrayLiteral: ['comprehension', 'elements'],
    Assertion: ['condition', 'text'],
    Assignment: ['target', 'value'],
    Assumption: ['expression', 'name'],
    BinaryExpression: ['left', 'operator', 'right'],
    BinderGroup: ['collection', 'type', 'variables'],
    BinderVariable: ['name'],
    Block: ['items'],
    Body: ['statements'],
    BooleanLiteral: ['value'],
    BooleanType: ['optional'],
    Break: [],
    BuiltinFunction: ['name'],
    Call: ['arguments', 'function', 'indices'],
    ChannelDeclaration: ['capacity', 'indices', 'message', 'name'],
    ChannelType: ['message'],
    CasePattern: ['case', 'parts'],
    Choose: ['alternatives'],
    Comprehension: ['body', 'groups', 'where'],
    Conditional: ['condition', 'otherwise', 'then'],
    Constraint: ['expression'],
    Constant: ['name', 'type', 'value'],
    DeadlockAllowance: [],
    DeadlockFreedom: [],
    Enumeration: ['name', 'values'],
    EnumerationValue: ['fields', 'name'],
    EventDeclaration: ['arguments', 'fair', 'name', 'strong'],
    ExpressionPattern: ['equal', 'value'],
    Expectation: ['everyStep', 'target', 'when', 'whole'],
    FieldAccess: ['field', 'indices', 'record'],
    For: ['body', 'groups'],
    ForStatement: ['body', 'groups', 'where'],
    FunctionDeclaration: ['body', 'name', 'parameters', 'result', 'value'],
    FunctionParameter: ['name', 'type'],
    IfControl: ['condition', 'elseIf', 'otherwise', 'then'],
    IfStatement: ['condition', 'elseIf', 'otherwise', 'then'],
    Import: ['path'],
    IndexType: ['element', 'open'],
    InitialBody: ['body', 'indices', 'name', 'where'],
    InitialCondition: ['expression'],
    InstanceAt: ['instance', 'label'],
    Invariant: ['expression', 'name'],
    Labeled: ['fair', 'isEnd', 'item', 'name', 'strong'],
    Let: ['name', 'value'],
    Loop: ['body'],
    ModelHeader: ['name'],
    NoneLiteral: [],
    NumberLiteral: ['value'],
    Parameter: ['name', 'type', 'value'],
    Procedure: ['body', 'name', 'parameters'],
    ProcedureCall: ['arguments', 'procedure'],
    ProcedureParameter: ['isPlace', 'name', 'type'],
    Process: ['body', 'fair', 'indices', 'isTemplate', 'name', 'parameters', 'strong', 'where'],
    ProcessIndex: ['name', 'type'],
    ProcessParameter: ['name', 'type'],
    Property: ['expression', 'name'],
    StatedRun: ['name', 'parts'],
    Quantifier: ['body', 'groups', 'quantifier', 'where'],
    RangeType: ['high', 'low', 'optional'],
    RecordDeclaration: ['fields', 'name', 'where'],
    RecordField: ['name', 'type'],
    RecordPattern: ['parts'],
    Reference: ['action', 'indices', 'label', 'target'],
    Return: ['value'],
    Self: ['name'],
    SetComprehension: ['body', 'groups', 'where'],
    SetElement: ['high', 'low'],
    SetLiteral: ['comprehension', 'elements'],
    SetType: ['member'],
    Skip: [],
    Spawn: ['arguments', 'template'],
    Step: ['assertion', 'body', 'call', 'guard', 'message', 'pattern', 'place', 'skip', 'spawn', 'text', 'value'],
    SymmetryAssertion: ['ofValues', 'target'],
    TemporalPrefix: ['operand', 'operator'],
    Terminate: [],
    Type: ['element', 'indices', 'isOfChannel'],
    TypeDeclaration: ['name', 'type'],
    UnaryExpression: ['operand', 'operator'],
    Variable: ['any', 'choices', 'initializer', 'name', 'type'],
    While: ['body', 'condition'],
    WhileStatement: ['body', 'condition'],
    WildcardPattern: [],
};
