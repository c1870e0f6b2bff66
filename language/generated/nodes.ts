// Generated from language-server/generated/ast.ts by grammar/generate-nodes.js.

import { typeOf, type Link, type Node } from '../tree/node.js';

export type Name = string;

export interface Alternative extends Node {
    readonly $container: Choose;
    readonly $type: 'Alternative';
    body: Block;
    groups: Array<BinderGroup>;
    where?: Expression;
}

export function isAlternative(item: unknown): item is Alternative {
    return typeOf(item) === 'Alternative';
}

export interface AnyLiteral extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'AnyLiteral';
}

export function isAnyLiteral(item: unknown): item is AnyLiteral {
    return typeOf(item) === 'AnyLiteral';
}

export interface ArrayLiteral extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'ArrayLiteral';
    comprehension?: Comprehension;
    elements: Array<Expression>;
}

export function isArrayLiteral(item: unknown): item is ArrayLiteral {
    return typeOf(item) === 'ArrayLiteral';
}

export interface Assertion extends Node {
    readonly $container: Body;
    readonly $type: 'Assertion';
    condition: Expression;
    text?: string;
}

export function isAssertion(item: unknown): item is Assertion {
    return typeOf(item) === 'Assertion';
}

export interface Assignment extends Node {
    readonly $container: Body;
    readonly $type: 'Assignment';
    target: Expression;
    value: Expression;
}

export function isAssignment(item: unknown): item is Assignment {
    return typeOf(item) === 'Assignment';
}

export interface Assumption extends Node {
    readonly $container: Model;
    readonly $type: 'Assumption';
    expression: Expression;
    name: Name;
}

export function isAssumption(item: unknown): item is Assumption {
    return typeOf(item) === 'Assumption';
}

export interface BagType extends Node {
    readonly $container: BagType | ChannelType | IndexType | SequenceType | SetType | Type;
    readonly $type: 'BagType';
    copies: Expression;
    member: ElementType;
}

export function isBagType(item: unknown): item is BagType {
    return typeOf(item) === 'BagType';
}

export interface BinaryExpression extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'BinaryExpression';
    left: Expression;
    operator: '!=' | '&&' | '*' | '+' | '-' | '<' | '<=' | '==' | '>' | '>=' | 'div' | 'implies' | 'in' | 'intersect' | 'is' | 'leads to' | 'minus' | 'mod' | 'subset' | 'union' | 'until' | 'weak until' | '||';
    right: Expression;
}

export function isBinaryExpression(item: unknown): item is BinaryExpression {
    return typeOf(item) === 'BinaryExpression';
}

export interface BinderGroup extends Node {
    readonly $container: Alternative | Comprehension | For | ForStatement | Quantifier | SetComprehension;
    readonly $type: 'BinderGroup';
    collection?: Expression;
    type?: Type;
    variables: Array<BinderVariable>;
}

export function isBinderGroup(item: unknown): item is BinderGroup {
    return typeOf(item) === 'BinderGroup';
}

export interface BinderVariable extends Node {
    readonly $container: BinderGroup;
    readonly $type: 'BinderVariable';
    name: Name;
}

export function isBinderVariable(item: unknown): item is BinderVariable {
    return typeOf(item) === 'BinderVariable';
}

export interface Block extends Node {
    readonly $container: Alternative | For | IfControl | Loop | Process | While;
    readonly $type: 'Block';
    items: Array<Constant | Control | Labeled | Let | Variable>;
}

export function isBlock(item: unknown): item is Block {
    return typeOf(item) === 'Block';
}

export interface Body extends Node {
    readonly $container: ForStatement | FunctionDeclaration | IfStatement | InitialBody | Procedure | Step | WhileStatement;
    readonly $type: 'Body';
    statements: Array<Statement>;
}

export function isBody(item: unknown): item is Body {
    return typeOf(item) === 'Body';
}

export interface BooleanLiteral extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'BooleanLiteral';
    value: 'false' | 'true';
}

export function isBooleanLiteral(item: unknown): item is BooleanLiteral {
    return typeOf(item) === 'BooleanLiteral';
}

