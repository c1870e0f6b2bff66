/** Rules as processes with one place of control, start states as computed initial states, properties, and functions. */
import type { AstNode } from 'langium';
import type { CheckedProgram } from './check.js';
import type * as Murphi from './generated/ast.js';
import { firstValue, filling } from './initial-values.js';
import { capitalized, type Names, toName } from './names.js';
import * as Orbit from './orbit-syntax.js';
import {
    block,
    FALSE,
    printBlock,
    printComment,
    printExpression,
    TRUE,
    type Binder,
    type Expression,
} from './orbit-syntax.js';
import { alwaysReturns } from './returns.js';
import { typeText, type AliasSymbol, type Routine } from './symbols.js';
import { NOTHING_KNOWN, type Known } from './known.js';
import { ExpressionWriter, type Surroundings } from './write-expression.js';
import { isProcedure, StatementWriter, type Ending } from './write-statements.js';

/** What stands around a rule, from outside. */
type Around = readonly (Murphi.Quantifier | Murphi.Alias)[];

interface Placed<Rule> {
    readonly rule: Rule;
    readonly around: Around;
}

type PlainRule = Murphi.SimpleRule | Murphi.StartState | Murphi.Property | Murphi.ChooseRule;

export class RuleWriter {
    private readonly checked: CheckedProgram;
    private readonly names: Names;
    private readonly start: 'values' | 'bodies';
    private readonly texts: string[] = [];
    /** Invariants that reads are of defined places, by what they say. */
    private readonly definedness = new Set<string>();

    /** `start`: whether start states are initial values of variables already. */
    constructor(checked: CheckedProgram, start: 'values' | 'bodies') {
        this.checked = checked;
        this.names = checked.names;
        this.start = start;
    }

    /** The texts of all parts in order. Rules beside each other are one process, if no ruleset is around them. */
    write(parts: readonly Murphi.Part[]): readonly string[] {
        let single: Placed<Murphi.SimpleRule>[] = [];
        const flush = (): void => {
            this.writeProcess(single);
            single = [];
        };
        for (const part of parts) {
            if (part.$type === 'SimpleRule') {
                single.push({ rule: part, around: [] });
                continue;
            }
            flush();
            if (part.$type === 'Procedure') {
                this.writeRoutine(part);
                continue;
            }
            const rules = [...plainRules(part, [])];
            this.writeProcess(rules.filter(isSimpleRule));
            for (const { rule, around } of rules) {
                if (rule.$type === 'StartState') {
                    this.add(rule, () => (this.start === 'values' ? '' : this.startState(rule, around)));
                } else if (rule.$type === 'ChooseRule') {
                    this.add(rule, () => '');
                } else if (rule.$type === 'Property') {
                    this.add(rule, () => this.property(rule, around));
                }
            }
        }
        flush();
        return this.texts;
    }

    /** False if it is left out. */
    private add(part: AstNode, write: () => string): boolean {
        const written = this.unlessRefused(part, write);
        if (joined(written) !== '') {
            this.texts.push(joined(written));
        }
        return written.text !== '';
    }

    /** What is left out is a comment without a text. */
    private unlessRefused(part: AstNode, write: () => string): Commented {
        const { source, problems } = this.checked.facts;
        const comments = source.commentsBefore(part);
        const count = problems.length;
        const text = this.checked.refused.has(part) ? '' : write();
        const isRefused =
            this.checked.refused.has(part) || problems.slice(count).some(({ severity }) => severity === 'error');
        const lines = isRefused ? ['Not carried over:', ...source.textOf(part).split('\n')] : source.commentsIn(part);
        return { comment: printComment([...comments, ...lines]), text: isRefused ? '' : text };
    }

