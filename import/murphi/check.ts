/**
 * Links the names of a model, finds its types, and refuses what Murphi does not allow and what has no counterpart here.
 * The declarations come out in Orbit, with those of rules and procedures among them: there they have names of their own.
 */
import type { AstNode } from 'langium';
import { CheckStatements } from './check-statements.js';
import type { Declaration } from './declarations.js';
import { ExpressionChecker } from './check-expression.js';
import { effectsOf } from './effects.js';
import { Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { Names, toName, capitalized } from './names.js';
import { printBound } from './orbit-syntax.js';
import { partsOf } from './parts.js';
import { Scope } from './scope.js';
import type { SourceText } from './source-text.js';
import {
    isSimple,
    typeText,
    type DataType,
    type RecordType,
    type Routine,
    type SimpleType,
    type Symbol,
    type Variable,
} from './symbols.js';
import { writeConstant } from './write-constant.js';

/** More values no type of Orbit has. */
const MOST_VALUES = 2 ** 30;
/** How far a parameter may be changed, unless its value is larger; 0 is left out unless it is the value. */
const MOST_OF_PARAMETER = 64;

export interface CheckedProgram {
    readonly facts: Facts;
    readonly names: Names;
    readonly declarations: readonly Declaration[];
    readonly routines: readonly Routine[];
    /** Rules and procedures in which something is refused. */
    readonly refused: ReadonlySet<AstNode>;
}

export function checkProgram(program: Murphi.Program, source: SourceText): CheckedProgram {
    return new Checker(program, source).run();
}

class Checker {
    private readonly program: Murphi.Program;
    private readonly facts: Facts;
    private readonly names: Names;
    private readonly expressions: ExpressionChecker;
    private readonly statements: CheckStatements;
    private readonly declarations: Declaration[] = [];
    private readonly routines: Routine[] = [];
    private readonly records: RecordType[] = [];
    private readonly refused = new Set<AstNode>();
    /** The names of constants that decide how large a type is. */
    private readonly sizes: ReadonlySet<string>;

    constructor(program: Murphi.Program, source: SourceText) {
        this.program = program;
        this.facts = new Facts(source);
        this.names = new Names();
        this.sizes = namesInTypes(program);
        this.expressions = new ExpressionChecker(this.facts, (node, scope, hint) => this.typeOf(node, scope, hint));
        this.statements = new CheckStatements(this.facts, this.expressions);
    }

    run(): CheckedProgram {
        const { declarations, parts } = this.program;
        const scope = new Scope();
        const inOrder = [...declarations, ...parts].sort((one, other) => offsetOf(one) - offsetOf(other));
        for (const part of inOrder) {
            switch (part.$type) {
                case 'ConstantSection':
                case 'TypeSection':
                case 'VariableSection':
                    this.declare(part, scope, 'global');
                    break;
                case 'Procedure':
                    this.checkRoutine(part, scope);
                    break;
                default:
                    this.checkRule(part, scope);
            }
        }
        const { facts, names, routines, refused } = this;
        return { facts, names, declarations: this.declarations, routines, refused };
    }

    private add(scope: Scope, name: string, symbol: Symbol, node: AstNode): void {
        if (!scope.declare(name, symbol)) {
            this.facts.refuse(node, 'murphi/type', `\`${name}\` is declared twice`);
        }
    }

    private declare(section: Murphi.Declaration, scope: Scope, role: 'global' | 'local'): readonly Variable[] {
        switch (section.$type) {
            case 'ConstantSection':
                section.constants.forEach(constant => this.declareConstant(constant, scope));
                return [];
            case 'TypeSection':
                section.types.forEach(type => this.declareType(type, scope));
                return [];
            case 'VariableSection':
                return section.variables.flatMap(declaration => {
                    const comments = role === 'global' ? this.commentsOf(declaration) : [];
                    const variables = this.declareVariables(declaration, scope, role);
                    if (role === 'global') {
                        const declared = variables.map((variable, index): Declaration => ({
                            kind: 'variable',
                            variable,
                            comments: index === 0 ? comments : [],
                        }));
                        this.declarations.push(...declared);
                    }
                    return variables;
                });
        }
    }

    private declareConstant(node: Murphi.ConstantDeclaration, scope: Scope): void {
        const type = this.expressions.check(node.value, scope);
        if (type.kind === 'refused') {
            return;
        }
        const value = writeConstant(node.value, this.facts);
        if (value === undefined || !isSimple(type)) {
            this.facts.refuse(
                node.value,
                'murphi/type',
                'the value of a constant is a single one that is known before',
            );
            return;
        }
        const comments = this.commentsOf(node);
        node.names.forEach((name, index) => {
            const written = this.names.declare(name);
            const isParameter = this.sizes.has(name) && node.value.$type === 'NumberLiteral';
            const common = { name: written, value, comments: index === 0 ? comments : [] };
            if (isParameter && type.kind === 'number') {
                const most = Math.max(MOST_OF_PARAMETER, type.high);
                const least = Math.min(1, type.low);
                this.declarations.push({ kind: 'parameter', least, most, ...common });
                const range = { ...type, low: least, high: most };
                this.add(scope, name, { kind: 'constant', name: written, type: range, isOpen: true }, node);
            } else {
                this.declarations.push({ kind: 'constant', ...common });
                const isOpen = this.isOpen(node.value);
                this.add(scope, name, { kind: 'constant', name: written, type, isOpen }, node);
            }
        });
    }

    private declareType(node: Murphi.TypeDeclaration, scope: Scope): void {
        const comments = this.facts.source.commentsBefore(node);
        const [first = ''] = node.names;
        const before = this.declarations.length;
        const type = this.typeOf(node.type, scope, first, 'named');
        const inside = this.facts.source.commentsIn(node);
        if (type === undefined) {
            this.leaveOut(node);
        }
        const isRange = type?.kind === 'number' || type?.kind === 'boolean';
        const named = isRange ? { ...type, text: this.names.declare(first) } : type;
        if (isRange && named !== undefined && isSimple(named)) {
            this.declarations.push({ kind: 'type', name: named.text, text: type.text, comments: [] });
        }
        const own = this.declarations[before];
        if (own !== undefined) {
            this.declarations[before] = { ...own, comments: [...comments, ...inside, ...own.comments] };
        }
        node.names.forEach(name => this.add(scope, name, { kind: 'type', type: named }, node));
    }

    private declareVariables(
        node: Murphi.VariableDeclaration | Murphi.Parameter,
        scope: Scope,
        role: Variable['role'],
        names = role === 'global' ? this.names : undefined,
        typeScope = scope,
    ): readonly Variable[] {
        const type = this.typeOf(node.type, typeScope, node.names[0] ?? '');
        if (type === undefined) {
            if (role === 'global') {
                this.leaveOut(node);
            }
            node.names.forEach(name => this.add(scope, name, { kind: 'refused' }, node));
            return [];
        }
        const variables = node.names.map((name): Variable => {
            const written = names?.declare(name) ?? name;
            return { kind: 'variable', name, written, type, role, isOptional: false };
        });
        this.facts.declare(node, variables);
        variables.forEach(variable => this.add(scope, variable.name, variable, node));
        return variables;
    }

    /** Undefined for a type that is refused. A type without a name gets one like `hint` where Orbit needs it. */
    private typeOf(
        node: Murphi.Type,
        scope: Scope,
        hint: string,
        form: 'named' | 'inline' = 'inline',
    ): DataType | undefined {
        const wished = form === 'named' ? hint : capitalized(toName(hint));
        switch (node.$type) {
            case 'BooleanType':
                return { kind: 'boolean', text: 'bool' };
            case 'RangeType':
                return this.rangeOf(node, scope);
            case 'ScalarsetType': {
                this.expressions.checkNumber(node.size, scope);
                const size = this.boundOf(node.size);
                if (size === undefined) {
                    return undefined;
                }
                const name = this.names.declare(wished);
                this.declarations.push({ kind: 'scalarset', name, size, comments: [] });
                return { kind: 'scalarset', text: name, size };
            }
            case 'EnumerationType': {
                const name = this.names.declare(wished);
                const members = node.members.map(member => this.names.declare(member));
                const type: SimpleType = { kind: 'enumeration', text: name, members };
                this.declarations.push({ kind: 'enumeration', name, members, comments: [] });
                node.members.forEach((member, index) => {
                    this.add(scope, member, { kind: 'member', name: members[index] ?? '', type }, node);
                });
                return type;
            }
            case 'RecordType': {
                const [names, fieldScope] = [new Names(), new Scope()];
                const comments: string[] = [];
                const fields = node.fields.flatMap(field => {
                    comments.push(...this.facts.source.commentsBefore(field));
                    const declared = this.declareVariables(field, fieldScope, 'field', names, scope);
                    comments.push(...this.facts.source.commentsIn(field));
                    return declared;
                });
                if (fields.length < node.fields.flatMap(field => field.names).length) {
                    return undefined;
                }
                const alike = this.records.find(record => isSameRecord(record.fields, fields));
                if (alike !== undefined) {
                    if (form === 'named') {
                        this.declarations.push({
                            kind: 'type',
                            name: this.names.declare(hint),
                            text: alike.text,
                            comments,
                        });
                    }
                    return alike;
                }
                const type: RecordType = { kind: 'record', text: this.names.declare(wished), fields };
                this.records.push(type);
                this.declarations.push({ kind: 'record', type, comments });
                return type;
            }
            case 'ArrayType': {
                const index = this.typeOf(node.index, scope, `${hint}Index`);
                const element = this.typeOf(node.element, scope, hint);
                if (index !== undefined && !isSimple(index)) {
                    this.facts.refuse(node.index, 'murphi/type', 'an index is a single value');
                    return undefined;
                }
                return index && element && { kind: 'array', index, element };
            }
            case 'MultisetType':
                this.facts.refuse(node, 'murphi/not-carried-over', 'multisets are not carried over');
                return undefined;
            case 'UnionType':
                this.facts.refuse(node, 'murphi/not-carried-over', 'unions of types are not carried over');
                return undefined;
            case 'RealType':
                this.facts.refuse(node, 'murphi/not-carried-over', 'real numbers are not carried over');
                return undefined;
        }
    }

    private rangeOf(node: Murphi.RangeType, scope: Scope): DataType | undefined {
        if (node.high === undefined) {
            const symbol = node.low.$type === 'Name' ? scope.find(node.low.name) : undefined;
            if (symbol?.kind !== 'type') {
                const text = this.facts.source.textOf(node.low);
                this.facts.refuse(node, 'murphi/unresolved', `there is no type \`${text}\` before`);
                return undefined;
            }
            return symbol.type;
        }
        const { low } = this.expressions.checkNumber(node.low, scope);
        const { high } = this.expressions.checkNumber(node.high, scope);
        const bounds = [this.boundOf(node.low), this.boundOf(node.high)];
        if (bounds.includes(undefined)) {
            return undefined;
        }
        const isOpen = this.isOpen(node.low) || this.isOpen(node.high);
        if (high - low >= MOST_VALUES) {
            this.facts.refuse(node, 'murphi/not-carried-over', 'types of more than 2^30 values are not carried over');
            return undefined;
        }
        if (!isOpen && low > high) {
            this.facts.refuse(node, 'murphi/type', 'this range has no numbers');
        }
        const text = bounds.join(' .. ');
        return { kind: 'number', low, high, text, bounds: text, isOpen };
    }

    private boundOf(node: Murphi.Expression): string | undefined {
        const bound = writeConstant(node, this.facts);
        if (bound === undefined) {
            this.facts.refuse(node, 'murphi/type', 'the bounds of a type are known before the run');
            return undefined;
        }
        return printBound(bound);
    }

    /** Whether a parameter decides the value. */
    private isOpen(node: Murphi.Expression): boolean {
        return this.facts
            .symbolsIn(node)
            .some(symbol => (symbol.kind === 'constant' ? symbol.isOpen : symbol.kind === 'routine'));
    }

    private checkRoutine(node: Murphi.Procedure, scope: Scope): void {
        const problemCount = this.facts.problems.length;
        const inner = new Scope(scope);
        const parameters = node.parameters.flatMap(parameter =>
            this.declareVariables(parameter, inner, parameter.isVariable ? 'reference' : 'value'),
        );
        const result = node.result && this.typeOf(node.result, scope, `${node.name}Result`);
        const [writes, reads] = [new Set<Variable>(), new Set<Variable>()];
        const locals: Variable[] = [];
        const name = this.names.declare(node.name);
        const returned: Variable | undefined = result && {
            kind: 'variable',
            name: node.name,
            written: name,
            type: result,
            role: 'value',
            isOptional: false,
        };
        const routine: Routine = { kind: 'routine', name, node, parameters, locals, result, returned, writes, reads };
        this.add(scope, node.name, routine, node);
        this.expressions.unfit.set(routine, 'calls itself, which is not carried over');
        locals.push(...node.declarations.flatMap(section => this.declare(section, inner, 'local')));
        this.statements.checkBody(node.statements, inner, { kind: 'routine', routine });
        const isOutside = (variable: Variable): boolean => variable.role === 'global' || parameters.includes(variable);
        const effects = effectsOf(node.statements, this.facts);
        effects.writes.forEach(variable => isOutside(variable) && writes.add(variable));
        effects.reads.forEach(variable => isOutside(variable) && reads.add(variable));
        this.routines.push(routine);
        this.noteRefusal(node, problemCount);
        if (this.refused.has(node)) {
            this.expressions.unfit.set(routine, 'is not carried over');
        } else {
            this.expressions.unfit.delete(routine);
        }
    }

    /** With `problemCount` as it was before the rulesets and aliases around the rule. */
    private checkRule(rule: Murphi.Rule, scope: Scope, problemCount = this.facts.problems.length): void {
        switch (rule.$type) {
            case 'RuleSet':
            case 'AliasRule': {
                let inner = scope;
                for (const part of rule.$type === 'RuleSet' ? rule.quantifiers : rule.aliases) {
                    inner =
                        part.$type === 'Alias'
                            ? this.statements.declareAlias(part, inner)
                            : this.expressions.declareQuantifier(part, inner);
                }
                // What is refused here leaves out all rules inside, what one of these has not the others.
                const isRefused = this.facts.problems.length > problemCount;
                rule.rules.forEach(part => this.checkRule(part, inner, isRefused ? problemCount : undefined));
                return;
            }
            case 'SimpleRule':
            case 'StartState': {
                if (rule.$type === 'SimpleRule' && rule.guard !== undefined) {
                    this.expressions.checkCondition(rule.guard, scope);
                }
                const inner = new Scope(scope);
                rule.declarations.forEach(section => this.declare(section, inner, 'local'));
                this.statements.checkBody(rule.statements, inner, { kind: 'rule' });
                break;
            }
            case 'Property':
                this.expressions.checkCondition(rule.condition, scope);
                if (rule.kind.toLowerCase() === 'cover') {
                    this.facts.refuse(rule, 'murphi/not-carried-over', '`cover` is not carried over');
                }
                break;
            case 'ChooseRule':
                this.facts.refuse(rule, 'murphi/not-carried-over', 'multisets are not carried over');
        }
        this.noteRefusal(rule, problemCount);
    }

    private noteRefusal(part: AstNode, problemCount: number): void {
        if (this.facts.problems.length > problemCount) {
            this.refused.add(part);
        }
    }

    private leaveOut(node: AstNode): void {
        const comments = ['Not carried over:', ...this.facts.source.textOf(node).split('\n')];
        this.declarations.push({ kind: 'nothing', comments });
    }

    private commentsOf(node: AstNode): readonly string[] {
        return [...this.facts.source.commentsBefore(node), ...this.facts.source.commentsIn(node)];
    }
}

/** Records with the same fields can be assigned to each other, whatever their names are. */
function isSameRecord(some: readonly Variable[], others: readonly Variable[]): boolean {
    return (
        some.length === others.length &&
        some.every(({ name, type }, index) => {
            const other = others[index];
            return other?.name === name && typeText(other.type, false) === typeText(type, false);
        })
    );
}

function offsetOf(node: AstNode): number {
    return node.$cstNode?.offset ?? 0;
}

/** Of constants in bounds of types, and in the values of such constants. */
function namesInTypes(program: Murphi.Program): ReadonlySet<string> {
    const bounds = [
        ...partsOf('RangeType', program).flatMap(({ low, high }) => (high === undefined ? [] : [low, high])),
        ...partsOf('ScalarsetType', program).map(({ size }) => size),
    ];
    const names = new Set(partsOf('Name', ...bounds).map(({ name }) => name));
    for (const constant of [...partsOf('ConstantDeclaration', program)].reverse()) {
        if (constant.names.some(name => names.has(name))) {
            partsOf('Name', constant.value).forEach(({ name }) => names.add(name));
        }
    }
    return names;
}