export interface BooleanType extends Node {
    readonly $container: BagType | ChannelType | IndexType | SequenceType | SetType | Type;
    readonly $type: 'BooleanType';
    optional: boolean;
}

export function isBooleanType(item: unknown): item is BooleanType {
    return typeOf(item) === 'BooleanType';
}

export interface Break extends Node {
    readonly $container: Block | Labeled;
    readonly $type: 'Break';
}

export function isBreak(item: unknown): item is Break {
    return typeOf(item) === 'Break';
}

export interface BuiltinFunction extends Node {
    readonly $type: 'BuiltinFunction';
    name: string;
}

export function isBuiltinFunction(item: unknown): item is BuiltinFunction {
    return typeOf(item) === 'BuiltinFunction';
}

export interface BuiltinType extends Node {
    readonly $type: 'BuiltinType';
    name: string;
}

export function isBuiltinType(item: unknown): item is BuiltinType {
    return typeOf(item) === 'BuiltinType';
}

export interface Call extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'Call';
    arguments: Array<Expression>;
    function: Link<Named>;
    indices: Array<Expression>;
}

export function isCall(item: unknown): item is Call {
    return typeOf(item) === 'Call';
}

export interface CasePattern extends Node {
    readonly $container: CasePattern | RecordPattern | Step;
    readonly $type: 'CasePattern';
    case: Link<Named>;
    parts: Array<Pattern>;
}

export function isCasePattern(item: unknown): item is CasePattern {
    return typeOf(item) === 'CasePattern';
}

export interface ChannelDeclaration extends Node {
    readonly $container: Model;
    readonly $type: 'ChannelDeclaration';
    capacity: Expression;
    indices: Array<IndexType>;
    initializer?: Expression;
    message: Type;
    name: Name;
}

export function isChannelDeclaration(item: unknown): item is ChannelDeclaration {
    return typeOf(item) === 'ChannelDeclaration';
}

export interface ChannelType extends Node {
    readonly $container: BagType | ChannelType | IndexType | SequenceType | SetType | Type;
    readonly $type: 'ChannelType';
    message: ElementType;
}

export function isChannelType(item: unknown): item is ChannelType {
    return typeOf(item) === 'ChannelType';
}

export interface Choose extends Node {
    readonly $container: Block | Labeled;
    readonly $type: 'Choose';
    alternatives: Array<Alternative>;
}

export function isChoose(item: unknown): item is Choose {
    return typeOf(item) === 'Choose';
}

export interface Comprehension extends Node {
    readonly $container: ArrayLiteral;
    readonly $type: 'Comprehension';
    body: Expression;
    groups: Array<BinderGroup>;
    where?: Expression;
}

export function isComprehension(item: unknown): item is Comprehension {
    return typeOf(item) === 'Comprehension';
}

export interface Conditional extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'Conditional';
    condition: Expression;
    otherwise: Expression;
    then: Expression;
}

export function isConditional(item: unknown): item is Conditional {
    return typeOf(item) === 'Conditional';
}

export interface Constant extends Node {
    readonly $container: Block | Model;
    readonly $type: 'Constant';
    name: Name;
    type?: Type;
    value: Expression;
}

export function isConstant(item: unknown): item is Constant {
    return typeOf(item) === 'Constant';
}

export interface Constraint extends Node {
    readonly $container: Model;
    readonly $type: 'Constraint';
    expression: Expression;
}

export function isConstraint(item: unknown): item is Constraint {
    return typeOf(item) === 'Constraint';
}

export interface DeadlockAllowance extends Node {
    readonly $container: Model;
    readonly $type: 'DeadlockAllowance';
}

export function isDeadlockAllowance(item: unknown): item is DeadlockAllowance {
    return typeOf(item) === 'DeadlockAllowance';
}

export interface DeadlockFreedom extends Node {
    readonly $container: Model;
    readonly $type: 'DeadlockFreedom';
}

export function isDeadlockFreedom(item: unknown): item is DeadlockFreedom {
    return typeOf(item) === 'DeadlockFreedom';
}