    private writeProcess(all: readonly Placed<Murphi.SimpleRule>[]): void {
        const isRefused = ({ rule }: Placed<Murphi.SimpleRule>): boolean => this.checked.refused.has(rule);
        all.filter(isRefused).forEach(({ rule }) => this.add(rule, () => ''));
        const rules = all.filter(placed => !isRefused(placed));
        const [first] = rules;
        if (first === undefined) {
            return;
        }
        const shared = first.around.filter((part, index) => rules.every(({ around }) => around[index] === part));
        const surroundings = this.surroundings();
        const expressions = new ExpressionWriter(this.checked.facts, surroundings);
        const indices = shared.filter(isQuantifier);
        const binders = indices.map(quantifier => expressions.binder(quantifier));
        const name = this.names.declare(this.processName(indices, rules));
        const alternatives = rules.map(({ rule, around }) =>
            this.alternative(rule, around, shared.length, surroundings),
        );
        const [only] = alternatives;
        const isPlain = alternatives.length === 1 && only?.binders === '';
        const choice = isPlain
            ? only.step
            : `choose ${alternatives.map(({ binders, step }) => `${binders}${block(step)}`).join(' or ')}`;
        this.texts.push(`process ${name}${printIndices(binders)} ${block(`loop ${block(choice)}`)}`);
        rules.forEach(({ rule, around }, index) => {
            const wished = rule.title === undefined ? `${name}${index + 1}` : capitalized(toName(rule.title));
            this.defined(rule.guard === undefined ? [] : [rule.guard], around, wished);
        });
    }

    private processName(indices: readonly Murphi.Quantifier[], rules: readonly Placed<Murphi.SimpleRule>[]): string {
        const titles = rules.flatMap(({ rule }) => (rule.title === undefined ? [] : [capitalized(toName(rule.title))]));
        const [title] = titles;
        if (rules.length === 1 && title !== undefined && title !== '') {
            return title;
        }
        const types = indices.map(({ type, name }) =>
            capitalized(
                type?.$type === 'RangeType' && type.high === undefined ? this.checked.facts.source.textOf(type) : name,
            ),
        );
        return `${types.join('')}Rules`;
    }

    private alternative(
        rule: Murphi.SimpleRule,
        around: Around,
        sharedCount: number,
        outer: Surroundings,
    ): { readonly binders: string; readonly step: string } {
        const { facts } = this.checked;
        const surroundings: Surroundings = {
            names: outer.names.inner(),
            bindings: new Map(outer.bindings),
            results: new Map(),
        };
        const label = rule.title === undefined ? '' : outer.names.declare(toName(rule.title) || 'rule');
        let binders = '';
        const step = this.unlessRefused(rule, () => {
            const expressions = new ExpressionWriter(facts, surroundings);
            const own = around.slice(sharedCount).filter(isQuantifier);
            binders = printBinders(own.map(quantifier => expressions.binder(quantifier)));
            const guard = rule.guard === undefined ? TRUE : expressions.condition(rule.guard, NOTHING_KNOWN);
            const known = rule.guard && expressions.knownIf(rule.guard, true, NOTHING_KNOWN);
            const body = this.body(rule, around, surroundings, known);
            const when = guard === TRUE ? '' : `when ${printExpression(guard)} `;
            return `${label === '' ? '' : `${label}: `}${when}${body.length === 0 ? 'skip' : printBlock(body)}`;
        });
        return { binders, step: step.text === '' ? `${step.comment}\nwhen false` : joined(step) };
    }

    private body(
        rule: Murphi.SimpleRule | Murphi.StartState,
        around: Around,
        surroundings: Surroundings,
        known: Known = NOTHING_KNOWN,
    ): readonly Orbit.Statement[] {
        const { facts } = this.checked;
        const locals = localsOf(rule.declarations).flatMap(local => facts.variablesOf(local));
        const aliases = aliasesOf(around, rule.statements, this.checked);
        return new StatementWriter(facts, surroundings, known).body(locals, rule.statements, aliases);
    }

