/**
 * Links the names of a model to what they stand for. Its declarations come out in Orbit, with those of rules and procedures
 * among them: there they have names of their own. Types are not compared here; the check of the result does that.
 */
import { AstUtils, type AstNode } from 'langium';
import { effectsOf } from './effects.js';
import { Facts, partsAround, type Choice } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { hull } from './intervals.js';
import { isSmall } from './multisets.js';
import { capitalized, Names, toName } from './names.js';
import * as Orbit from './orbit-text.js';
import { partsOf } from './parts.js';
import type { SourceText } from './source-text.js';
import { isSimple, Scope, typeText } from './symbols.js';
import type { BagType, DataType, Member, RecordType, Routine, SimpleType, Symbol, Variable } from './symbols.js';
import { Row } from './unions.js';
import { constantOf } from './write-expression.js';

/** More values no type of Orbit has. */
const MOST_VALUES = 2 ** 30;
/** How far a parameter may be changed, unless its value is larger; 0 is left out unless it is the value. */
const MOST_OF_PARAMETER = 64;

export interface LinkedProgram {
    readonly facts: Facts;
    readonly names: Names;
    /** To be printed when it is known which cells may be undefined. */
    readonly declarations: readonly (() => string)[];
    readonly globals: readonly Variable[];
    readonly routines: readonly Routine[];
    /** Rules and procedures in which something is not carried over. */
    readonly refused: ReadonlySet<AstNode>;
}

export function linkProgram(program: Murphi.Program, source: SourceText): LinkedProgram {
    const linker = new Linker(program, source);
    linker.run(program);
    return linker;
}

/** What statements and expressions consist of. */
type Inside = Murphi.Statement | Murphi.Expression | Murphi.Branch | Murphi.Case | Murphi.Alias | Murphi.Quantifier;

class Linker implements LinkedProgram {
    readonly facts: Facts;
    readonly names = new Names();
    readonly declarations: (() => string)[] = [];
    readonly globals: Variable[] = [];
    readonly routines: Routine[] = [];
    readonly refused = new Set<AstNode>();
    private readonly records: RecordType[] = [];
    private readonly row = new Row();
    /** The names of constants that decide how large a type is. */
    private readonly sizes: ReadonlySet<string>;
    /** The names of functions that guards and properties call. */
    private readonly inConditions: ReadonlySet<string>;

    constructor(program: Murphi.Program, source: SourceText) {
        this.facts = new Facts(source);
        this.sizes = namesInTypes(program);
        const conditions = [
            ...partsOf('Property', program).map(({ condition }) => condition),
            ...partsOf('SimpleRule', program).flatMap(({ guard }) => guard ?? []),
        ];
        this.inConditions = new Set(partsOf('Call', ...conditions).map(({ name }) => name));
    }

    run({ declarations, parts }: Murphi.Program): void {
        const scope = new Scope();
        for (const part of [...declarations, ...parts].sort((one, other) => offsetOf(one) - offsetOf(other))) {
            switch (part.$type) {
                case 'ConstantSection':
                case 'TypeSection':
                case 'VariableSection':
                    this.declare(part, scope, 'global');
                    break;
                case 'Procedure':
                    this.linkRoutine(part, scope);
                    break;
                default:
                    this.linkRule(part, scope);
            }
        }
    }

    private add(scope: Scope, name: string, symbol: Symbol, node: AstNode): void {
        if (!scope.declare(name, symbol)) {
            this.facts.refuse(node, 'murphi/type', `\`${name}\` is declared twice`);
        }
    }