export interface Enumeration extends Node {
    readonly $container: Model;
    readonly $type: 'Enumeration';
    isOpen: boolean;
    name: Name;
    values: Array<EnumerationValue>;
}

export function isEnumeration(item: unknown): item is Enumeration {
    return typeOf(item) === 'Enumeration';
}

export interface EnumerationValue extends Node {
    readonly $container: Enumeration;
    readonly $type: 'EnumerationValue';
    fields: Array<RecordField>;
    name: Name;
}

export function isEnumerationValue(item: unknown): item is EnumerationValue {
    return typeOf(item) === 'EnumerationValue';
}

export interface EventDeclaration extends Node {
    readonly $container: Model;
    readonly $type: 'EventDeclaration';
    arguments: Array<IndexType>;
    fair: boolean;
    name: Name;
    strong: boolean;
}

export function isEventDeclaration(item: unknown): item is EventDeclaration {
    return typeOf(item) === 'EventDeclaration';
}

export interface Expectation extends Node {
    readonly $container: Model;
    readonly $type: 'Expectation';
    everyStep: boolean;
    target?: Link<Named>;
    when?: Expression;
    whole?: 'deadlock' | 'faults';
}

export function isExpectation(item: unknown): item is Expectation {
    return typeOf(item) === 'Expectation';
}

export interface ExpressionPattern extends Node {
    readonly $container: CasePattern | RecordPattern | Step;
    readonly $type: 'ExpressionPattern';
    equal: boolean;
    value: Expression;
}

export function isExpressionPattern(item: unknown): item is ExpressionPattern {
    return typeOf(item) === 'ExpressionPattern';
}

export interface FieldAccess extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'FieldAccess';
    field: Link<Member>;
    indices: Array<Expression>;
    record: Expression | Reference;
}

export function isFieldAccess(item: unknown): item is FieldAccess {
    return typeOf(item) === 'FieldAccess';
}

export interface For extends Node {
    readonly $container: Block | Labeled;
    readonly $type: 'For';
    body: Block;
    groups: Array<BinderGroup>;
}

export function isFor(item: unknown): item is For {
    return typeOf(item) === 'For';
}

export interface ForStatement extends Node {
    readonly $container: Body;
    readonly $type: 'ForStatement';
    body: Body;
    groups: Array<BinderGroup>;
    where?: Expression;
}

export function isForStatement(item: unknown): item is ForStatement {
    return typeOf(item) === 'ForStatement';
}

export interface FunctionDeclaration extends Node {
    readonly $container: Model;
    readonly $type: 'FunctionDeclaration';
    body?: Body;
    name: Name;
    parameters: Array<FunctionParameter>;
    result: Type;
    value?: Expression;
}

export function isFunctionDeclaration(item: unknown): item is FunctionDeclaration {
    return typeOf(item) === 'FunctionDeclaration';
}

export interface FunctionParameter extends Node {
    readonly $container: FunctionDeclaration;
    readonly $type: 'FunctionParameter';
    name: Name;
    type: Type;
}

export function isFunctionParameter(item: unknown): item is FunctionParameter {
    return typeOf(item) === 'FunctionParameter';
}

export interface IfControl extends Node {
    readonly $container: Block | IfControl | Labeled;
    readonly $type: 'IfControl';
    condition: Expression;
    elseIf?: IfControl;
    otherwise?: Block;
    then: Block;
}

export function isIfControl(item: unknown): item is IfControl {
    return typeOf(item) === 'IfControl';
}

export interface IfStatement extends Node {
    readonly $container: Body | IfStatement;
    readonly $type: 'IfStatement';
    condition: Expression;
    elseIf?: IfStatement;
    otherwise?: Body;
    then: Body;
}

export function isIfStatement(item: unknown): item is IfStatement {
    return typeOf(item) === 'IfStatement';
}

export interface Import extends Node {
    readonly $container: Model;
    readonly $type: 'Import';
    path: string;
}

