/** Statements of Orbit as they are written, and what is known between them. */
import type { Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { inBoth, withoutPlace, withPlaces, type Known } from './known.js';
import * as Orbit from './orbit-text.js';
import { atom, binary, conjunction, conjuncts, definedPlaces, FALSE, NONE, type Expression } from './orbit-text.js';
import { partsOf } from './parts.js';
import { isSimple, typeText, type Symbol, type Type, type Variable } from './symbols.js';
import { ExpressionWriter, type Surroundings } from './write-expression.js';

export class Body {
    protected readonly facts: Facts;
    protected readonly surroundings: Surroundings;
    protected readonly expressions: ExpressionWriter;
    protected written: Orbit.Statement[] = [];
    protected known: Known;
    /** Of the statement that is written. */
    protected place = '';

    constructor(facts: Facts, surroundings: Surroundings, known: Known) {
        this.facts = facts;
        this.surroundings = surroundings;
        this.expressions = new ExpressionWriter(facts, surroundings);
        this.known = known;
    }

    protected declareLocal(local: Variable): void {
        const name = this.bindToName(local);
        const value = isSimple(local.type) && local.isOptional ? ' = none' : '';
        this.pushText(`var ${name}: ${typeText(local.type, local.isOptional)}${value}`);
    }

    protected bindToName(variable: Variable): string {
        const name = this.surroundings.names.declare(variable.written);
        this.surroundings.bindings.set(variable, atom(name));
        return name;
    }

    protected push({ text, kind }: Orbit.Statement): void {
        this.written.push({ text: kind === 'comment' ? text : `${this.place}${text}`, kind });
    }

    protected pushText(text: string): void {
        this.push(Orbit.statement(text));
    }

    protected comment(texts: readonly string[]): void {
        if (texts.length > 0) {
            this.push({ text: Orbit.comment(texts), kind: 'comment' });
        }
    }

    protected inBlock(before: Known, write: () => void): readonly Orbit.Statement[] {
        const outside = { written: this.written, known: this.known, place: this.place };
        this.written = [];
        this.known = before;
        write();
        const block = this.written;
        [this.written, this.place] = [outside.written, outside.place];
        // What a block has written is not known any more behind it.
        this.known = inBoth(outside.known, this.known);
        return block;
    }

    /** Asserts that what expressions read is defined; of `places` only their indices are read. */
    protected assertDefined(nodes: readonly Murphi.Expression[], places: readonly Murphi.Expression[] = []): void {
        for (const node of nodes) {
            const isPlace = places.includes(node) ? 'place' : undefined;
            const definedness = this.expressions.definedness(node, this.known, isPlace);
            const untested = [...this.expressions.untested(node, this.known).values()];
            const conditions = [...conjuncts(definedness), ...untested.map(place => binary('!=', place, NONE))];
            const condition = conjunction([...new Map(conditions.map(part => [part.text, part])).values()]);
            if (conditions.length > 0) {
                this.push(Orbit.assertion(condition));
                this.known = withPlaces(this.known, definedPlaces(condition), 'tested');
            }
        }
    }

    protected noteWrite(place: Expression): void {
        this.known = withoutPlace(this.known, place.text);
    }

    protected hasImpossibleIndex(node: Murphi.Expression): boolean {
        return partsOf('Element', node).some(({ array, index }) => {
            const type = this.facts.typeOf(array);
            return type.kind === 'array' && this.isImpossible(index, type.index);
        });
    }

    /** Whether a value is never one of the type, which an assertion tells: here it would be an error of the text. */
    protected isImpossible(value: Murphi.Expression, type: Type): boolean {
        const numbers = this.facts.numbersOf(value);
        const isOutside = type.kind === 'number' && (numbers.low > type.high || numbers.high < type.low);
        if (isOutside) {
            this.push(Orbit.assertion(FALSE, `${this.facts.source.textOf(value)} is not in ${type.bounds}`));
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
        this.pushText(`let ${name} = ${value.text}`);
        return atom(name);
    }

    /** A place whose indices keep their values from now on. */
    protected stablePlace(place: Murphi.Expression): Expression {
        switch (place.$type) {
            case 'Element': {
                if (this.expressions.isValue(place)) {
                    return this.expressions.value(place, this.known);
                }
                const array = this.stablePlace(place.array);
                const { index } = place;
                return Orbit.element(
                    array,
                    this.isStable(index) ? this.expressions.value(index, this.known) : this.named('index', index),
                );
            }
            case 'Member':
                return Orbit.field(this.stablePlace(place.record), this.facts.fieldOf(place)?.written ?? place.field);
            default:
                return this.expressions.value(place, this.known);
        }
    }

    /** Whether no statement changes the value. */
    private isStable(node: Murphi.Expression): boolean {
        const isStable = (symbol: Symbol): boolean =>
            symbol.kind === 'variable'
                ? symbol.role === 'bound' || symbol.role === 'value'
                : symbol.kind === 'alias'
                  ? this.isStable(symbol.value)
                  : symbol.kind !== 'routine';
        return partsOf('Element', node).length === 0 && this.facts.symbolsIn(node).every(isStable);
    }
}