    /** An invariant for what must not be undefined where a condition is tested. */
    private defined(conditions: readonly Murphi.Expression[], around: Around, wished: string): void {
        for (const condition of conditions) {
            const text = printExpression(
                this.quantified(around, surroundings =>
                    new ExpressionWriter(this.checked.facts, surroundings).definedness(condition, NOTHING_KNOWN),
                ),
            );
            if (!text.endsWith('true') && !this.definedness.has(text)) {
                this.definedness.add(text);
                this.texts.push(`invariant ${this.names.declare(`defined${wished}`)} = ${text}`);
            }
        }
    }

    private quantified(around: Around, write: (surroundings: Surroundings) => Expression): Expression {
        const surroundings = this.surroundings();
        const expressions = new ExpressionWriter(this.checked.facts, surroundings);
        const binders = around.filter(isQuantifier).map(quantifier => expressions.binder(quantifier));
        const body = write(surroundings);
        return body === TRUE
            ? TRUE
            : binders.reduceRight<Expression>(
                  (inside, binder) => ({ kind: 'quantifier', word: 'forall', binder, body: inside }),
                  body,
              );
    }

    private property({ kind: word, title, condition }: Murphi.Property, around: Around): string {
        const kind = word.toLowerCase();
        const wished = title === undefined ? '' : toName(title);
        const name = this.names.declare(wished === '' ? `${kind}${this.texts.length + 1}` : wished);
        const text = this.quantified(around, surroundings => {
            const expressions = new ExpressionWriter(this.checked.facts, surroundings);
            const written = expressions.condition(condition, NOTHING_KNOWN);
            switch (kind) {
                case 'liveness':
                    return Orbit.atom(`always possible (${printExpression(written)})`);
                case 'assume':
                    // Where it reads what is undefined it leaves nothing out, so that this is told.
                    return Orbit.implication(expressions.definedness(condition, NOTHING_KNOWN), written);
                default:
                    return written;
            }
        });
        this.defined([condition], around, capitalized(name));
        if (kind === 'assume') {
            return `${title === undefined ? '' : `// ${title}\n`}constraint ${printExpression(text)}`;
        }
        return `${kind === 'liveness' ? 'property' : 'invariant'} ${name} = ${printExpression(text)}`;
    }

    private startState(rule: Murphi.StartState, around: Around): string {
        const { facts } = this.checked;
        const surroundings = this.surroundings();
        const expressions = new ExpressionWriter(facts, surroundings);
        const binders = around.filter(isQuantifier).map(quantifier => expressions.binder(quantifier));
        const wished = rule.title === undefined ? '' : toName(rule.title);
        const name = this.names.declare(wished === '' ? 'start' : wished);
        const body = this.body(rule, around, surroundings);
        return `init ${name}${printIndices(binders)} ${printBlock(body)}`;
    }

    /** A procedure, or a function that writes nothing; others are written where they are called. */
    private writeRoutine(node: Murphi.Procedure): void {
        const routine = this.checked.routines.find(routine => routine.node === node);
        if (routine !== undefined && (isProcedure(routine) || routine.writes.size === 0)) {
            if (!this.add(node, () => this.routine(routine))) {
                this.checked.facts.leaveOut(routine);
            }
        } else {
            this.checked.facts.source.commentsBefore(node);
        }
    }