export function isImport(item: unknown): item is Import {
    return typeOf(item) === 'Import';
}

export interface IndexType extends Node {
    readonly $container: ChannelDeclaration | EventDeclaration | Type;
    readonly $type: 'IndexType';
    element?: ElementType;
    open: boolean;
}

export function isIndexType(item: unknown): item is IndexType {
    return typeOf(item) === 'IndexType';
}

export interface InitialBody extends Node {
    readonly $container: Model;
    readonly $type: 'InitialBody';
    body: Body;
    indices: Array<ProcessIndex>;
    name: Name;
    where?: Expression;
}

export function isInitialBody(item: unknown): item is InitialBody {
    return typeOf(item) === 'InitialBody';
}

export interface InitialCondition extends Node {
    readonly $container: Model;
    readonly $type: 'InitialCondition';
    expression: Expression;
}

export function isInitialCondition(item: unknown): item is InitialCondition {
    return typeOf(item) === 'InitialCondition';
}

export interface InstanceAt extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'InstanceAt';
    instance: Expression | FieldAccess;
    label: Link<Labeled>;
}

export function isInstanceAt(item: unknown): item is InstanceAt {
    return typeOf(item) === 'InstanceAt';
}

export interface Invariant extends Node {
    readonly $container: Model;
    readonly $type: 'Invariant';
    expression: Expression;
    name: Name;
}

export function isInvariant(item: unknown): item is Invariant {
    return typeOf(item) === 'Invariant';
}

export interface Labeled extends Node {
    readonly $container: Block | Labeled;
    readonly $type: 'Labeled';
    fair: boolean;
    isEnd: boolean;
    item: Control | Labeled;
    name: Name;
    strong: boolean;
}

export function isLabeled(item: unknown): item is Labeled {
    return typeOf(item) === 'Labeled';
}

export interface Let extends Node {
    readonly $container: Block | Body;
    readonly $type: 'Let';
    name: Name;
    value: Expression;
}

export function isLet(item: unknown): item is Let {
    return typeOf(item) === 'Let';
}

export interface Loop extends Node {
    readonly $container: Block | Labeled;
    readonly $type: 'Loop';
    body: Block;
}

export function isLoop(item: unknown): item is Loop {
    return typeOf(item) === 'Loop';
}

export interface Model extends Node {
    readonly $type: 'Model';
    declarations: Array<Declaration>;
    headers: Array<ModelHeader>;
}

export function isModel(item: unknown): item is Model {
    return typeOf(item) === 'Model';
}

export interface ModelHeader extends Node {
    readonly $container: Model;
    readonly $type: 'ModelHeader';
    name: Name;
}

export function isModelHeader(item: unknown): item is ModelHeader {
    return typeOf(item) === 'ModelHeader';
}

export interface NoneLiteral extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'NoneLiteral';
}

export function isNoneLiteral(item: unknown): item is NoneLiteral {
    return typeOf(item) === 'NoneLiteral';
}

export interface NumberLiteral extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'NumberLiteral';
    value: number;
}

export function isNumberLiteral(item: unknown): item is NumberLiteral {
    return typeOf(item) === 'NumberLiteral';
}

export interface Parameter extends Node {
    readonly $container: Model;
    readonly $type: 'Parameter';
    name: Name;
    type: Type;
    value?: Expression;
}

export function isParameter(item: unknown): item is Parameter {
    return typeOf(item) === 'Parameter';
}

export interface Procedure extends Node {
    readonly $container: Model;
    readonly $type: 'Procedure';
    body: Body;
    name: Name;
    parameters: Array<ProcedureParameter>;
}

export function isProcedure(item: unknown): item is Procedure {
    return typeOf(item) === 'Procedure';
}

export interface ProcedureCall extends Node {
    readonly $container: Body | Step;
    readonly $type: 'ProcedureCall';
    arguments: Array<Expression>;
    procedure: Link<Named>;
}

export function isProcedureCall(item: unknown): item is ProcedureCall {
    return typeOf(item) === 'ProcedureCall';
}

