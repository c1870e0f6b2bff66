/**
 * Finds the cells that may be undefined: what is undefined somewhere, what no start state defines, and locals that are read
 * before they are written. Follows each body once, with the places that are defined for sure; a loop over all indices of an
 * array defines the whole of it.
 */
import { AstUtils } from 'langium';
import { isDesignator, type Designator, type Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { isData, isSameType, isSimple, valuesOf } from './symbols.js';
import type { DataType, Routine, SimpleType, Symbol, Variable } from './symbols.js';
import { constantOf } from './write-expression.js';

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

/** What parameters stand for; undefined for a place that is not followed. */
type Bindings = ReadonlyMap<Symbol, Path | undefined>;

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
    private bindings: Bindings = new Map();

    constructor(facts: Facts) {
        this.facts = facts;
    }

    /** `startStates` have the statements of each; `bodies` those of rules; `conditions` are guards and properties. */
    mark(
        globals: readonly Variable[],
        startStates: readonly (readonly Murphi.Statement[])[],
        routines: readonly Routine[],
        bodies: readonly (readonly Murphi.Statement[])[],
        conditions: readonly Murphi.Expression[],
    ): void {
        this.followsGlobals = true;
        this.defined = startStates.map(statements => this.endOf(statements)).reduce(common, undefined);
        globals.forEach(variable => this.require({ root: variable, parts: [] }, variable.type, variable));
        this.followsGlobals = false;
        routines.forEach(({ node, returned }) => this.endOf(node.statements, [], new Map(), returned));
        bodies.forEach(statements => this.endOf(statements));
        conditions.forEach(condition => this.read(condition));
        const marked = [...this.followers.keys()].filter(({ isOptional }) => isOptional);
        for (const cell of marked) {
            const others = [...(this.followers.get(cell) ?? [])].filter(({ isOptional }) => !isOptional);
            others.forEach(follower => (follower.isOptional = true));
            marked.push(...others);
        }
    }

    /** What is defined at the end of a body; `start` is defined before it. */
    private endOf(
        statements: readonly Murphi.Statement[],
        start: Defined = [],
        bindings: Bindings = new Map(),
        returned?: Variable,
    ): Defined {
        const outside: [Defined[], Defined, Variable | undefined, Bindings] = [
            this.returns,
            this.defined,
            this.returned,
            this.bindings,
        ];
        [this.returns, this.defined, this.returned, this.bindings] = [[], start, returned, bindings];
        this.follow(statements);
        const end = [...this.returns, this.defined].reduce(common);
        [this.returns, this.defined, this.returned, this.bindings] = outside;
        return end;
    }

    private follow(statements: readonly Murphi.Statement[]): void {
        statements.forEach(statement => this.followStatement(statement));
    }

    private followStatement(statement: Murphi.Statement): void {
        switch (statement.$type) {
            case 'Assignment':
                this.read(statement.value);
                this.connect(statement.target, statement.value);
                this.write(statement.target, statement.value.$type === 'Undefined');
                break;
            case 'Clear':
            case 'Undefine':
                this.write(statement.target, statement.$type === 'Undefine');
                break;
            case 'If':
                this.followBranches(
                    statement.branches.map(branch => [[branch.condition], branch.statements]),
                    statement.otherwise,
                );
                break;
            case 'Switch':
                this.read(statement.value);
                this.followBranches(
                    statement.cases.map(({ values, statements }) => [values, statements]),
                    statement.otherwise,
                );
                break;
            case 'For':
                this.followLoop(statement);
                break;
            case 'While':
                this.read(statement.condition);
                this.branch(statement.statements);
                break;
            case 'AliasStatement':
                statement.aliases.forEach(({ value }) => this.readIndices(value));
                this.follow(statement.statements);
                break;
            case 'ProcedureCall':
                this.call(statement);
                break;
            case 'Assertion':
            case 'MultisetRemoveMatching':
                this.read(statement.condition);
                break;
            case 'MultisetAdd':
                this.read(statement.value);
                break;
            case 'Return':
                if (statement.value !== undefined) {
                    this.read(statement.value);
                    if (this.returned?.type.kind === 'array') {
                        this.bothFollow(this.cellOf(statement.value), this.returned);
                    }
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

    private followBranches(
        branches: readonly (readonly [readonly Murphi.Expression[], readonly Murphi.Statement[]])[],
        otherwise: readonly Murphi.Statement[],
    ): void {
        const ends = branches.map(([conditions, statements]) => {
            conditions.forEach(condition => this.read(condition));
            return this.branch(statements);
        });
        this.defined = [...ends, this.branch(otherwise)].reduce(common);
    }

    /** The end of statements that may be left out. */
    private branch(statements: readonly Murphi.Statement[]): Defined {
        const before = this.defined;
        this.follow(statements);
        const end = this.defined;
        this.defined = before;
        return end;
    }

    private followLoop({ quantifier, statements }: Murphi.For): void {
        const { low, high, step } = quantifier;
        [low, high, step].forEach(bound => bound && this.read(bound));
        const variable = this.facts.variableOf(quantifier);
        const own = this.ownText(variable);
        const end = this.branch(statements);
        if (end === undefined || low !== undefined) {
            return;
        }
        const { type: loop } = variable;
        const inAll = (part: Part): Part => {
            if (part.text !== own || part.type === undefined || !isSimple(loop)) {
                return part;
            }
            const isMember = part.type.kind === 'union' && part.type.members.some(({ text }) => text === loop.text);
            return isSameType(part.type, loop)
                ? { ...part, text: '*' }
                : isMember
                  ? { ...part, text: `*${loop.text}` }
                  : part;
        };
        end.map(({ root, parts }) => ({ root, parts: parts.map(inAll) }))
            .filter(({ parts }) => parts.every(({ text }) => text !== own))
            .forEach(path => this.define(path));
    }

    private call(node: Murphi.ProcedureCall | Murphi.Call): void {
        const routine = this.facts.routineOf(node);
        if (routine === undefined || this.open.has(routine)) {
            return;
        }
        const inner = new Map<Symbol, Path | undefined>();
        for (const [index, parameter] of routine.parameters.entries()) {
            const argument = node.arguments[index];
            if (argument === undefined) {
                continue;
            }
            const isPlace = parameter.role === 'reference';
            this[isPlace ? 'readIndices' : 'read'](argument);
            inner.set(parameter, isPlace ? this.pathOf(argument) : undefined);
            const cell = this.cellOf(argument);
            if (argument.$type === 'Undefined') {
                this.markAll(parameter.type, parameter);
            }
            if (isPlace || parameter.type.kind === 'array') {
                this.bothFollow(cell, parameter);
            } else {
                this.follower(cell, parameter);
            }
        }
        // Each body is followed by itself: here it matters what becomes of the places that are followed.
        if (!this.followsGlobals && [...inner.values()].every(path => path === undefined)) {
            return;
        }
        this.open.add(routine);
        const start = this.defined?.filter(({ root }) => !routine.locals.includes(root));
        this.defined = this.endOf(routine.node.statements, start, inner, routine.returned);
        this.open.delete(routine);
    }

    /** All reads in an expression. */
    private read(node: Murphi.Expression): void {
        if (isDesignator(node)) {
            this.readIndices(node);
            this.requirePlace(node);
        } else if (node.$type === 'Call') {
            this.call(node);
        } else {
            AstUtils.streamContents(node).forEach(part => this.read(part as Murphi.Expression));
            if (node.$type === 'Binary') {
                this.connect(node.left, node.right);
            }
        }
    }

    private readIndices(place: Murphi.Expression): void {
        if (place.$type === 'Element') {
            this.readIndices(place.array);
            this.read(place.index);
        } else if (place.$type === 'Member') {
            this.readIndices(place.record);
        } else if (place.$type !== 'Name') {
            this.read(place);
        }
    }

    private requirePlace(place: Designator): void {
        const path = this.pathOf(place);
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
        if (type.kind === 'record') {
            type.fields.forEach(field => this.require(extended(path, { text: `.${field.name}` }), field.type, field));
        } else if (type.kind === 'array') {
            this.require(extended(path, { text: '*', type: type.index }), type.element, cell);
        } else if (type.kind !== 'bag') {
            this.markAll(type, cell);
        }
    }

    private markAll(type: DataType, cell: Variable): void {
        if (type.kind === 'record') {
            type.fields.forEach(field => this.markAll(field.type, field));
        } else if (type.kind === 'array') {
            this.markAll(type.element, cell);
        } else if (type.kind !== 'bag') {
            cell.isOptional = true;
            this.followers.set(cell, this.followers.get(cell) ?? new Set());
        }
    }

    private write(target: Murphi.Expression, isUndefined: boolean): void {
        this.readIndices(target);
        const [cell, type, path] = [this.facts.cellOf(target), this.facts.typeOf(target), this.pathOf(target)];
        if (!isUndefined) {
            this.define(path);
        } else if (cell !== undefined && isData(type)) {
            this.markAll(type, cell);
        }
    }

    private define(path: Path | undefined): void {
        if (path === undefined || this.defined === undefined || path.parts.some(({ text }) => text === '?')) {
            return;
        }
        if (this.defined.some(other => covers(other, path))) {
            return;
        }
        this.defined = [...this.defined, path];
        path.parts.forEach(({ type, text: own }, place) => {
            const values = type === undefined || own === '*' ? [] : valuesOf(type);
            const withPart = (text: string): Path => ({
                root: path.root,
                parts: path.parts.map((part, index) => (index === place ? { ...part, text } : part)),
            });
            const isWhole = values.every(value => this.defined?.some(other => covers(other, withPart(value))));
            if (values.length > 0 && isWhole) {
                this.define(withPart('*'));
            }
        });
    }

    /** Undefined for what is not followed. */
    private pathOf(place: Murphi.Expression): Path | undefined {
        switch (place.$type) {
            case 'Name': {
                const symbol = this.facts.symbolOf(place);
                if (symbol !== undefined && this.bindings.has(symbol)) {
                    return this.bindings.get(symbol);
                }
                if (symbol?.kind === 'alias') {
                    return this.pathOf(symbol.value);
                }
                const isFollowed =
                    symbol?.kind === 'variable' &&
                    (symbol.role === 'local' || (symbol.role === 'global' && this.followsGlobals));
                return isFollowed ? { root: symbol, parts: [] } : undefined;
            }
            case 'Member': {
                const path = this.pathOf(place.record);
                return path && extended(path, { text: `.${place.field}` });
            }
            case 'Element': {
                const [path, array] = [this.pathOf(place.array), this.facts.typeOf(place.array)];
                return path && array.kind === 'array'
                    ? extended(path, { text: this.indexText(place.index), type: array.index })
                    : undefined;
            }
            default:
                return undefined;
        }
    }

    private indexText(index: Murphi.Expression): string {
        const symbol = index.$type === 'Name' ? this.facts.symbolOf(index) : undefined;
        return symbol?.kind === 'variable' && symbol.role === 'bound'
            ? this.ownText(symbol)
            : (constantOf(index, this.facts)?.text ?? '?');
    }

    /** The variable of a loop as an index: no other one has this text. */
    private ownText(variable: Variable): string {
        const number = this.numbers.get(variable) ?? this.numbers.size;
        this.numbers.set(variable, number);
        return `#${number}`;
    }

    /** Arrays that are assigned to each other, or compared, have cells of one type. */
    private connect(one: Murphi.Expression, other: Murphi.Expression): void {
        if (this.facts.typeOf(one).kind === 'array') {
            this.bothFollow(this.cellOf(one), this.cellOf(other));
        } else if (this.facts.isCopied(other)) {
            this.follower(this.cellOf(other), this.cellOf(one));
        }
    }

    private bothFollow(one: Variable | undefined, other: Variable | undefined): void {
        this.follower(one, other);
        this.follower(other, one);
    }

    private follower(cell: Variable | undefined, follower: Variable | undefined): void {
        if (cell !== undefined && follower !== undefined) {
            const followers = this.followers.get(cell) ?? new Set();
            this.followers.set(cell, followers.add(follower));
        }
    }

    private cellOf(value: Murphi.Expression): Variable | undefined {
        return value.$type === 'Call' ? this.facts.routineOf(value)?.returned : this.facts.cellOf(value);
    }
}

function extended({ root, parts }: Path, part: Part): Path {
    return { root, parts: [...parts, part] };
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
    return [...new Set([...one.filter(path => inBoth(path, other)), ...other.filter(path => inBoth(path, one))])];
}
