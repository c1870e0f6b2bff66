/**
 * Statements in Orbit. Procedures are called by their names, functions that write are replaced by their statements, `return`
 * by conditions around what is left out, and a read of what may be undefined stands behind an `assert`.
 */
import { AstUtils } from 'langium';
import { invariant, unreachable } from '../../engine/common/assert.js';
import { Body, toText } from './body.js';
import { effectsOf } from './effects.js';
import { isDesignator, type Facts } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { hoistedCall } from './hoisted-call.js';
import { filling, firstValue, undefinedValue } from './initial-values.js';
import { NOTHING_KNOWN, withPlaces, type Known } from './known.js';
import * as Orbit from './orbit-syntax.js';
import { atom, binary, conjunction, FALSE, negation, printExpression, TRUE, type Expression } from './orbit-syntax.js';
import { mayReturn, withRest } from './returns.js';
import {
    hasSameCells,
    isData,
    isSameType,
    isSimple,
    REFUSED,
    typeText,
    type DataType,
    type Routine,
    type Type,
    type Variable,
} from './symbols.js';
import type { Surroundings } from './write-expression.js';

/** What a `return` does: ends a function, or leaves out the rest of a body, perhaps with a result in a variable. */
export type Ending =
    | { readonly kind: 'function'; readonly result: DataType }
    | { readonly kind: 'procedure' }
    | { readonly kind: 'rest'; readonly result?: Expression };

export class StatementWriter extends Body {
    private readonly ending: Ending;
    /** The variable that tells whether a `return` was met, once one is needed. */
    private returned: Expression | undefined;

    constructor(facts: Facts, surroundings: Surroundings, known: Known, ending: Ending = { kind: 'rest' }) {
        super(facts, surroundings, known);
        this.ending = ending;
    }

    /** Statements with their declarations in front, and places of the aliases around them. */
    body(
        locals: readonly Variable[],
        statements: readonly Murphi.Statement[],
        aliases: readonly Murphi.Alias[] = [],
    ): readonly Orbit.Statement[] {
        aliases.forEach(alias => this.bindAlias(alias));
        locals.forEach(local => this.declareLocal(local));
        const place = this.written.length;
        this.sequence(statements);
        if (this.returned !== undefined) {
            this.written.splice(place, 0, {
                kind: 'var',
                name: printExpression(this.returned),
                type: 'bool',
                value: FALSE,
            });
            this.written = withoutLast(this.written, printExpression(this.returned));
        }
        return this.written;
    }

    private sequence(statements: readonly Murphi.Statement[]): void {
        for (const [index, statement] of statements.entries()) {
            const rest = statements.slice(index + 1);
            if (statement.$type === 'Return') {
                this.statement(statement);
                return;
            }
            if (this.ending.kind === 'function' || !mayReturn(statement)) {
                this.statement(statement);
                continue;
            }
            const whole = withRest(statement, rest);
            if (whole !== undefined) {
                this.statement(whole);
                return;
            }
            this.returned ??= atom(this.surroundings.names.declare('returned'));
            this.statement(statement);
            if (rest.length > 0) {
                const condition = negation(this.returned);
                this.push({ kind: 'if', branches: [{ condition, body: this.block(rest) }], otherwise: [] });
            }
            return;
        }
    }

    /** Statements of their own, which may be left out; `before` is known at their beginning. */
    private block(statements: readonly Murphi.Statement[], before: Known = this.known): readonly Orbit.Statement[] {
        return this.inBlock(before, () => this.sequence(statements));
    }