export interface ProcedureParameter extends Node {
    readonly $container: Procedure;
    readonly $type: 'ProcedureParameter';
    isPlace: boolean;
    name: Name;
    type: Type;
}

export function isProcedureParameter(item: unknown): item is ProcedureParameter {
    return typeOf(item) === 'ProcedureParameter';
}

export interface Process extends Node {
    readonly $container: Model;
    readonly $type: 'Process';
    body: Block;
    fair: boolean;
    indices: Array<ProcessIndex>;
    isTemplate: boolean;
    name: Name;
    parameters: Array<ProcessParameter>;
    strong: boolean;
    where?: Expression;
}

export function isProcess(item: unknown): item is Process {
    return typeOf(item) === 'Process';
}

export interface ProcessIndex extends Node {
    readonly $container: InitialBody | Process;
    readonly $type: 'ProcessIndex';
    name: Name;
    type: Type;
}

export function isProcessIndex(item: unknown): item is ProcessIndex {
    return typeOf(item) === 'ProcessIndex';
}

export interface ProcessParameter extends Node {
    readonly $container: Process;
    readonly $type: 'ProcessParameter';
    name: Name;
    type: Type;
}

export function isProcessParameter(item: unknown): item is ProcessParameter {
    return typeOf(item) === 'ProcessParameter';
}

export interface Property extends Node {
    readonly $container: Model;
    readonly $type: 'Property';
    expression: Expression;
    name: Name;
}

export function isProperty(item: unknown): item is Property {
    return typeOf(item) === 'Property';
}

export interface Quantifier extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'Quantifier';
    body: Expression;
    groups: Array<BinderGroup>;
    quantifier: 'count' | 'exists' | 'forall' | 'max' | 'min' | 'sum' | 'the';
    where?: Expression;
}

export function isQuantifier(item: unknown): item is Quantifier {
    return typeOf(item) === 'Quantifier';
}

export interface RangeType extends Node {
    readonly $container: BagType | ChannelType | IndexType | SequenceType | SetType | Type;
    readonly $type: 'RangeType';
    high?: Expression;
    low: Expression;
    optional: boolean;
}

export function isRangeType(item: unknown): item is RangeType {
    return typeOf(item) === 'RangeType';
}

export interface RecordDeclaration extends Node {
    readonly $container: Model;
    readonly $type: 'RecordDeclaration';
    fields: Array<RecordField>;
    name: Name;
    where?: Expression;
}

export function isRecordDeclaration(item: unknown): item is RecordDeclaration {
    return typeOf(item) === 'RecordDeclaration';
}

export interface RecordField extends Node {
    readonly $container: EnumerationValue | RecordDeclaration;
    readonly $type: 'RecordField';
    name: Name;
    type: Type;
}

export function isRecordField(item: unknown): item is RecordField {
    return typeOf(item) === 'RecordField';
}

export interface RecordPattern extends Node {
    readonly $container: CasePattern | RecordPattern | Step;
    readonly $type: 'RecordPattern';
    parts: Array<Pattern>;
}

export function isRecordPattern(item: unknown): item is RecordPattern {
    return typeOf(item) === 'RecordPattern';
}

export interface Reference extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'Reference';
    action?: Link<Action>;
    indices: Array<Expression>;
    label?: Link<Labeled>;
    target: Link<Named>;
}

export function isReference(item: unknown): item is Reference {
    return typeOf(item) === 'Reference';
}

export interface Return extends Node {
    readonly $container: Body;
    readonly $type: 'Return';
    value: Expression;
}

export function isReturn(item: unknown): item is Return {
    return typeOf(item) === 'Return';
}

export interface Self extends Node {
    readonly $type: 'Self';
    name: string;
}

export function isSelf(item: unknown): item is Self {
    return typeOf(item) === 'Self';
}

export interface SequenceType extends Node {
    readonly $container: BagType | ChannelType | IndexType | SequenceType | SetType | Type;
    readonly $type: 'SequenceType';
    length: Expression;
    member: ElementType;
}

export function isSequenceType(item: unknown): item is SequenceType {
    return typeOf(item) === 'SequenceType';
}