    /** A declaration in Orbit, with the comments in front of it. */
    private write(node: AstNode, comments: readonly string[], text: () => string): void {
        const head = Orbit.comment(comments);
        const place = this.facts.source.mark(node);
        this.declarations.push(() => `${head}${head === '' ? '' : '\n'}${place}${text()}`);
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
                return section.variables.flatMap(node => {
                    if (role === 'local') {
                        return this.declareVariables(node, scope, role);
                    }
                    const comments = this.commentsOf(node);
                    const variables = this.declareVariables(node, scope, role, this.names);
                    this.globals.push(...variables);
                    variables.forEach((variable, index) =>
                        this.write(node, index === 0 ? comments : [], () => `var ${this.cellText(variable)}`),
                    );
                    return variables;
                });
        }
    }

    /** `x: T`, with the values that it has in the beginning. */
    private cellText(variable: Variable): string {
        return `${variable.written}: ${typeText(variable.type, variable.isOptional)}${variable.initial}`;
    }

    private declareConstant(node: Murphi.ConstantDeclaration, scope: Scope): void {
        this.visit(node.value, scope);
        const value = constantOf(node.value, this.facts);
        if (value === undefined) {
            this.facts.refuse(node.value, 'murphi/type', 'the value of a constant is one that is known before');
            return;
        }
        const comments = this.commentsOf(node);
        const type = this.facts.typeOf(node.value);
        node.names.forEach((name, index) => {
            const written = this.names.declare(name);
            const isParameter = this.sizes.has(name) && node.value.$type === 'NumberLiteral' && type.kind === 'number';
            const range = isParameter
                ? { ...type, low: Math.min(1, type.low), high: Math.max(MOST_OF_PARAMETER, type.high) }
                : undefined;
            const head = range === undefined ? `const ${written}` : `param ${written}: ${range.low} .. ${range.high}`;
            this.write(node, index === 0 ? comments : [], () => `${head} = ${value.text}`);
            const isOpen = range !== undefined || this.isOpen(node.value);
            this.add(scope, name, { kind: 'constant', name: written, type: range ?? type, isOpen }, node);
        });
    }

    private declareType(node: Murphi.TypeDeclaration, scope: Scope): void {
        const comments = this.facts.source.commentsBefore(node);
        const [first = ''] = node.names;
        const before = this.declarations.length;
        const type = this.typeOf(node.type, scope, first, 'named');
        const inside = this.facts.source.commentsIn(node);
        let named = type;
        if (type === undefined) {
            this.leaveOut(node);
        } else if (type.kind === 'number' || type.kind === 'boolean') {
            const text = this.names.declare(first);
            this.write(node, [], () => `type ${text} = ${type.text}`);
            named = { ...type, text };
        }
        const own = this.declarations[before];
        const head = Orbit.comment([...comments, ...inside]);
        if (own !== undefined && head !== '') {
            this.declarations[before] = () => `${head}\n${own()}`;
        }
        node.names.forEach(name => this.add(scope, name, { kind: 'type', type: named }, node));
    }

    private declareVariables(
        node: Murphi.VariableDeclaration | Murphi.Parameter,
        scope: Scope,
        role: Variable['role'],
        names?: Names,
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
        const variables = node.names.map(name => newVariable(name, names?.declare(name) ?? name, type, role));
        this.facts.link(node, ...variables);
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
                return node.high === undefined ? this.namedType(node, scope) : this.rangeOf(node, node.high, scope);
            case 'ScalarsetType': {
                const size = this.boundOf(node.size, scope);
                const type: Member = { kind: 'scalarset', text: this.names.declare(wished), size };
                this.write(node, [], () => {
                    const { text, place = { low: '1', high: size } } = type;
                    return `type ${text} = ${place.low} .. ${place.high}\nassert symmetric values of ${text}`;
                });
                return type;
            }
            case 'EnumerationType': {
                const text = this.names.declare(wished);
                const members = node.members.map(member => this.names.declare(member));
                const type: Member = { kind: 'enumeration', text, members };
                this.write(node, [], () => {
                    const { place } = type;
                    const constants = members.map((name, index) => `const ${name} = ${Number(place?.low) + index}\n`);
                    return place === undefined
                        ? `enum ${text} = { ${members.join(', ')} }`
                        : `${constants.join('')}type ${text} = ${place.low} .. ${place.high}`;
                });
                node.members.forEach((member, index) => {
                    this.add(scope, member, { kind: 'member', name: members[index] ?? '', type }, node);
                });
                return type;
            }
            case 'UnionType':
                return this.unionOf(node, scope, hint, wished);
            case 'RecordType':
                return this.recordOf(node, scope, wished, form);
            case 'ArrayType': {
                const index = this.typeOf(node.index, scope, `${hint}Index`);
                const element = this.typeOf(node.element, scope, hint);
                if (index !== undefined && !isSimple(index)) {
                    this.facts.refuse(node.index, 'murphi/type', 'an index is a single value');
                    return undefined;
                }
                return index && element && { kind: 'array', index, element };
            }
            case 'MultisetType': {
                const [most, element] = [this.boundOf(node.size, scope), this.typeOf(node.element, scope, hint)];
                return element && this.multisetOf(node, most, element, wished);
            }
            case 'RealType':
                this.facts.refuse(node, 'murphi/not-carried-over', 'real numbers are not carried over');
                return undefined;
        }
    }

    private multisetOf(node: AstNode, most: string, element: DataType, wished: string): BagType {
        const places = isSmall(element) ? undefined : this.names.declare(`${capitalized(wished)}Place`);
        if (places !== undefined) {
            this.write(node, [], () => `type ${places} = 1 .. ${most}`);
        }
        return { kind: 'bag', text: `bag ${most} of ${typeText(element, false)}`, most, element, places };
    }

    private unionOf(node: Murphi.UnionType, scope: Scope, hint: string, wished: string): SimpleType | undefined {
        const members = node.members.flatMap(member => {
            const type = this.typeOf(member, scope, hint);
            return type?.kind === 'union' ? type.members : (type ?? []);
        });
        const parts = members.filter(type => type.kind === 'scalarset' || type.kind === 'enumeration');
        if (parts.length === 0 || parts.length < members.length) {
            this.facts.refuse(node, 'murphi/type', 'a union is one of scalarsets and enumerations');
            return undefined;
        }
        const type = this.row.union(this.names.declare(wished), [...new Set(parts)]);
        this.write(node, [], () => `type ${type.text} = ${type.kind === 'union' ? type.range : ''}`);
        return type;
    }

    private recordOf(
        node: Murphi.RecordType,
        scope: Scope,
        wished: string,
        form: 'named' | 'inline',
    ): RecordType | undefined {
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
        // Records with the same fields can be assigned to each other, whatever their names are.
        const signature = ({ name, type }: Variable): string => `${name}: ${typeText(type, false)}`;
        const alike = this.records.find(record => record.fields.map(signature).join() === fields.map(signature).join());
        if (alike !== undefined) {
            if (form === 'named') {
                const name = this.names.declare(wished);
                this.write(node, comments, () => `type ${name} = ${alike.text}`);
            }
            return alike;
        }
        const type: RecordType = { kind: 'record', text: this.names.declare(wished), fields };
        this.records.push(type);
        this.write(
            node,
            comments,
            () => `record ${type.text} = { ${fields.map(cell => this.cellText(cell)).join(', ')} }`,
        );
        return type;
    }

    private namedType(node: Murphi.RangeType, scope: Scope): DataType | undefined {
        const symbol = node.low.$type === 'Name' ? scope.find(node.low.name) : undefined;
        if (symbol?.kind !== 'type') {
            const text = this.facts.source.textOf(node.low);
            this.facts.refuse(node, 'murphi/unresolved', `there is no type \`${text}\` before`);
            return undefined;
        }
        return symbol.type;
    }

    private rangeOf(node: Murphi.RangeType, end: Murphi.Expression, scope: Scope): DataType | undefined {
        const bounds = `${this.boundOf(node.low, scope)} .. ${this.boundOf(end, scope)}`;
        const [{ low }, { high }] = [this.facts.numbersOf(node.low), this.facts.numbersOf(end)];
        if (high - low >= MOST_VALUES) {
            this.facts.refuse(node, 'murphi/not-carried-over', 'types of more than 2^30 values are not carried over');
            return undefined;
        }
        const isOpen = this.isOpen(node.low) || this.isOpen(end);
        if (!isOpen && low > high) {
            this.facts.refuse(node, 'murphi/type', 'this range has no numbers');
        }
        return { kind: 'number', low, high, text: bounds, bounds, isOpen };
    }

    private boundOf(node: Murphi.Expression, scope: Scope): string {
        this.visit(node, scope);
        const bound = constantOf(node, this.facts);
        if (bound === undefined) {
            this.facts.refuse(node, 'murphi/type', 'the bounds of a type are known before the run');
        }
        return bound === undefined ? '' : Orbit.bound(bound);
    }

    /** Whether a parameter decides the value. */
    private isOpen(node: Murphi.Expression): boolean {
        return this.facts
            .symbolsIn(node)
            .some(symbol => (symbol.kind === 'constant' ? symbol.isOpen : symbol.kind === 'routine'));
    }

    private linkRoutine(node: Murphi.Procedure, scope: Scope): void {
        const problemCount = this.facts.problems.length;
        const inner = new Scope(scope);
        const parameters = node.parameters.flatMap(parameter =>
            this.declareVariables(parameter, inner, parameter.isVariable ? 'reference' : 'value'),
        );
        const result = node.result && this.typeOf(node.result, scope, `${node.name}Result`);
        const [writes, reads] = [new Set<Variable>(), new Set<Variable>()];
        const locals: Variable[] = [];
        const name = this.names.declare(node.name);
        const returned = result && newVariable(node.name, name, result, 'value');
        const fault = 'calls itself, which is not carried over';
        const outside = { parameters, locals, result, returned, writes, reads };
        const routine: Routine = { kind: 'routine', name, node, ...outside, form: 'procedure', fault };
        this.add(scope, node.name, routine, node);
        locals.push(...node.declarations.flatMap(section => this.declare(section, inner, 'local')));
        node.statements.forEach(statement => this.visit(statement, inner));
        const effects = effectsOf(node.statements, this.facts);
        const isOutside = (variable: Variable): boolean => variable.role === 'global' || parameters.includes(variable);
        effects.writes.forEach(variable => isOutside(variable) && writes.add(variable));
        effects.reads.forEach(variable => isOutside(variable) && reads.add(variable));
        this.routines.push(routine);
        this.noteRefusal(node, problemCount);
        const calls = [...partsOf('Call', node), ...partsOf('ProcedureCall', node)];
        const isPure = writes.size === 0 && calls.every(call => this.facts.routineOf(call)?.form === 'function');
        // A loop within an expression would be written out: it stands in front of the statement, if it can.
        const isInFront = partsOf('While', node).length > 0 && !this.inConditions.has(node.name);
        routine.form = result !== undefined && isPure && !isInFront ? 'function' : 'procedure';
        routine.fault = this.refused.has(node) ? 'is not carried over' : undefined;
    }

    /** With `problemCount` as it was before the rulesets and aliases around the rule. */
    private linkRule(rule: Murphi.Rule, scope: Scope, problemCount = this.facts.problems.length): void {
        switch (rule.$type) {
            case 'RuleSet':
            case 'AliasRule':
            case 'ChooseRule': {
                const inner = this.declareAll(partsAround(rule), scope);
                // What is refused here leaves out all rules inside, what one of these has not the others.
                const isRefused = this.facts.problems.length > problemCount;
                rule.rules.forEach(part => this.linkRule(part, inner, isRefused ? problemCount : undefined));
                return;
            }
            case 'SimpleRule':
            case 'StartState': {
                if (rule.$type === 'SimpleRule' && rule.guard !== undefined) {
                    this.visit(rule.guard, scope);
                }
                const inner = new Scope(scope);
                rule.declarations.forEach(section => this.declare(section, inner, 'local'));
                rule.statements.forEach(statement => this.visit(statement, inner));
                break;
            }
            case 'Property':
                this.visit(rule.condition, scope);
                if (rule.kind.toLowerCase() === 'cover') {
                    this.facts.refuse(rule, 'murphi/not-carried-over', '`cover` is not carried over');
                }
        }
        this.noteRefusal(rule, problemCount);
    }

    /** The names in a part of a rule. */
    private visit(node: Inside, scope: Scope): void {
        switch (node.$type) {
            case 'Name': {
                const symbol = scope.find(node.name);
                if (symbol === undefined || symbol.kind === 'routine' || symbol.kind === 'type') {
                    const message = `there is no variable or constant \`${node.name}\` before`;
                    this.facts.refuse(node, 'murphi/unresolved', message);
                } else if (symbol.kind === 'refused') {
                    this.facts.refuse(node, 'murphi/not-carried-over', `\`${node.name}\` is not carried over`);
                } else {
                    this.facts.link(node, symbol);
                }
                return;
            }
            case 'Call':
            case 'ProcedureCall': {
                const symbol = scope.find(node.name);
                const { fault, parameters } =
                    symbol?.kind === 'routine' ? symbol : { fault: undefined, parameters: [] };
                if (fault !== undefined) {
                    this.facts.refuse(node, 'murphi/not-carried-over', `\`${node.name}\` ${fault}`);
                } else if (symbol?.kind !== 'routine' || parameters.length !== node.arguments.length) {
                    const message = `there is no function or procedure \`${node.name}\` with ${node.arguments.length} arguments before`;
                    this.facts.refuse(node, 'murphi/unresolved', message);
                } else {
                    this.facts.link(node, symbol);
                    parameters
                        .filter((_, index) => node.arguments[index]?.$type === 'Undefined')
                        .forEach(parameter => this.facts.givenUndefined.add(parameter));
                }
                break;
            }
            case 'For':
            case 'Quantified': {
                const inner = this.declareAll([node.quantifier], scope);
                const parts = node.$type === 'For' ? node.statements : [node.body];
                parts.forEach(part => this.visit(part, inner));
                return;
            }
            case 'AliasStatement': {
                const inner = this.declareAll(node.aliases, scope);
                node.statements.forEach(statement => this.visit(statement, inner));
                return;
            }
            case 'IsMember':
                this.facts.link(node, { kind: 'type', type: this.typeOf(node.type, scope, 'Member') });
                this.visit(node.value, scope);
                return;
            case 'MultisetCount':
            case 'MultisetRemoveMatching':
                this.visit(node.condition, this.declareAll([node], scope));
                return;
            case 'MultisetRemove': {
                const symbol = scope.find(node.name);
                this.facts.link(node, ...(symbol === undefined ? [] : [symbol]));
                break;
            }
            case 'Assertion':
                if (node.kind.toLowerCase() !== 'assert') {
                    this.facts.refuse(
                        node,
                        'murphi/not-carried-over',
                        `\`${node.kind}\` in a rule is not carried over`,
                    );
                }
                break;
            default:
        }
        AstUtils.streamContents(node).forEach(part => this.visit(part as Inside, scope));
    }

    /** The names are known in the result; each also for those behind it. */
    private declareAll(parts: readonly (Murphi.Quantifier | Murphi.Alias | Choice)[], scope: Scope): Scope {
        let inner = scope;
        for (const part of parts) {
            const symbols =
                part.$type === 'Alias'
                    ? this.aliasesOf(part, inner)
                    : [part.$type === 'Quantifier' ? this.quantified(part, inner) : this.chosen(part, inner)];
            this.facts.link(part, ...symbols);
            inner = new Scope(inner);
            const names = part.$type === 'Alias' ? part.names : [part.name];
            for (const [index, symbol] of symbols.entries()) {
                inner.declare(names[index] ?? '', symbol);
            }
        }
        return inner;
    }

    private aliasesOf(node: Murphi.Alias, scope: Scope): readonly Symbol[] {
        this.visit(node.value, scope);
        return node.names.map(name => ({ kind: 'alias', name, node, value: node.value }));
    }

    private chosen({ name, bag }: Choice, scope: Scope): Symbol {
        this.visit(bag, scope);
        const type = this.facts.typeOf(bag);
        return type.kind === 'bag' ? newVariable(name, name, type.element, 'bound') : { kind: 'refused' };
    }

    private quantified({ name, type, low, high, step }: Murphi.Quantifier, scope: Scope): Symbol {
        [low, high, step].forEach(bound => bound && this.visit(bound, scope));
        if (type === undefined && low !== undefined && high !== undefined) {
            const [from, to] = [this.facts.numbersOf(low), this.facts.numbersOf(high)];
            const by = step === undefined ? { low: 1, high: 1 } : this.facts.numbersOf(step);
            const isAway = to.low > from.high ? by.high <= 0 : to.high < from.low && by.low >= 0;
            if (isAway || (by.low === 0 && by.high === 0)) {
                const message = 'these steps do not lead from the first number to the last';
                this.facts.refuse(step ?? low, 'murphi/type', message);
            }
            const bounds = hull(from, to);
            const text = `${bounds.low} .. ${bounds.high}`;
            return newVariable(name, name, { kind: 'number', ...bounds, text, bounds: '', isOpen: false }, 'bound');
        }
        const resolved = type && this.typeOf(type, scope, name);
        return resolved === undefined ? { kind: 'refused' } : newVariable(name, name, resolved, 'bound');
    }

    private noteRefusal(part: AstNode, problemCount: number): void {
        if (this.facts.problems.length > problemCount) {
            this.refused.add(part);
        }
    }

    private leaveOut(node: AstNode): void {
        const comments = ['Not carried over:', ...this.facts.source.textOf(node).split('\n')];
        this.declarations.push(() => Orbit.comment(comments));
    }

    private commentsOf(node: AstNode): readonly string[] {
        return [...this.facts.source.commentsBefore(node), ...this.facts.source.commentsIn(node)];
    }
}

function newVariable(name: string, written: string, type: DataType, role: Variable['role']): Variable {
    return { kind: 'variable', name, written, type, role, isOptional: false, initial: '' };
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
