/**
 * Statements in Orbit. Procedures are called by their names, and so are functions that write, with a place for the result in
 * front of the statement; `return` becomes conditions around what is left out, and a read of what may be undefined stands
 * behind an `assert`.
 */
import { AstUtils } from 'langium';
import { Body } from './body.js';
import { effectsOf } from './effects.js';
import { isDesignator, operatorOf, type Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { hoistedCall } from './hoisted-call.js';
import { filling, firstValue, undefinedValue } from './initial-values.js';
import { hull } from './intervals.js';
import { NOTHING_KNOWN, withPlaces, type Known } from './known.js';
import { add, remove, removeAll } from './multisets.js';
import * as Orbit from './orbit-text.js';
import { atom, binary, conjunction, FALSE, negation, type Expression } from './orbit-text.js';
import { alwaysReturns, asSearch, mayReturn, withRest } from './returns.js';
import { isData, isSimple, typeText, type DataType, type Routine, type Variable } from './symbols.js';
import { holesOf, type Surroundings } from './write-expression.js';

/** What a `return` does: ends a function, or leaves out the rest of a body, perhaps with a result in a variable. */
export type Ending =
    | { readonly kind: 'function'; readonly result: DataType }
    | { readonly kind: 'procedure'; readonly result?: string }
    | { readonly kind: 'rule' };

export class StatementWriter extends Body {
    private readonly ending: Ending;
    /** The variable that tells whether a `return` was met, once one is needed. */
    private returned: Expression | undefined;
    /** Whether something behind the statement asks that variable. */
    private isFollowed = false;

    constructor(facts: Facts, surroundings: Surroundings, known: Known, ending: Ending = { kind: 'rule' }) {
        super(facts, surroundings, known);
        this.ending = ending;
    }

    /** Statements with their declarations in front, and places of the aliases around them. */
    body(
        locals: readonly Variable[],
        statements: readonly Murphi.Statement[],
        aliases: readonly Murphi.Alias[] = [],
    ): Orbit.Statement[] {
        aliases.forEach(alias => this.bindAlias(alias));
        locals.forEach(local => this.declareLocal(local));
        const place = this.written.length;
        this.sequence(statements);
        if (this.returned !== undefined) {
            this.written.splice(place, 0, Orbit.statement(`var ${this.returned.text}: bool = false`));
        }
        return this.written;
    }

    private sequence(statements: readonly Murphi.Statement[]): void {
        for (const [index, given] of statements.entries()) {
            const statement = (given.$type === 'For' ? asSearch(given, this.facts) : undefined) ?? given;
            const rest = statements.slice(index + 1);
            const whole = mayReturn(statement) ? withRest(statement, rest) : undefined;
            if (!alwaysReturns([statement]) && (this.ending.kind === 'function' || !mayReturn(statement))) {
                this.statement(statement);
            } else if (alwaysReturns([statement]) || whole !== undefined) {
                this.statement(whole ?? statement);
                return;
            } else {
                this.followed(rest.length > 0, () => this.statement(statement));
                if (rest.length > 0) {
                    const condition = negation(this.returnedName());
                    this.push(Orbit.choice(condition, this.block(rest), []));
                }
                return;
            }
        }
    }

    private followed(isFollowed: boolean, write: () => void): void {
        const outside = this.isFollowed;
        this.isFollowed ||= isFollowed;
        write();
        this.isFollowed = outside;
    }

    private returnedName(): Expression {
        this.returned ??= atom(this.surroundings.names.declare('returned'));
        return this.returned;
    }

    /** Statements of their own, which may be left out; `before` is known at their beginning. */
    private block(statements: readonly Murphi.Statement[], before: Known = this.known): readonly Orbit.Statement[] {
        return this.inBlock(before, () => this.sequence(statements));
    }

    private statement(statement: Murphi.Statement): void {
        const { source } = this.facts;
        this.place = source.mark(statement);
        this.comment(source.commentsBefore(statement));
        const hasInside = AstUtils.streamAst(statement).some(part => 'statements' in part);
        if (!hasInside) {
            this.comment(source.commentsIn(statement));
        }
        this.write(statement);
        if (hasInside) {
            this.comment(source.commentsIn(statement));
        }
    }

    private write(statement: Murphi.Statement): void {
        switch (statement.$type) {
            case 'Assignment':
                this.assign(statement);
                break;
            case 'Clear':
            case 'Undefine':
                this.reset(statement);
                break;
            case 'If':
                this.branches(statement.branches, statement.otherwise);
                break;
            case 'Switch':
                this.switch(statement);
                break;
            case 'For':
                this.for(statement);
                break;
            case 'While':
                this.while(statement);
                break;
            case 'AliasStatement':
                statement.aliases.forEach(alias => this.bindAlias(alias));
                this.sequence(statement.statements);
                break;
            case 'ProcedureCall': {
                const routine = this.facts.routineOf(statement);
                if (routine?.returned === undefined) {
                    this.call(statement, routine);
                } else {
                    this.result(statement, routine);
                }
                break;
            }
            case 'ErrorStatement':
                this.push(Orbit.assertion(FALSE, statement.text));
                break;
            case 'Assertion':
                this.prepare([statement.condition]);
                this.push(Orbit.assertion(this.expressions.condition(statement.condition, this.known), statement.text));
                this.known = this.expressions.knownIf(statement.condition, true, this.known);
                break;
            case 'Return':
                this.return(statement);
                break;
            case 'MultisetAdd':
            case 'MultisetRemove':
            case 'MultisetRemoveMatching':
                this.changeBag(statement);
                break;
            case 'Put':
                this.facts.note(statement, '`put` is left out');
                break;
            default:
        }
    }

    private assign({ target, value }: Murphi.Assignment): void {
        const type = this.facts.typeOf(target);
        const places = this.facts.isCopied(value) ? [target, value] : [target];
        if (!this.prepare([target, value], places, target) || this.isImpossible(value, type)) {
            return;
        }
        const place = this.expressions.value(target, this.known);
        const isUndefined = value.$type === 'Undefined';
        const written =
            isUndefined && isData(type)
                ? filling(type, undefinedValue, this.facts.cellOf(target))
                : this.expressions.value(value, this.known);
        const holes = isData(type) && !isUndefined ? holesOf(type, written) : [];
        if (holes.length > 0 && this.facts.typeOf(value) !== type) {
            this.push(Orbit.assertion(conjunction(holes), 'the union has no such value'));
        }
        this.pushText(`${place.text} := ${written.text}`);
        this.noteWrite(place);
        if (isSimple(type) && !isUndefined) {
            this.known = withPlaces(this.known, [place.text], 'read');
        }
    }

    private reset({ target, $type }: Murphi.Clear | Murphi.Undefine): void {
        const type = this.facts.typeOf(target);
        if (this.prepare([target], [target]) && isData(type)) {
            const place = this.expressions.value(target, this.known);
            const value = filling(type, $type === 'Clear' ? firstValue : undefinedValue, this.facts.cellOf(target));
            this.pushText(`${place.text} := ${value.text}`);
            this.noteWrite(place);
        }
    }

    private changeBag(statement: Murphi.MultisetAdd | Murphi.MultisetRemove | Murphi.MultisetRemoveMatching): void {
        const value = statement.$type === 'MultisetAdd' ? [statement.value] : [];
        this.prepare([...value, statement.bag], [...value, statement.bag].filter(isDesignator));
        const [bag, type] = [this.expressions.value(statement.bag, this.known), this.facts.bagOf(statement.bag)];
        if (type === undefined) {
            this.facts.refuse(statement.bag, 'murphi/type', 'this is no multiset');
        } else if (statement.$type === 'MultisetAdd') {
            const isPlace = isDesignator(statement.value);
            const added = isPlace
                ? this.expressions.value(statement.value, this.known)
                : this.named('added', statement.value);
            add(bag, added, type, this.surroundings.names.inner().declare('place')).forEach(part => this.push(part));
        } else if (statement.$type === 'MultisetRemove') {
            const chosen = this.facts.symbolOf(statement);
            const name = chosen && this.surroundings.bindings.get(chosen);
            this.push(remove(bag, name ?? atom(statement.name), type));
        } else {
            const binder = this.expressions.binder(statement);
            const condition = this.expressions.condition(statement.condition, this.known);
            this.push(removeAll(bag, binder, condition, type));
        }
        this.noteWrite(bag);
    }

    private branches(branches: readonly Murphi.Branch[], otherwise: readonly Murphi.Statement[]): void {
        const [first, ...others] = branches;
        if (first === undefined) {
            this.sequence(otherwise);
            return;
        }
        this.prepare([first.condition]);
        const condition = this.expressions.condition(first.condition, this.known);
        const [whenTrue, whenFalse] = [true, false].map(truth =>
            this.expressions.knownIf(first.condition, truth, this.known),
        );
        this.comment(this.facts.source.commentsBefore(first));
        const body = this.block(first.statements, whenTrue);
        const rest = this.inBlock(whenFalse ?? this.known, () => this.branches(others, otherwise));
        this.push(Orbit.choice(condition, body, rest));
    }

    private switch({ value, cases, otherwise }: Murphi.Switch): void {
        const type = this.facts.typeOf(value);
        if (isData(type) && !isSimple(type)) {
            this.facts.refuse(value, 'murphi/type', 'this is no single value');
        }
        this.prepare([value]);
        const isPlace = isDesignator(value) || cases.length === 0;
        const subject = isPlace ? this.expressions.value(value, this.known) : this.named('value', value);
        const write = ([first, ...others]: readonly Murphi.Case[]): void => {
            if (first === undefined) {
                this.sequence(otherwise);
                return;
            }
            this.prepare(first.values);
            const values = first.values.map(node => this.expressions.value(node, this.known));
            const [only] = values;
            const condition =
                values.length === 1 && only !== undefined
                    ? binary('==', subject, only)
                    : binary('in', subject, Orbit.set(values));
            const body = this.block(first.statements);
            const rest = this.inBlock(this.known, () => write(others));
            this.push(Orbit.choice(condition, body, rest));
        };
        write(cases);
    }

    private while({ condition, statements }: Murphi.While): void {
        this.surroundings.results.clear();
        this.forgetWrites(statements);
        const known = this.known;
        this.assertDefined([condition]);
        this.known = known;
        const goesOn = this.expressions.condition(condition, known);
        const body = this.inBlock(this.expressions.knownIf(condition, true, known), () => {
            this.followed(true, () => this.sequence(statements));
            this.known = known;
            this.surroundings.results.clear();
            this.assertDefined([condition]);
        });
        const stops = this.mayEnd(statements) ? [negation(this.returnedName())] : [];
        this.push(Orbit.closed(`while ${conjunction([...stops, goesOn]).text}`, body));
    }

    /** Whether a `return` may end a loop. */
    private mayEnd(statements: readonly Murphi.Statement[]): boolean {
        return this.ending.kind !== 'function' && mayReturn(...statements);
    }

    /** Forgets what the statements of a loop may write. */
    private forgetWrites(statements: readonly Murphi.Statement[]): void {
        for (const variable of effectsOf(statements, this.facts).writes) {
            this.noteWrite(this.surroundings.bindings.get(variable) ?? atom(variable.written));
        }
    }

    private for({ quantifier, statements }: Murphi.For): void {
        const { low, high, step } = quantifier;
        const bounds = [low, high, step].filter(bound => bound !== undefined);
        this.prepare(bounds);
        this.forgetWrites(statements);
        const by = step === undefined ? { low: 1, high: 1 } : this.facts.numbersOf(step);
        if (bounds.every(bound => this.facts.isConstant(bound)) && by.low > 0) {
            this.round(statements, () => Orbit.binders([this.expressions.binder(quantifier)]), '');
        } else if (low !== undefined && high !== undefined) {
            this.counted(quantifier, low, high, statements);
        }
    }

    /** A loop; its body begins with `first`. */
    private round(statements: readonly Murphi.Statement[], binder: () => string, first: string): void {
        const outside = this.surroundings.names;
        this.surroundings.names = outside.inner();
        const head = `for ${binder()}`;
        this.followed(true, () => {
            const body = this.block(statements);
            const all = first === '' ? body : [Orbit.statement(first), ...body];
            const isEnded = this.mayEnd(statements);
            this.push(Orbit.closed(head, isEnded ? [Orbit.choice(negation(this.returnedName()), all, [])] : all));
        });
        this.surroundings.names = outside;
    }

    /** A loop that counts its rounds. Its bounds are evaluated once, and it is an error if they are in the wrong order. */
    private counted(
        quantifier: Murphi.Quantifier,
        low: Murphi.Expression,
        high: Murphi.Expression,
        statements: readonly Murphi.Statement[],
    ): void {
        const { step } = quantifier;
        const by = step === undefined ? { low: 1, high: 1 } : this.facts.numbersOf(step);
        const [from, to] = [this.facts.numbersOf(low), this.facts.numbersOf(high)];
        const all = hull(from, to);
        const isUpward = by.high > 0;
        if ((by.low < 0 && isUpward) || !Number.isFinite(all.high - all.low)) {
            const message = 'the direction or the range of this loop is not known';
            this.facts.refuse(quantifier, 'murphi/not-carried-over', message);
            return;
        }
        const [first, last] = [this.named('first', low), this.named('last', high)];
        const stride = step === undefined ? atom(1) : this.named('step', step);
        if (by.low === 0 || by.high === 0) {
            this.push(Orbit.assertion(binary('!=', stride, atom(0)), 'the step of a loop is 0'));
        }
        const isWithin = (value: Expression): Expression => binary(isUpward ? '<=' : '>=', value, last);
        if (isUpward ? from.high > to.low : from.low < to.high) {
            this.push(Orbit.assertion(isWithin(first), 'a loop begins behind its end'));
        }
        const variable = this.facts.variableOf(quantifier);
        if (by.low === 1 && by.high === 1) {
            const counter = atom(this.bindToName(variable));
            const where = binary('&&', binary('<=', first, counter), isWithin(counter));
            // The greatest number is at least `to.low`, whatever the parameters are, so that the range is not empty.
            const most = this.greatestOf(high) ?? Orbit.bound(atom(all.high));
            const range = `${Orbit.bound(atom(all.low))} .. ${most}`;
            this.round(statements, () => `${counter.text} in ${range} where ${where.text}`, '');
            return;
        }
        const round = atom(this.surroundings.names.declare('round'));
        const distance = binary('*', stride, round);
        const value =
            stride.operator === 'minus'
                ? binary('-', first, binary('*', stride.operands?.[0] ?? stride, round))
                : binary('+', first, distance);
        const rounds = Math.floor((all.high - all.low) / Math.max(1, Math.min(Math.abs(by.low), Math.abs(by.high))));
        this.round(
            statements,
            () => `${round.text} in 0 .. ${rounds} where ${isWithin(value).text}`,
            `let ${this.bindToName(variable)} = ${value.text}`,
        );
    }

    /** The greatest number that the type of a place gives a sum, if that depends on parameters. */
    private greatestOf(node: Murphi.Expression): string | undefined {
        const type = this.facts.typeOf(node);
        if (this.facts.cellOf(node) !== undefined) {
            return type.kind === 'number' && type.isOpen
                ? type.bounds.slice(type.bounds.indexOf(' .. ') + 4)
                : undefined;
        }
        const operator = node.$type === 'Binary' ? operatorOf(node) : undefined;
        if (node.$type !== 'Binary' || (operator !== '+' && operator !== '-')) {
            return undefined;
        }
        const [most, { low, high }] = [this.greatestOf(node.left), this.facts.numbersOf(node.right)];
        return most === undefined || low !== high || low < 0 ? undefined : `${most} ${operator} ${low}`;
    }

    /** The place that the alias has from now on, or its value. */
    private bindAlias(alias: Murphi.Alias): void {
        const isPlace = this.facts.cellOf(alias.value) !== undefined;
        this.prepare([alias.value], isPlace ? [alias.value] : []);
        const place = isPlace ? this.stablePlace(alias.value) : undefined;
        for (const symbol of this.facts.symbolsOf(alias)) {
            const name = symbol.kind === 'alias' ? symbol.name : '';
            this.surroundings.bindings.set(symbol, place ?? this.named(name, alias.value));
        }
    }

    private return({ value }: Murphi.Return): void {
        const { ending } = this;
        if (
            value !== undefined &&
            ending.kind !== 'function' &&
            (ending.kind === 'rule' || ending.result === undefined)
        ) {
            this.facts.refuse(value, 'murphi/type', 'only a function returns a value');
        }
        if (ending.kind === 'function' && value !== undefined) {
            const isOfType = this.prepare([value]) && !this.isImpossible(value, ending.result);
            const { text } = isOfType ? this.expressions.value(value, this.known) : filling(ending.result, firstValue);
            this.pushText(`return ${text}`);
            return;
        }
        if (value !== undefined && ending.kind === 'procedure' && ending.result !== undefined) {
            this.prepare([value]);
            this.pushText(`${ending.result} := ${this.expressions.value(value, this.known).text}`);
        }
        if (this.isFollowed) {
            this.pushText(`${this.returnedName().text} := true`);
        }
    }

    /**
     * What stands in front of a statement: a call in it that writes, and assertions; of `places` only indices are read, and
     * `target` is written at last. False if the statement never gets further.
     */
    private prepare(
        nodes: readonly Murphi.Expression[],
        places: readonly Murphi.Expression[] = [],
        target?: Murphi.Expression,
    ): boolean {
        this.surroundings.results.clear();
        const { call, routine } = hoistedCall(nodes, this.facts, target) ?? {};
        if (call !== undefined && routine !== undefined) {
            this.surroundings.results.set(call, this.result(call, routine));
        }
        this.assertDefined(nodes, places);
        return !nodes.some(node => this.hasImpossibleIndex(node));
    }

    protected override noteWrite(place: Expression): void {
        super.noteWrite(place);
        if (this.ending.kind === 'procedure') {
            // A parameter may be any place of its type.
            this.known = NOTHING_KNOWN;
        }
    }

    /** The name of what a function returns, which is called before. */
    private result(node: Murphi.Call | Murphi.ProcedureCall, routine: Routine): Expression {
        const name = this.surroundings.names.declare('result');
        const { returned, form } = routine;
        if (returned !== undefined && form === 'procedure') {
            this.pushText(`var ${name}: ${typeText(returned.type, returned.isOptional)}`);
        }
        this.call(node, routine, name);
        return atom(name);
    }

    private call(node: Murphi.Call | Murphi.ProcedureCall, routine: Routine | undefined, result?: string): void {
        const values = node.arguments;
        this[result === undefined ? 'prepare' : 'assertDefined'](values, values.filter(isDesignator));
        if (routine?.fault !== undefined) {
            this.facts.refuse(node, 'murphi/not-carried-over', `\`${node.name}\` ${routine.fault}`);
        }
        const isEnded = values.some((value, index) => {
            const type = routine?.parameters[index]?.type;
            return type !== undefined && this.isImpossible(value, type);
        });
        if (!isEnded) {
            const places = values.map(value => this.expressions.value(value, this.known));
            const isFunction = routine?.form === 'function';
            const all = result === undefined || isFunction ? places : [...places, atom(result)];
            const { text } = Orbit.call(routine?.name ?? node.name, ...all);
            this.pushText(isFunction ? `let ${result ?? ''} = ${text}` : text);
        }
        // A place that is written may be any of its type.
        this.known = NOTHING_KNOWN;
    }
}