export interface SetComprehension extends Node {
    readonly $container: SetLiteral;
    readonly $type: 'SetComprehension';
    body?: Expression;
    groups: Array<BinderGroup>;
    where?: Expression;
}

export function isSetComprehension(item: unknown): item is SetComprehension {
    return typeOf(item) === 'SetComprehension';
}

export interface SetElement extends Node {
    readonly $container: SetLiteral;
    readonly $type: 'SetElement';
    copies?: Expression;
    high?: Expression;
    low: Expression;
}

export function isSetElement(item: unknown): item is SetElement {
    return typeOf(item) === 'SetElement';
}

export interface SetLiteral extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'SetLiteral';
    comprehension?: SetComprehension;
    elements: Array<SetElement>;
}

export function isSetLiteral(item: unknown): item is SetLiteral {
    return typeOf(item) === 'SetLiteral';
}

export interface SetType extends Node {
    readonly $container: BagType | ChannelType | IndexType | SequenceType | SetType | Type;
    readonly $type: 'SetType';
    member: ElementType;
}

export function isSetType(item: unknown): item is SetType {
    return typeOf(item) === 'SetType';
}

export interface Skip extends Node {
    readonly $container: Body;
    readonly $type: 'Skip';
}

export function isSkip(item: unknown): item is Skip {
    return typeOf(item) === 'Skip';
}

export interface Spawn extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Body | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'Spawn';
    arguments: Array<Expression>;
    isNew: boolean;
    template: Link<Named>;
}

export function isSpawn(item: unknown): item is Spawn {
    return typeOf(item) === 'Spawn';
}

export interface StatedRun extends Node {
    readonly $container: Model;
    readonly $type: 'StatedRun';
    name: Name;
    parts: Array<Expression>;
}

export function isStatedRun(item: unknown): item is StatedRun {
    return typeOf(item) === 'StatedRun';
}

export interface Step extends Node {
    readonly $container: Block | Labeled;
    readonly $type: 'Step';
    assertion?: Expression;
    body?: Body;
    call?: ProcedureCall;
    guard?: Expression;
    message?: Expression;
    pattern?: Pattern;
    place?: Expression;
    skip: boolean;
    spawn?: Spawn;
    text?: string;
    value?: Expression;
}

export function isStep(item: unknown): item is Step {
    return typeOf(item) === 'Step';
}

export interface SymmetryAssertion extends Node {
    readonly $container: Model;
    readonly $type: 'SymmetryAssertion';
    ofValues: boolean;
    target: Link<Named>;
}

export function isSymmetryAssertion(item: unknown): item is SymmetryAssertion {
    return typeOf(item) === 'SymmetryAssertion';
}

export interface TemporalPrefix extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'TemporalPrefix';
    operand: Expression;
    operator: 'always' | 'eventually' | 'infinitely often' | 'possible';
}

export function isTemporalPrefix(item: unknown): item is TemporalPrefix {
    return typeOf(item) === 'TemporalPrefix';
}

export interface Terminate extends Node {
    readonly $container: Block | Labeled;
    readonly $type: 'Terminate';
}

export function isTerminate(item: unknown): item is Terminate {
    return typeOf(item) === 'Terminate';
}

export interface Type extends Node {
    readonly $container: BinderGroup | ChannelDeclaration | Constant | FunctionDeclaration | FunctionParameter | Parameter | ProcedureParameter | ProcessIndex | ProcessParameter | RecordField | TypeDeclaration | Variable;
    readonly $type: 'Type';
    element: BagType | ElementType;
    indices: Array<IndexType>;
    isOfChannel: boolean;
}

export function isType(item: unknown): item is Type {
    return typeOf(item) === 'Type';
}

export interface TypeDeclaration extends Node {
    readonly $container: Model;
    readonly $type: 'TypeDeclaration';
    name: Name;
    type: Type;
}

export function isTypeDeclaration(item: unknown): item is TypeDeclaration {
    return typeOf(item) === 'TypeDeclaration';
}