    private statement(statement: Murphi.Statement): void {
        const { source } = this.facts;
        this.comment(source.commentsBefore(statement));
        const isSingle =
            !AstUtils.streamAllContents(statement).some(part => 'statements' in part) && !('statements' in statement);
        if (isSingle) {
            this.comment(source.commentsIn(statement));
        }
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
            case 'ProcedureCall':
                this.call(this.facts.routineOf(statement), statement.arguments);
                break;
            case 'ErrorStatement':
                this.push({ kind: 'assert', condition: FALSE, text: toText(statement.text) });
                break;
            case 'Assertion': {
                this.prepare([statement.condition]);
                const condition = this.expressions.condition(statement.condition, this.known);
                this.push({
                    kind: 'assert',
                    condition,
                    text: statement.text === undefined ? undefined : toText(statement.text),
                });
                this.known = this.expressions.knownIf(statement.condition, true, this.known);
                break;
            }
            case 'Return':
                this.return(statement);
                break;
            case 'Put':
                this.facts.note(statement, '`put` is left out');
                break;
            case 'MultisetAdd':
            case 'MultisetRemove':
            case 'MultisetRemoveMatching':
                break;
            default:
                unreachable(statement);
        }
        if (!isSingle) {
            this.comment(source.commentsIn(statement));
        }
    }

    private assign({ target, value }: Murphi.Assignment): void {
        const type = this.facts.typeOf(target);
        if (!this.prepare([target, value], [target], target) || this.isImpossible(value, type)) {
            return;
        }
        const place = this.expressions.value(target, this.known);
        const written =
            value.$type === 'Undefined' && isData(type)
                ? filling(type, undefinedValue, this.facts.cellOf(target))
                : this.expressions.value(value, this.known);
        this.push({ kind: 'assign', place, value: written });
        this.noteWrite(place);
        if (isSimple(type) && value.$type !== 'Undefined') {
            this.known = withPlaces(this.known, [printExpression(place)], 'read');
        }
    }

    private reset({ target, $type }: Murphi.Clear | Murphi.Undefine): void {
        if (!this.prepare([target], [target])) {
            return;
        }
        const [type, place] = [this.facts.typeOf(target), this.expressions.value(target, this.known)];
        if (isData(type)) {
            const value = filling(type, $type === 'Clear' ? firstValue : undefinedValue, this.facts.cellOf(target));
            this.push({ kind: 'assign', place, value });
            this.noteWrite(place);
        }
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
        this.pushIf(condition, body, rest);
    }

    private pushIf(condition: Expression, body: readonly Orbit.Statement[], rest: readonly Orbit.Statement[]): void {
        if (body.length === 0 && rest.length > 0) {
            this.pushIf(negation(condition), rest, []);
            return;
        }
        const [only] = rest;
        const isChain = rest.length === 1 && only?.kind === 'if';
        this.push({
            kind: 'if',
            branches: [{ condition, body }, ...(isChain ? only.branches : [])],
            otherwise: isChain ? only.otherwise : rest,
        });
    }

    private switch({ value, cases, otherwise }: Murphi.Switch): void {
        this.prepare([value]);
        let subject = this.expressions.value(value, this.known);
        if (!isDesignator(value) && !this.facts.isConstant(value) && cases.length > 0) {
            const name = this.surroundings.names.declare('value');
            this.push({ kind: 'let', name, value: subject });
            subject = atom(name);
        }
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
                    : binary('in', subject, { kind: 'set', elements: values });
            const body = this.block(first.statements);
            this.pushIf(
                condition,
                body,
                this.inBlock(this.known, () => write(others)),
            );
        };
        write(cases);
    }

    private while({ condition, statements }: Murphi.While): void {
        this.surroundings.results.clear();
        this.prepareLoop(statements);
        const known = this.known;
        this.assertDefined([condition]);
        this.known = known;
        const goesOn = this.expressions.condition(condition, known);
        const body = this.inBlock(this.expressions.knownIf(condition, true, known), () => {
            this.sequence(statements);
            this.known = known;
            this.surroundings.results.clear();
            this.assertDefined([condition]);
        });
        const stops = statements.some(mayReturn) && this.returned !== undefined ? [negation(this.returned)] : [];
        this.push({ kind: 'while', condition: conjunction([...stops, goesOn]), body });
    }

    /** Forgets what the statements of a loop may write, and prepares a `return` in it. */
    private prepareLoop(statements: readonly Murphi.Statement[]): void {
        for (const variable of effectsOf(statements, this.facts).writes) {
            this.noteWrite(this.surroundings.bindings.get(variable) ?? atom(variable.written));
        }
        if (this.ending.kind !== 'function' && statements.some(mayReturn)) {
            this.returned ??= atom(this.surroundings.names.declare('returned'));
        }
    }

    private for({ quantifier, statements }: Murphi.For): void {
        const { low, high, step } = quantifier;
        const bounds = [low, high, step].filter(bound => bound !== undefined);
        this.prepare(bounds);
        this.prepareLoop(statements);
        const by = step === undefined ? { low: 1, high: 1 } : this.facts.numbersOf(step);
        if (bounds.every(bound => this.facts.isConstant(bound)) && by.low > 0) {
            const outside = this.surroundings.names;
            this.surroundings.names = outside.inner();
            const binder = this.expressions.binder(quantifier);
            const body = this.block(statements);
            this.push({ kind: 'for', binder, body: this.unlessReturned(statements, body) });
            this.surroundings.names = outside;
        } else if (low !== undefined && high !== undefined) {
            this.counted(quantifier, low, high, step, statements);
        }
    }

    private unlessReturned(
        statements: readonly Murphi.Statement[],
        body: readonly Orbit.Statement[],
    ): readonly Orbit.Statement[] {
        return this.returned !== undefined && statements.some(mayReturn)
            ? [{ kind: 'if', branches: [{ condition: negation(this.returned), body }], otherwise: [] }]
            : body;
    }

    /** A loop with a counter. Its bounds are evaluated once, and it is an error if they are in the wrong order. */
    private counted(
        quantifier: Murphi.Quantifier,
        low: Murphi.Expression,
        high: Murphi.Expression,
        step: Murphi.Expression | undefined,
        statements: readonly Murphi.Statement[],
    ): void {
        const by = step === undefined ? { low: 1, high: 1 } : this.facts.numbersOf(step);
        const [from, to] = [this.facts.numbersOf(low), this.facts.numbersOf(high)];
        const most = Math.max(Math.abs(by.low), Math.abs(by.high));
        if ((by.low < 0 && by.high > 0) || ![from.low, from.high, to.low, to.high, most].every(Number.isFinite)) {
            this.facts.refuse(
                quantifier,
                'murphi/not-carried-over',
                'the direction or the range of this loop is not known',
            );
        }
        const last = this.named('last', high);
        const stride = step === undefined ? atom(1) : this.named('step', step);
        const isUpward = by.high > 0;
        if (by.low === 0 || by.high === 0) {
            this.push({ kind: 'assert', condition: binary('!=', stride, atom(0)), text: 'the step of a loop is 0' });
        }
        const variable = this.facts.variableOf(quantifier);
        const first = this.expressions.value(low, this.known);
        const name = this.bindToName(variable);
        const type = `${Math.min(from.low, to.low) - (isUpward ? 0 : most)} .. ${Math.max(from.high, to.high) + (isUpward ? most : 0)}`;
        this.push({ kind: 'var', name, type, value: first });
        const counter = atom(name);
        const isWithin = binary(isUpward ? '<=' : '>=', counter, last);
        if (isUpward ? from.high > to.low : from.low < to.high) {
            this.push({ kind: 'assert', condition: isWithin, text: 'a loop begins behind its end' });
        }
        const next: Orbit.Statement = { kind: 'assign', place: counter, value: binary('+', counter, stride) };
        const body = this.block(statements);
        const stops = this.returned !== undefined && statements.some(mayReturn) ? [negation(this.returned)] : [];
        this.push({ kind: 'while', condition: conjunction([...stops, isWithin]), body: [...body, next] });
    }

    /** The place that the alias has from now on, or its value. */
    private bindAlias(alias: Murphi.Alias): void {
        const isPlace = this.facts.cellOf(alias.value) !== undefined;
        this.prepare([alias.value], isPlace ? [alias.value] : []);
        const place = isPlace ? this.stablePlace(alias.value) : undefined;
        for (const symbol of this.facts.aliasesOf(alias)) {
            this.surroundings.bindings.set(symbol, place ?? this.named(symbol.name, alias.value));
        }
    }

    private return({ value }: Murphi.Return): void {
        if (this.ending.kind === 'function') {
            invariant(value !== undefined, 'a function returns a value');
            const { result } = this.ending;
            const isOfType = this.prepare([value]) && !this.isImpossible(value, result);
            const returned = isOfType ? this.expressions.value(value, this.known) : filling(result, firstValue);
            this.push({ kind: 'return', value: returned });
            return;
        }
        if (value !== undefined && this.ending.kind === 'rest' && this.ending.result !== undefined) {
            this.prepare([value]);
            this.push({ kind: 'assign', place: this.ending.result, value: this.expressions.value(value, this.known) });
        }
        if (this.returned !== undefined) {
            this.push({ kind: 'assign', place: this.returned, value: TRUE });
        }
    }

    /**
     * What stands in front of a statement: the statements of a call in it, and assertions; of `places` only indices are
     * read, and `target` is written at last. False if the statement never gets further.
     */
    private prepare(
        nodes: readonly Murphi.Expression[],
        places: readonly Murphi.Expression[] = [],
        target?: Murphi.Expression,
    ): boolean {
        this.surroundings.results.clear();
        const hoisted = this.ending.kind === 'function' ? undefined : hoistedCall(nodes, this.facts, target);
        if (hoisted !== undefined) {
            const { call, routine } = hoisted;
            const { returned } = routine;
            invariant(returned !== undefined, 'a function has a result');
            const name = this.surroundings.names.declare('result');
            this.push({ kind: 'var', name, type: typeText(returned.type, returned.isOptional) });
            this.inline(routine, call.arguments, atom(name));
            this.surroundings.results.set(call, atom(name));
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

    /** By its name where the arguments have the very types of what the procedure may write. */
    private call(routine: Routine, values: readonly Murphi.Expression[]): void {
        const isCallable = routine.parameters.every((parameter, index) => {
            const type = values[index] === undefined ? REFUSED : this.facts.typeOf(values[index]);
            return parameter.role !== 'reference' || (isData(type) && hasSameCells(type, parameter.type));
        });
        if (this.ending.kind === 'function' || !isProcedure(routine) || !isCallable) {
            this.inline(routine, values);
            return;
        }
        this.prepare(values, values.filter(isDesignator));
        const taken = (index: number): Type => routine.parameters[index]?.type ?? REFUSED;
        if (!values.some((value, index) => this.isImpossible(value, taken(index)))) {
            const places = values.map(value => this.expressions.value(value, this.known));
            this.push({ kind: 'call', call: Orbit.call(routine.name, ...places) });
        }
        // A place that is written may be any of its type.
        this.known = NOTHING_KNOWN;
    }

    /** The statements of a procedure in the place of its call. */
    private inline(routine: Routine, values: readonly Murphi.Expression[], result?: Expression): void {
        const bindings = new Map<Variable, Expression>();
        for (const [index, parameter] of routine.parameters.entries()) {
            const argument = values[index];
            invariant(argument !== undefined, 'a call that was checked has all arguments');
            if (this.isImpossible(argument, parameter.type)) {
                return;
            }
            bindings.set(parameter, this.argument(parameter, argument));
        }
        bindings.forEach((value, parameter) => this.surroundings.bindings.set(parameter, value));
        const ending: Ending = result === undefined ? { kind: 'rest' } : { kind: 'rest', result };
        const inner = new StatementWriter(this.facts, this.surroundings, this.known, ending);
        this.written.push(...inner.body(routine.locals, routine.node.statements));
        this.known = inner.known;
    }

    private argument(parameter: Variable, argument: Murphi.Expression): Expression {
        this.prepare([argument], isDesignator(argument) ? [argument] : []);
        if (parameter.role === 'reference') {
            return this.stablePlace(argument);
        }
        const [given, taken] = [this.facts.typeOf(argument), parameter.type];
        const fits =
            given.kind !== 'number' ||
            taken.kind !== 'number' ||
            (given.bounds !== '' && isSameType(given, taken)) ||
            (given.low >= taken.low && given.high <= taken.high && !taken.isOpen);
        const value = this.expressions.value(argument, this.known);
        if (fits && (this.facts.isConstant(argument) || (argument.$type === 'Name' && this.isStable(argument)))) {
            return value;
        }
        const name = this.surroundings.names.declare(parameter.written);
        const type = typeText(taken, parameter.isOptional);
        this.push(fits ? { kind: 'let', name, value } : { kind: 'var', name, type, value });
        return atom(name);
    }
}

/** Whether a routine is written with its name: a procedure of Orbit has no result. */
export function isProcedure(routine: Routine): boolean {
    return routine.result === undefined;
}

/** Without assignments to a variable that nothing reads behind them. */
function withoutLast(statements: readonly Orbit.Statement[], name: string): Orbit.Statement[] {
    const last = statements.at(-1);
    const before = statements.slice(0, -1);
    if (last?.kind === 'assign' && printExpression(last.place) === name) {
        return before;
    }
    if (last?.kind !== 'if') {
        return [...statements];
    }
    const branches = last.branches.map(branch => ({ ...branch, body: withoutLast(branch.body, name) }));
    return [...before, { ...last, branches, otherwise: withoutLast(last.otherwise, name) }];
}
