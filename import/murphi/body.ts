/** Statements of Orbit as they are written, and what is known between them. */
import { invariant } from '../../engine/common/assert.js';
import { arrayOf, recordOf, type Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { inBoth, withoutName, withPlaces, type Known } from './known.js';
import type * as Orbit from './orbit-syntax.js';
import {
    atom,
    binary,
    conjunction,
    conjuncts,
    FALSE,
    NONE,
    printExpression,
    rootName,
    type Expression,
} from './orbit-syntax.js';
import { partsOf } from './parts.js';
import { isSimple, typeText, type Symbol, type Type, type Variable } from './symbols.js';
import { ExpressionWriter, type Surroundings } from './write-expression.js';

export class Body {
    protected readonly facts: Facts;
    protected readonly surroundings: Surroundings;
    protected readonly expressions: ExpressionWriter;
    protected written: Orbit.Statement[] = [];
    protected known: Known;

    constructor(facts: Facts, surroundings: Surroundings, known: Known) {
        this.facts = facts;
        this.surroundings = surroundings;
        this.expressions = new ExpressionWriter(facts, surroundings);
        this.known = known;
    }

    protected declareLocal(local: Variable): void {
        const name = this.bindToName(local);
        const isSingle = isSimple(local.type) && local.isOptional;
        const type = typeText(local.type, local.isOptional);
        this.written.push({ kind: 'var', name, type, value: isSingle ? NONE : undefined });
    }

    protected bindToName(variable: Variable): string {
        const name = this.surroundings.names.declare(variable.written);
        this.surroundings.bindings.set(variable, atom(name));
        return name;
    }

    protected push(statement: Orbit.Statement): void {
        this.written.push(statement);
    }

    protected comment(lines: readonly string[]): void {
        if (lines.length > 0) {
            this.push({ kind: 'comment', lines });
        }
    }

    protected inBlock(before: Known, write: () => void): readonly Orbit.Statement[] {
        const outside = { written: this.written, known: this.known };
        this.written = [];
        this.known = before;
        write();
        const block = this.written;
        this.written = outside.written;
        // What a block has written is not known any more behind it.
        this.known = inBoth(outside.known, this.known);
        return block;
    }

    protected noteWrite(place: Expression): void {
        this.known = withoutName(this.known, rootName(place));
    }

    /** Asserts that what expressions read is defined; of `places` only their indices are read. */
    protected assertDefined(nodes: readonly Murphi.Expression[], places: readonly Murphi.Expression[] = []): void {
        for (const node of nodes) {
            const definedness = places.includes(node)
                ? this.expressions.definednessOfPlace(node, this.known)
                : this.expressions.definedness(node, this.known);
            const untested = [...this.expressions.untested(node, this.known).values()];
            const conditions = unique([...conjuncts(definedness), ...untested.map(place => binary('!=', place, NONE))]);
            if (conditions.length > 0) {
                this.push({ kind: 'assert', condition: conjunction(conditions) });
                const tested = conditions.flatMap(condition =>
                    condition.kind === 'binary' && condition.right === NONE ? [printExpression(condition.left)] : [],
                );
                this.known = withPlaces(this.known, tested, 'tested');
            }
        }
    }

    protected hasImpossibleIndex(node: Murphi.Expression): boolean {
        return partsOf('Element', node).some(element => {
            const array = this.facts.typeOf(arrayOf(element));
            return array.kind === 'array' && this.isImpossible(element.index, array.index);
        });
    }

    /** Whether a value is never one of the type, which an assertion tells: here it would be an error of the text. */
    protected isImpossible(value: Murphi.Expression, type: Type): boolean {
        const numbers = this.facts.typeOf(value);
        const isOutside =
            numbers.kind === 'number' && type.kind === 'number' && (numbers.low > type.high || numbers.high < type.low);
        if (isOutside) {
            const text = `${toText(this.facts.source.textOf(value))} is not in ${type.bounds}`;
            this.push({ kind: 'assert', condition: FALSE, text });
        }
        return isOutside;
    }

    /** The value at this moment; a constant has no other one. */
    protected named(wished: string, node: Murphi.Expression): Expression {
        const value = this.expressions.value(node, this.known);
        if (this.facts.isConstant(node)) {
            return value;
        }
        const name = this.surroundings.names.declare(wished);
        this.push({ kind: 'let', name, value });
        return atom(name);
    }

    /** A place whose indices keep their values from now on. */
    protected stablePlace(place: Murphi.Expression): Expression {
        switch (place.$type) {
            case 'Element':
                return {
                    kind: 'element',
                    array: this.stablePlace(arrayOf(place)),
                    index: this.isStable(place.index)
                        ? this.expressions.value(place.index, this.known)
                        : this.named('index', place.index),
                };
            case 'Member': {
                const whole = this.expressions.value(place, this.known);
                invariant(whole.kind === 'field', 'a field of a record is written as one');
                return { ...whole, record: this.stablePlace(recordOf(place)) };
            }
            default:
                return this.expressions.value(place, this.known);
        }
    }

    /** Whether no statement changes the value. */
    protected isStable(node: Murphi.Expression): boolean {
        const isStable = (symbol: Symbol): boolean =>
            symbol.kind === 'variable'
                ? symbol.role === 'bound' || symbol.role === 'value'
                : symbol.kind === 'alias'
                  ? this.isStable(symbol.value)
                  : symbol.kind !== 'routine';
        return partsOf('Element', node).length === 0 && this.facts.symbolsIn(node).every(isStable);
    }
}

function unique(conditions: readonly Expression[]): readonly Expression[] {
    return [...new Map(conditions.map(condition => [printExpression(condition), condition])).values()];
}

/** A text for quotation marks, which has none in it. */
export function toText(text: string): string {
    return text.replaceAll(/["“”]/g, "'").replaceAll(/[\r\n]+/g, ' ');
}
