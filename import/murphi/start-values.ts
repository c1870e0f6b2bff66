/**
 * The one start state of a model as initial values of its variables: where it does nothing but assign what is known before,
 * cell by cell or in loops over all indices.
 */
import { AstUtils } from 'langium';
import { arrayOf, recordOf, fieldOf, type Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { filling, firstValue, undefinedValue } from './initial-values.js';
import type { Names } from './names.js';
import { atom, call, printExpression, type Expression } from './orbit-syntax.js';
import { isSameType, isSimple, valuesOf, type DataType, type SimpleType, type Variable } from './symbols.js';
import { writeConstant } from './write-constant.js';
import { NOTHING_KNOWN } from './known.js';
import { ExpressionWriter, type Surroundings } from './write-expression.js';

/** What is known of a variable or of a part of it. */
type Shape =
    | { readonly kind: 'whole'; readonly value: Expression }
    | { readonly kind: 'record'; readonly fields: Map<Variable, Shape> }
    /** All elements alike, but for the index that has this name. */
    | { readonly kind: 'each'; readonly name: string; shape: Shape | undefined }
    /** Some elements, by the texts of their indices. */
    | { readonly kind: 'list'; readonly elements: Map<string, Shape> };

/** A part of a shape that can be set, with its type. */
interface Slot {
    readonly type: DataType;
    readonly cell: Variable;
    readonly get: () => Shape | undefined;
    readonly set: (shape: Shape) => void;
}

/** Undefined if the start state does more than that. Variables that it leaves undefined are among the keys. */
export function startValues(
    statements: readonly Murphi.Statement[],
    globals: readonly Variable[],
    facts: Facts,
    names: Names,
): ReadonlyMap<Variable, Expression> | undefined {
    const start = new StartValues(facts, names.inner());
    return statements.every(statement => start.follow(statement, [])) ? start.values(globals) : undefined;
}

class StartValues {
    private readonly facts: Facts;
    private readonly surroundings: Surroundings;
    private readonly expressions: ExpressionWriter;
    private readonly shapes = new Map<Variable, Shape>();

    constructor(facts: Facts, names: Names) {
        this.facts = facts;
        this.surroundings = { names, bindings: new Map(), results: new Map() };
        this.expressions = new ExpressionWriter(facts, this.surroundings);
    }

    values(globals: readonly Variable[]): ReadonlyMap<Variable, Expression> {
        return new Map(
            globals.map(variable => [variable, this.filling(variable.type, variable, this.shapes.get(variable))]),
        );
    }

    /** False if the statement has no place in initial values. */
    follow(statement: Murphi.Statement, loops: readonly Variable[]): boolean {
        switch (statement.$type) {
            case 'Assignment':
            case 'Clear':
            case 'Undefine':
                return this.assign(statement, loops);
            case 'For': {
                const { quantifier, statements } = statement;
                const inner = [...loops, this.facts.variableOf(quantifier)];
                return quantifier.type !== undefined && statements.every(part => this.follow(part, inner));
            }
            case 'Put':
                return true;
            default:
                return false;
        }
    }

    private assign(statement: Murphi.Assignment | Murphi.Clear | Murphi.Undefine, loops: readonly Variable[]): boolean {
        const used = new Set<Variable>();
        const slot = this.slot(statement.target, loops, used);
        if (slot === undefined) {
            return false;
        }
        const { type, cell } = slot;
        if (statement.$type !== 'Assignment' || statement.value.$type === 'Undefined') {
            const value = statement.$type === 'Clear' ? firstValue : undefinedValue;
            slot.set({ kind: 'whole', value: filling(type, value, cell) });
            return true;
        }
        const numbers = this.facts.typeOf(statement.value);
        const isInside =
            numbers.kind !== 'number' ||
            (type.kind === 'number' && numbers.low >= type.low && numbers.high <= type.high);
        if (!isSimple(type) || !isInside || !this.isKnown(statement.value, used)) {
            return false;
        }
        slot.set({ kind: 'whole', value: this.expressions.value(statement.value, NOTHING_KNOWN) });
        return true;
    }

    /** Whether the value depends on nothing but loops whose variables are indices of the place. */
    private isKnown(value: Murphi.Expression, used: ReadonlySet<Variable>): boolean {
        return AstUtils.streamAst(value).every(part => {
            const symbol = part.$type === 'Name' ? this.facts.symbolOf(part as Murphi.Name) : undefined;
            return (
                ['Name', 'NumberLiteral', 'TruthLiteral', 'Unary', 'Binary'].includes(part.$type) &&
                (symbol?.kind !== 'variable' || used.has(symbol)) &&
                symbol?.kind !== 'alias'
            );
        });
    }

    /** The part of a shape that a place names; `used` gets the loops that its indices come from. */
    private slot(place: Murphi.Expression, loops: readonly Variable[], used: Set<Variable>): Slot | undefined {
        switch (place.$type) {
            case 'Name': {
                const variable = this.facts.symbolOf(place);
                return variable?.kind === 'variable' && variable.role === 'global'
                    ? {
                          type: variable.type,
                          cell: variable,
                          get: () => this.shapes.get(variable),
                          set: shape => this.shapes.set(variable, shape),
                      }
                    : undefined;
            }
            case 'Member': {
                const record = this.slot(recordOf(place), loops, used);
                const field = record?.type.kind === 'record' ? fieldOf(record.type, place.field) : undefined;
                if (record === undefined || field === undefined || record.get()?.kind === 'whole') {
                    return undefined;
                }
                const shape: Shape = record.get() ?? { kind: 'record', fields: new Map<Variable, Shape>() };
                record.set(shape);
                return shape.kind === 'record'
                    ? {
                          type: field.type,
                          cell: field,
                          get: () => shape.fields.get(field),
                          set: part => shape.fields.set(field, part),
                      }
                    : undefined;
            }
            case 'Element': {
                const array = this.slot(arrayOf(place), loops, used);
                return array?.type.kind === 'array'
                    ? this.element(array, array.type.index, array.type.element, place.index, loops, used)
                    : undefined;
            }
            default:
                return undefined;
        }
    }

    private element(
        array: Slot,
        indexType: SimpleType,
        type: DataType,
        index: Murphi.Expression,
        loops: readonly Variable[],
        used: Set<Variable>,
    ): Slot | undefined {
        const loop = index.$type === 'Name' ? this.facts.symbolOf(index) : undefined;
        if (loop?.kind === 'variable' && isSimple(loop.type) && loops.includes(loop)) {
            if (!isSameType(loop.type, indexType) || used.has(loop) || array.get()?.kind === 'whole') {
                return undefined;
            }
            const before = array.get();
            const shape: Shape =
                before?.kind === 'each'
                    ? before
                    : { kind: 'each', name: this.surroundings.names.inner().declare(loop.written), shape: undefined };
            array.set(shape);
            used.add(loop);
            this.surroundings.bindings.set(loop, atom(shape.name));
            return { type, cell: array.cell, get: () => shape.shape, set: part => (shape.shape = part) };
        }
        const constant = writeConstant(index, this.facts);
        const shape = array.get() ?? { kind: 'list', elements: new Map<string, Shape>() };
        const text = constant === undefined ? '' : printExpression(constant);
        if (shape.kind !== 'list' || !valuesOf(indexType).includes(text)) {
            return undefined;
        }
        array.set(shape);
        return {
            type,
            cell: array.cell,
            get: () => shape.elements.get(text),
            set: part => shape.elements.set(text, part),
        };
    }

    /** What stands behind `=`: for an array that is the same everywhere the value of one element. */
    private filling(type: DataType, cell: Variable, shape: Shape | undefined): Expression {
        if (type.kind !== 'array' || shape === undefined) {
            return shape === undefined ? filling(type, undefinedValue, cell) : this.value(type, cell, shape);
        }
        const value = this.value(type, cell, shape);
        let inside = value;
        while (inside.kind === 'comprehension') {
            const { binders, body } = inside;
            if (binders.some(({ name }) => new RegExp(`\\b${name}\\b`).test(printExpression(body)))) {
                return value;
            }
            inside = body;
        }
        return inside;
    }

    private value(type: DataType, cell: Variable, shape: Shape | undefined): Expression {
        if (type.kind === 'record') {
            return shape?.kind === 'whole'
                ? shape.value
                : call(
                      type.text,
                      ...type.fields.map(field =>
                          this.value(field.type, field, shape?.kind === 'record' ? shape.fields.get(field) : undefined),
                      ),
                  );
        }
        if (type.kind !== 'array') {
            return shape?.kind === 'whole' ? shape.value : undefinedValue(type, cell);
        }
        if (shape?.kind === 'list') {
            const elements = valuesOf(type.index).map(text => this.value(type.element, cell, shape.elements.get(text)));
            return { kind: 'list', elements };
        }
        const name = shape?.kind === 'each' ? shape.name : 'index';
        const body =
            shape?.kind === 'whole'
                ? shape.value
                : this.value(type.element, cell, shape?.kind === 'each' ? shape.shape : undefined);
        const binder = { name, type: type.index.text };
        return body.kind === 'comprehension' && type.element.kind === 'array'
            ? { ...body, binders: [binder, ...body.binders] }
            : { kind: 'comprehension', binders: [binder], body };
    }
}
