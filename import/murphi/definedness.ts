/**
 * Finds the cells that may be undefined: what is undefined somewhere, what no start state defines, and locals that are read
 * before they are written. Follows each body once, with the places that are defined for sure; a loop over all indices of an
 * array defines the whole of it.
 */
import { arrayOf, isDesignator, recordOf, type Designator, type Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { printExpression } from './orbit-syntax.js';
import {
    isData,
    isSameType,
    isSimple,
    valuesOf,
    type AliasSymbol,
    type DataType,
    type Routine,
    type SimpleType,
    type Variable,
} from './symbols.js';
import { writeConstant } from './write-constant.js';

/** A part of a place: a field, an index, or `*` for all indices; an index that is not known is `?`. */
interface Part {
    readonly text: string;
    /** Of an index. */
    readonly type?: SimpleType;
}

interface Path {
    readonly root: Variable;
    readonly parts: readonly Part[];
}

/** Undefined behind a `return`, where nothing is left to be defined. */
type Defined = readonly Path[] | undefined;

/** What parameters and aliases stand for; undefined for a place that is not followed. */
type Bindings = ReadonlyMap<Variable | AliasSymbol, Path | undefined>;

/** Marks the variables and fields. */
export class UndefinedCells {
    private readonly facts: Facts;
    /** Cells that are optional if this one is. */
    private readonly followers = new Map<Variable, Set<Variable>>();
    private readonly numbers = new Map<Variable, number>();
    /** The routines that are followed. */
    private readonly open = new Set<Routine>();
    /** Whether globals are followed, as in start states. */
    private followsGlobals = false;
    private defined: Defined = [];
    private returns: Defined[] = [];
    /** What the body that is followed returns. */
    private returned: Variable | undefined;

    constructor(facts: Facts) {
        this.facts = facts;
    }

    /** `startStates` have the statements of each; `others` those of rules, with their guards, and of properties. */
    mark(
        globals: readonly Variable[],
        startStates: readonly (readonly Murphi.Statement[])[],
        routines: readonly Routine[],
        rules: readonly (readonly Murphi.Statement[])[],
        conditions: readonly Murphi.Expression[],
    ): void {
        this.followsGlobals = true;
        this.defined = startStates.map(statements => this.endOf(statements)).reduce(common, undefined);
        globals.forEach(variable => this.require({ root: variable, parts: [] }, variable.type, variable));
        this.followsGlobals = false;
        routines.forEach(({ node, returned }) => this.endOf(node.statements, [], new Map(), returned));
        rules.forEach(statements => this.endOf(statements));
        conditions.forEach(condition => this.read(condition, new Map()));
        this.propagate();
    }

    private propagate(): void {
        const marked = [...this.followers.keys()].filter(({ isOptional }) => isOptional);
        for (const cell of marked) {
            for (const follower of this.followers.get(cell) ?? []) {
                if (!follower.isOptional) {
                    follower.isOptional = true;
                    marked.push(follower);
                }
            }
        }
    }

    /** What is defined at the end of a body; `start` is defined before it. */
    private endOf(
        statements: readonly Murphi.Statement[],
        start: Defined = [],
        bindings: Bindings = new Map(),
        returned?: Variable,
    ): Defined {
        const outside = { returns: this.returns, defined: this.defined, returned: this.returned };
        this.returns = [];
        this.defined = start;
        this.returned = returned;
        this.follow(statements, bindings);
        const end = [...this.returns, this.defined].reduce(common);
        this.returns = outside.returns;
        this.defined = outside.defined;
        this.returned = outside.returned;
        return end;
    }

    private follow(statements: readonly Murphi.Statement[], bindings: Bindings): void {
        statements.forEach(statement => this.followStatement(statement, bindings));
    }

    private followStatement(statement: Murphi.Statement, bindings: Bindings): void {
        switch (statement.$type) {
            case 'Assignment':
                this.read(statement.value, bindings);
                this.readIndices(statement.target, bindings);
                this.connect(statement.target, statement.value);
                if (statement.value.$type === 'Undefined') {
                    this.undefine(statement.target);
                } else {
                    this.define(this.pathOf(statement.target, bindings));
                }
                break;
            case 'Clear':
                this.readIndices(statement.target, bindings);
                this.define(this.pathOf(statement.target, bindings));
                break;
            case 'Undefine':
                this.readIndices(statement.target, bindings);
                this.undefine(statement.target);
                break;
            case 'If': {
                const ends: Defined[] = [];
                for (const { condition, statements } of statement.branches) {
                    this.read(condition, bindings);
                    ends.push(this.branch(statements, bindings));
                }
                this.defined = [...ends, this.branch(statement.otherwise, bindings)].reduce(common);
                break;
            }
            case 'Switch': {
                this.read(statement.value, bindings);
                const ends: Defined[] = [];
                for (const { values, statements } of statement.cases) {
                    values.forEach(value => this.read(value, bindings));
                    ends.push(this.branch(statements, bindings));
                }
                this.defined = [...ends, this.branch(statement.otherwise, bindings)].reduce(common);
                break;
            }
            case 'For':
                this.followLoop(statement, bindings);
                break;
            case 'While': {
                this.read(statement.condition, bindings);
                this.branch(statement.statements, bindings);
                break;
            }
            case 'AliasStatement':
                this.follow(statement.statements, this.bind(statement.aliases, bindings));
                break;
            case 'ProcedureCall':
                this.call(statement, bindings);
                break;
            case 'Assertion':
                this.read(statement.condition, bindings);
                break;
            case 'Return':
                if (statement.value !== undefined) {
                    this.read(statement.value, bindings);
                    this.connectToResult(statement.value);
                }
                this.returns.push(this.defined);
                this.defined = undefined;
                break;
            case 'ErrorStatement':
                this.defined = undefined;
                break;
            default:
        }
    }

    /** The end of statements that may be left out. */
    private branch(statements: readonly Murphi.Statement[], bindings: Bindings): Defined {
        const before = this.defined;
        this.follow(statements, bindings);
        const end = this.defined;
        this.defined = before;
        return end;
    }

    private followLoop({ quantifier, statements }: Murphi.For, bindings: Bindings): void {
        const { low, high, step } = quantifier;
        [low, high, step].forEach(bound => bound && this.read(bound, bindings));
        const variable = this.facts.variableOf(quantifier);
        const own = this.ownText(variable);
        const end = this.branch(statements, bindings);
        if (end === undefined || low !== undefined) {
            return;
        }
        const all: Part = { text: '*' };
        const isAll = ({ text, type }: Part): boolean =>
            text === own && type !== undefined && isSimple(variable.type) && isSameType(type, variable.type);
        const whole = end
            .map(({ root, parts }) => ({ root, parts: parts.map(part => (isAll(part) ? { ...part, ...all } : part)) }))
            .filter(({ parts }) => parts.every(({ text }) => text !== own));
        whole.forEach(path => this.define(path));
    }

    private bind(aliases: readonly Murphi.Alias[], bindings: Bindings): Bindings {
        const inner = new Map(bindings);
        for (const alias of aliases) {
            this.readIndices(alias.value, inner);
            const path = this.pathOf(alias.value, inner);
            this.facts.aliasesOf(alias).forEach(symbol => inner.set(symbol, path));
        }
        return inner;
    }

    private call(node: Murphi.ProcedureCall | Murphi.Call, bindings: Bindings): void {
        const routine = this.facts.symbolOf(node);
        if (routine?.kind !== 'routine' || this.open.has(routine)) {
            return;
        }
        const inner = new Map<Variable | AliasSymbol, Path | undefined>();
        node.arguments.forEach((argument, index) => {
            const parameter = routine.parameters[index];
            const cell = this.cellOf(argument);
            if (parameter === undefined) {
                return;
            }
            if (parameter.role === 'reference') {
                this.readIndices(argument, bindings);
                inner.set(parameter, this.pathOf(argument, bindings));
            } else {
                this.read(argument, bindings);
                inner.set(parameter, undefined);
            }
            if (cell !== undefined) {
                this.follower(cell, parameter);
                if (parameter.role === 'reference' || parameter.type.kind === 'array') {
                    this.follower(parameter, cell);
                }
            }
        });
        this.open.add(routine);
        const start = this.defined?.filter(({ root }) => !routine.locals.includes(root));
        this.defined = this.endOf(routine.node.statements, start, inner, routine.returned);
        this.open.delete(routine);
    }

    /** All reads in an expression. */
    private read(node: Murphi.Expression, bindings: Bindings): void {
        switch (node.$type) {
            case 'Name':
            case 'Member':
            case 'Element': {
                this.readIndices(node, bindings);
                this.requirePlace(node, bindings);
                break;
            }
            case 'IsUndefined':
                this.read(node.place, bindings);
                break;
            case 'Call':
                this.call(node, bindings);
                break;
            case 'Unary':
                this.read(node.operand, bindings);
                break;
            case 'Binary':
                this.read(node.left, bindings);
                this.read(node.right, bindings);
                this.connect(node.left, node.right);
                break;
            case 'Conditional':
                [node.condition, node.then, node.otherwise].forEach(part => this.read(part, bindings));
                break;
            case 'Quantified': {
                const { low, high, step } = node.quantifier;
                [low, high, step, node.body].forEach(part => part && this.read(part, bindings));
                break;
            }
            default:
        }
    }

    private readIndices(place: Murphi.Expression, bindings: Bindings): void {
        if (place.$type === 'Element') {
            this.readIndices(arrayOf(place), bindings);
            this.read(place.index, bindings);
        } else if (place.$type === 'Member') {
            this.readIndices(recordOf(place), bindings);
        } else if (place.$type !== 'Name') {
            this.read(place, bindings);
        }
    }

    private requirePlace(place: Designator, bindings: Bindings): void {
        const path = this.pathOf(place, bindings);
        const [cell, type] = [this.facts.cellOf(place), this.facts.typeOf(place)];
        if (path !== undefined && cell !== undefined && isData(type)) {
            this.require(path, type, cell);
        }
    }

    /** Marks the cells of a place that are not defined for sure. */
    private require(path: Path, type: DataType, cell: Variable): void {
        if (this.defined === undefined || this.defined.some(defined => covers(defined, path))) {
            return;
        }
        switch (type.kind) {
            case 'record':
                type.fields.forEach(field =>
                    this.require({ ...path, parts: [...path.parts, { text: `.${field.name}` }] }, field.type, field),
                );
                break;
            case 'array':
                this.require({ ...path, parts: [...path.parts, { text: '*', type: type.index }] }, type.element, cell);
                break;
            default:
                this.markCell(cell);
        }
    }

    private markCell(cell: Variable): void {
        cell.isOptional = true;
        if (!this.followers.has(cell)) {
            this.followers.set(cell, new Set());
        }
    }

    private undefine(place: Murphi.Expression): void {
        const [cell, type] = [this.facts.cellOf(place), this.facts.typeOf(place)];
        const markAll = (part: DataType, owner: Variable): void => {
            if (part.kind === 'record') {
                part.fields.forEach(field => markAll(field.type, field));
            } else if (part.kind === 'array') {
                markAll(part.element, owner);
            } else {
                this.markCell(owner);
            }
        };
        if (cell !== undefined && isData(type)) {
            markAll(type, cell);
        }
    }

    private define(path: Path | undefined): void {
        if (path === undefined || this.defined === undefined || path.parts.some(({ text }) => text === '?')) {
            return;
        }
        this.defined = [...this.defined, path];
        path.parts.forEach(({ type }, place) => {
            const values = type === undefined ? [] : valuesOf(type);
            const withPart = (text: string): Path => ({
                root: path.root,
                parts: path.parts.map((part, index) => (index === place ? { ...part, text } : part)),
            });
            const isWhole = values.every(value => this.defined?.some(other => covers(other, withPart(value))));
            if (values.length > 0 && path.parts[place]?.text !== '*' && isWhole) {
                this.define(withPart('*'));
            }
        });
    }

    /** Undefined for what is not followed. */
    private pathOf(place: Murphi.Expression, bindings: Bindings): Path | undefined {
        switch (place.$type) {
            case 'Name': {
                const symbol = this.facts.symbolOf(place);
                if (symbol?.kind !== 'variable' && symbol?.kind !== 'alias') {
                    return undefined;
                }
                if (bindings.has(symbol)) {
                    return bindings.get(symbol);
                }
                if (symbol.kind === 'alias') {
                    return this.pathOf(symbol.value, bindings);
                }
                const isFollowed = symbol.role === 'local' || (symbol.role === 'global' && this.followsGlobals);
                return isFollowed ? { root: symbol, parts: [] } : undefined;
            }
            case 'Member': {
                const path = this.pathOf(recordOf(place), bindings);
                return path && { ...path, parts: [...path.parts, { text: `.${place.field}` }] };
            }
            case 'Element': {
                const path = this.pathOf(arrayOf(place), bindings);
                const array = this.facts.typeOf(arrayOf(place));
                return path && array.kind === 'array'
                    ? { ...path, parts: [...path.parts, { text: this.indexText(place.index), type: array.index }] }
                    : undefined;
            }
            default:
                return undefined;
        }
    }

    private indexText(index: Murphi.Expression): string {
        const symbol = index.$type === 'Name' ? this.facts.symbolOf(index) : undefined;
        if (symbol?.kind === 'variable' && symbol.role === 'bound') {
            return this.ownText(symbol);
        }
        const constant = writeConstant(index, this.facts);
        return constant === undefined ? '?' : printExpression(constant);
    }

    /** The variable of a loop as an index: no other one has this text. */
    private ownText(variable: Variable): string {
        const number = this.numbers.get(variable) ?? this.numbers.size;
        this.numbers.set(variable, number);
        return `#${number}`;
    }

    /** Arrays that are assigned to each other, or compared, have cells of one type. */
    private connect(one: Murphi.Expression, other: Murphi.Expression): void {
        const [first, second] = [this.cellOf(one), this.cellOf(other)];
        if (this.facts.typeOf(one).kind === 'array' && first !== undefined && second !== undefined) {
            this.follower(first, second);
            this.follower(second, first);
        }
    }

    private connectToResult(value: Murphi.Expression): void {
        const [cell, returned] = [this.cellOf(value), this.returned];
        if (returned?.type.kind === 'array' && cell !== undefined) {
            this.follower(cell, returned);
            this.follower(returned, cell);
        }
    }

    private cellOf(value: Murphi.Expression): Variable | undefined {
        const routine = value.$type === 'Call' ? this.facts.symbolOf(value) : undefined;
        return routine?.kind === 'routine'
            ? routine.returned
            : isDesignator(value)
              ? this.facts.cellOf(value)
              : undefined;
    }

    private follower(cell: Variable, follower: Variable): void {
        const followers = this.followers.get(cell) ?? new Set();
        this.followers.set(cell, followers.add(follower));
    }
}

/** Whether a defined place is the other one, or holds it. */
function covers(defined: Path, { root, parts }: Path): boolean {
    return (
        defined.root === root &&
        defined.parts.length <= parts.length &&
        defined.parts.every(({ text }, index) => text === '*' || text === parts[index]?.text)
    );
}

/** Places that are defined on both ways. */
function common(one: Defined, other: Defined): Defined {
    if (one === undefined || other === undefined) {
        return one ?? other;
    }
    const inBoth = (path: Path, paths: readonly Path[]): boolean => paths.some(defined => covers(defined, path));
    return [...one.filter(path => inBoth(path, other)), ...other.filter(path => inBoth(path, one))];
}