    private routine({ name, node, parameters, locals, result, returned }: Routine): string {
        const surroundings = this.surroundings();
        const written = parameters.map(parameter => {
            const parameterName = surroundings.names.declare(parameter.written);
            surroundings.bindings.set(parameter, Orbit.atom(parameterName));
            const isPlace = result === undefined && parameter.role === 'reference';
            return `${isPlace ? 'var ' : ''}${parameterName}: ${typeText(parameter.type, parameter.isOptional)}`;
        });
        const kind = result === undefined ? 'procedure' : 'function';
        const ending: Ending = result === undefined ? { kind: 'procedure' } : { kind: 'function', result };
        const statements = new StatementWriter(this.checked.facts, surroundings, NOTHING_KNOWN, ending);
        const body = [...statements.body(locals, node.statements)];
        const head = `${kind} ${name}(${written.join(', ')})`;
        if (result === undefined) {
            return `${head} ${printBlock(body)}`;
        }
        if (!alwaysReturns(node.statements)) {
            body.push({ kind: 'assert', condition: FALSE, text: `${name} returns nothing` });
            body.push({ kind: 'return', value: filling(result, firstValue) });
        }
        const [only] = body;
        const value =
            body.length === 1 && only?.kind === 'return' ? `= ${printExpression(only.value)}` : printBlock(body);
        return `${head}: ${typeText(result, returned?.isOptional === true)} ${value}`;
    }

    private surroundings(): Surroundings {
        return { names: this.names.inner(), bindings: new Map(), results: new Map() };
    }
}

export function plainRulesOf(program: Murphi.Program): readonly Placed<PlainRule>[] {
    return program.parts.flatMap(part => (part.$type === 'Procedure' ? [] : [...plainRules(part, [])]));
}

function* plainRules(rule: Murphi.Rule, around: Around): Generator<Placed<PlainRule>> {
    switch (rule.$type) {
        case 'RuleSet':
            for (const part of rule.rules) {
                yield* plainRules(part, [...around, ...rule.quantifiers]);
            }
            break;
        case 'AliasRule':
            for (const part of rule.rules) {
                yield* plainRules(part, [...around, ...rule.aliases]);
            }
            break;
        default:
            yield { rule, around };
    }
}

function isSimpleRule(placed: Placed<PlainRule>): placed is Placed<Murphi.SimpleRule> {
    return placed.rule.$type === 'SimpleRule';
}

function isQuantifier(part: Murphi.Quantifier | Murphi.Alias): part is Murphi.Quantifier {
    return part.$type !== 'Alias';
}

function localsOf(declarations: readonly Murphi.Declaration[]): readonly Murphi.VariableDeclaration[] {
    return declarations.flatMap(section => (section.$type === 'VariableSection' ? section.variables : []));
}

/** The aliases around a rule that its statements use, also by way of others. */
function aliasesOf(
    around: Around,
    statements: readonly Murphi.Statement[],
    { facts }: CheckedProgram,
): readonly Murphi.Alias[] {
    const used = new Set<AliasSymbol>();
    const add = (node: AstNode): void => {
        for (const symbol of facts.symbolsIn(node)) {
            if (symbol.kind === 'alias' && !used.has(symbol)) {
                used.add(symbol);
                add(symbol.value);
            }
        }
    };
    statements.forEach(add);
    return around
        .filter(part => !isQuantifier(part))
        .filter(alias => facts.aliasesOf(alias).some(symbol => used.has(symbol)));
}

interface Commented {
    readonly comment: string;
    readonly text: string;
}

function joined({ comment, text }: Commented): string {
    return [comment, text].filter(part => part !== '').join('\n');
}

/** With a space behind, if there are any. */
function printBinders(binders: readonly Binder[]): string {
    if (binders.length === 0) {
        return '';
    }
    const conditions = binders.flatMap(({ where }) => (where === undefined ? [] : [where]));
    const names = binders.map(({ name, type }) => `${name} in ${type}`).join(', ');
    return conditions.length === 0 ? `${names} ` : `${names} where ${printExpression(Orbit.conjunction(conditions))} `;
}

function printIndices(binders: readonly Binder[]): string {
    const conditions = binders.flatMap(({ where }) => (where === undefined ? [] : [where]));
    const names = binders.map(({ name, type }) => `${name}: ${type}`).join(', ');
    const where = conditions.length === 0 ? '' : ` where ${printExpression(Orbit.conjunction(conditions))}`;
    return binders.length === 0 ? '' : `[${names}${where}]`;
}