export interface UnaryExpression extends Node {
    readonly $container: Alternative | ArrayLiteral | Assertion | Assignment | Assumption | BagType | BinaryExpression | BinderGroup | Call | ChannelDeclaration | Comprehension | Conditional | Constant | Constraint | Expectation | ExpressionPattern | FieldAccess | ForStatement | FunctionDeclaration | IfControl | IfStatement | InitialBody | InitialCondition | InstanceAt | Invariant | Let | Parameter | ProcedureCall | Process | Property | Quantifier | RangeType | RecordDeclaration | Reference | Return | SequenceType | SetComprehension | SetElement | Spawn | StatedRun | Step | TemporalPrefix | UnaryExpression | Variable | While | WhileStatement;
    readonly $type: 'UnaryExpression';
    operand: Expression;
    operator: '!' | '-';
}

export function isUnaryExpression(item: unknown): item is UnaryExpression {
    return typeOf(item) === 'UnaryExpression';
}

export interface Variable extends Node {
    readonly $container: Block | Body | Model;
    readonly $type: 'Variable';
    any: boolean;
    choices?: Expression;
    initializer?: Expression;
    name: Name;
    type: Type;
}

export function isVariable(item: unknown): item is Variable {
    return typeOf(item) === 'Variable';
}

export interface While extends Node {
    readonly $container: Block | Labeled;
    readonly $type: 'While';
    body: Block;
    condition: Expression;
}

export function isWhile(item: unknown): item is While {
    return typeOf(item) === 'While';
}

export interface WhileStatement extends Node {
    readonly $container: Body;
    readonly $type: 'WhileStatement';
    body: Body;
    condition: Expression;
}

export function isWhileStatement(item: unknown): item is WhileStatement {
    return typeOf(item) === 'WhileStatement';
}

export interface WildcardPattern extends Node {
    readonly $container: CasePattern | RecordPattern | Step;
    readonly $type: 'WildcardPattern';
}

export function isWildcardPattern(item: unknown): item is WildcardPattern {
    return typeOf(item) === 'WildcardPattern';
}

export type Action = EventDeclaration | Labeled;

const TYPES_OF_ACTION: ReadonlySet<unknown> = new Set(['EventDeclaration', 'Labeled']);

export function isAction(item: unknown): item is Action {
    return TYPES_OF_ACTION.has(typeOf(item));
}

export type Control = Break | Choose | For | IfControl | Loop | Step | Terminate | While;

const TYPES_OF_CONTROL: ReadonlySet<unknown> = new Set(['Break', 'Choose', 'For', 'IfControl', 'Loop', 'Step', 'Terminate', 'While']);

export function isControl(item: unknown): item is Control {
    return TYPES_OF_CONTROL.has(typeOf(item));
}

export type Declaration = Assumption | ChannelDeclaration | Constant | Constraint | DeadlockAllowance | DeadlockFreedom | Enumeration | EventDeclaration | Expectation | FunctionDeclaration | Import | InitialBody | InitialCondition | Invariant | Parameter | Procedure | Process | Property | RecordDeclaration | StatedRun | SymmetryAssertion | TypeDeclaration | Variable;

const TYPES_OF_DECLARATION: ReadonlySet<unknown> = new Set(['Assumption', 'ChannelDeclaration', 'Constant', 'Constraint', 'DeadlockAllowance', 'DeadlockFreedom', 'Enumeration', 'EventDeclaration', 'Expectation', 'FunctionDeclaration', 'Import', 'InitialBody', 'InitialCondition', 'Invariant', 'Parameter', 'Procedure', 'Process', 'Property', 'RecordDeclaration', 'StatedRun', 'SymmetryAssertion', 'TypeDeclaration', 'Variable']);

export function isDeclaration(item: unknown): item is Declaration {
    return TYPES_OF_DECLARATION.has(typeOf(item));
}

export type ElementType = BagType | BooleanType | ChannelType | RangeType | SequenceType | SetType;

const TYPES_OF_ELEMENT_TYPE: ReadonlySet<unknown> = new Set(['BagType', 'BooleanType', 'ChannelType', 'RangeType', 'SequenceType', 'SetType']);

