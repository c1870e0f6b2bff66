/**
 * The one start state of a model as initial values of its variables: where it does nothing but assign what is known before,
 * cell by cell or in loops over all indices.
 */
import { AstUtils } from 'langium';
import type { Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { filling, firstValue, undefinedValue, type Shape } from './initial-values.js';
import { NOTHING_KNOWN } from './known.js';
import type { Names } from './names.js';
import { atom } from './orbit-text.js';
import { isData, isSameType, isSimple, valuesOf, type DataType, type Variable } from './symbols.js';
import { constantOf, ExpressionWriter, surroundingsOf, type Surroundings } from './write-expression.js';

/** Gives the variables their values; false if the start state does more than that. */
export function writeStartValues(
    statements: readonly Murphi.Statement[],
    globals: readonly Variable[],
    facts: Facts,
    names: Names,
): boolean {
    const start = new StartValues(facts, names.inner());
    const isFollowed = statements.every(statement => start.follow(statement, []));
    if (isFollowed) {
        for (const variable of globals) {
            const value = filling(variable.type, undefinedValue, variable, start.shapes.get(variable));
            variable.initial = ` = ${value.text}`;
        }
    }
    return isFollowed;
}

class StartValues {
    readonly shapes = new Map<Variable, Shape>();
    private readonly facts: Facts;
    private readonly surroundings: Surroundings;

    constructor(facts: Facts, names: Names) {
        this.facts = facts;
        this.surroundings = surroundingsOf(names);
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
            default:
                return statement.$type === 'Put';
        }
    }

    private assign(statement: Murphi.Assignment | Murphi.Clear | Murphi.Undefine, loops: readonly Variable[]): boolean {
        const { target } = statement;
        const used = new Set<Variable>();
        const [shape, type, cell] = [
            this.shapeOf(target, loops, used),
            this.facts.typeOf(target),
            this.facts.cellOf(target),
        ];
        if (shape === undefined || cell === undefined || !isData(type)) {
            return false;
        }
        if (statement.$type !== 'Assignment' || statement.value.$type === 'Undefined') {
            fill(shape, type, cell, statement.$type === 'Clear' ? firstValue : undefinedValue);
            return true;
        }
        const { value } = statement;
        const numbers = this.facts.numbersOf(value);
        const isInside = type.kind !== 'number' || (numbers.low >= type.low && numbers.high <= type.high);
        if (!isSimple(type) || !isInside || !this.isKnown(value, used)) {
            return false;
        }
        shape.value = new ExpressionWriter(this.facts, this.surroundings).value(value, NOTHING_KNOWN);
        return true;
    }

    /** Whether the value depends on nothing but loops whose variables are indices of the place. */
    private isKnown(value: Murphi.Expression, used: ReadonlySet<Variable>): boolean {
        return AstUtils.streamAst(value).every(part => {
            const symbol = part.$type === 'Name' ? this.facts.symbolOf(part) : undefined;
            return (
                ['Name', 'NumberLiteral', 'TruthLiteral', 'Unary', 'Binary'].includes(part.$type) &&
                (symbol?.kind !== 'variable' || used.has(symbol)) &&
                symbol?.kind !== 'alias'
            );
        });
    }

    /** What is known of a place, to be changed; `used` gets the loops that its indices come from. */
    private shapeOf(place: Murphi.Expression, loops: readonly Variable[], used: Set<Variable>): Shape | undefined {
        switch (place.$type) {
            case 'Name': {
                const variable = this.facts.symbolOf(place);
                return variable?.kind === 'variable' && variable.role === 'global'
                    ? partOf(this.shapes, variable)
                    : undefined;
            }
            case 'Member': {
                const record = this.shapeOf(place.record, loops, used);
                return record && partOf(record.parts, place.field);
            }
            case 'Element': {
                const [array, type] = [this.shapeOf(place.array, loops, used), this.facts.typeOf(place.array)];
                const loop = place.index.$type === 'Name' ? this.facts.symbolOf(place.index) : undefined;
                if (array === undefined || type.kind !== 'array') {
                    return undefined;
                }
                if (loop?.kind !== 'variable' || !loops.includes(loop)) {
                    const text = constantOf(place.index, this.facts)?.text ?? '';
                    const isElement =
                        !valuesOf(type.index).some(value => value.startsWith('*')) &&
                        valuesOf(type.index).includes(text) &&
                        !array.parts.has('*');
                    return isElement ? partOf(array.parts, text) : undefined;
                }
                if (
                    !isSameType(loop.type, type.index) ||
                    used.has(loop) ||
                    (array.parts.size > 0 && !array.parts.has('*'))
                ) {
                    return undefined;
                }
                array.binder ??= this.surroundings.names.inner().declare(loop.written);
                used.add(loop);
                this.surroundings.bindings.set(loop, atom(array.binder));
                return partOf(array.parts, '*');
            }
            default:
                return undefined;
        }
    }
}

function partOf<Key>(parts: Map<Key, Shape>, key: Key): Shape {
    const part = parts.get(key) ?? { parts: new Map<string, Shape>() };
    parts.set(key, part);
    return part;
}

/** Sets all cells. */
function fill(shape: Shape, type: DataType, cell: Variable, value: typeof undefinedValue): void {
    if (type.kind === 'bag') {
        return;
    }
    if (isSimple(type)) {
        shape.value = value(type, cell);
    } else {
        shape.parts.clear();
        delete shape.binder;
        if (type.kind === 'record') {
            type.fields.forEach(field => fill(partOf(shape.parts, field.name), field.type, field, value));
        } else {
            fill(partOf(shape.parts, '*'), type.element, cell, value);
        }
    }
}