export function isElementType(item: unknown): item is ElementType {
    return TYPES_OF_ELEMENT_TYPE.has(typeOf(item));
}

export type Expression = AnyLiteral | ArrayLiteral | BinaryExpression | BooleanLiteral | Call | Conditional | FieldAccess | InstanceAt | NoneLiteral | NumberLiteral | Quantifier | Reference | SetLiteral | Spawn | TemporalPrefix | UnaryExpression;

const TYPES_OF_EXPRESSION: ReadonlySet<unknown> = new Set(['AnyLiteral', 'ArrayLiteral', 'BinaryExpression', 'BooleanLiteral', 'Call', 'Conditional', 'FieldAccess', 'InstanceAt', 'NoneLiteral', 'NumberLiteral', 'Quantifier', 'Reference', 'SetLiteral', 'Spawn', 'TemporalPrefix', 'UnaryExpression']);

export function isExpression(item: unknown): item is Expression {
    return TYPES_OF_EXPRESSION.has(typeOf(item));
}

export type Item = Constant | Control | Labeled | Let | Variable;

const TYPES_OF_ITEM: ReadonlySet<unknown> = new Set(['Constant', 'Break', 'Choose', 'For', 'IfControl', 'Loop', 'Step', 'Terminate', 'While', 'Labeled', 'Let', 'Variable']);

export function isItem(item: unknown): item is Item {
    return TYPES_OF_ITEM.has(typeOf(item));
}

export type Member = ProcessParameter | RecordField | Variable;

const TYPES_OF_MEMBER: ReadonlySet<unknown> = new Set(['ProcessParameter', 'RecordField', 'Variable']);

export function isMember(item: unknown): item is Member {
    return TYPES_OF_MEMBER.has(typeOf(item));
}

export type Named = Assumption | BinderVariable | BuiltinFunction | BuiltinType | ChannelDeclaration | Constant | Enumeration | EnumerationValue | EventDeclaration | FunctionDeclaration | FunctionParameter | InitialBody | Invariant | Let | Parameter | Procedure | ProcedureParameter | Process | ProcessIndex | ProcessParameter | Property | RecordDeclaration | RecordField | Self | StatedRun | TypeDeclaration | Variable;

const TYPES_OF_NAMED: ReadonlySet<unknown> = new Set(['Assumption', 'BinderVariable', 'BuiltinFunction', 'BuiltinType', 'ChannelDeclaration', 'Constant', 'Enumeration', 'EnumerationValue', 'EventDeclaration', 'FunctionDeclaration', 'FunctionParameter', 'InitialBody', 'Invariant', 'Let', 'Parameter', 'Procedure', 'ProcedureParameter', 'Process', 'ProcessIndex', 'ProcessParameter', 'Property', 'RecordDeclaration', 'RecordField', 'Self', 'StatedRun', 'TypeDeclaration', 'Variable']);

export function isNamed(item: unknown): item is Named {
    return TYPES_OF_NAMED.has(typeOf(item));
}

export type Pattern = CasePattern | ExpressionPattern | RecordPattern | WildcardPattern;

const TYPES_OF_PATTERN: ReadonlySet<unknown> = new Set(['CasePattern', 'ExpressionPattern', 'RecordPattern', 'WildcardPattern']);

export function isPattern(item: unknown): item is Pattern {
    return TYPES_OF_PATTERN.has(typeOf(item));
}

export type Statement = Assertion | Assignment | ForStatement | IfStatement | Let | ProcedureCall | Return | Skip | Spawn | Variable | WhileStatement;

const TYPES_OF_STATEMENT: ReadonlySet<unknown> = new Set(['Assertion', 'Assignment', 'ForStatement', 'IfStatement', 'Let', 'ProcedureCall', 'Return', 'Skip', 'Spawn', 'Variable', 'WhileStatement']);

export function isStatement(item: unknown): item is Statement {
    return TYPES_OF_STATEMENT.has(typeOf(item));
}
