/** Rules as processes with one place of control, start states as computed initial states, properties, and routines. */
import type { AstNode } from 'langium';
import { partsAround } from './facts.js';
import type * as Murphi from './generated/ast.js';
import { filling, firstValue } from './initial-values.js';
import { NOTHING_KNOWN, type Known } from './known.js';
import type { LinkedProgram } from './link.js';
import { capitalized, toName, type Names } from './names.js';
import * as Orbit from './orbit-text.js';
import { atom, block, comment, FALSE, lines, TRUE, type Expression } from './orbit-text.js';
import { alwaysReturns } from './returns.js';
import { typeText, type Routine, type Symbol } from './symbols.js';
import { ExpressionWriter, surroundingsOf, type Surroundings } from './write-expression.js';
import { StatementWriter, type Ending } from './write-statements.js';

/** What stands around a rule, from outside. */
type Around = readonly (Murphi.Quantifier | Murphi.Alias | Murphi.ChooseRule)[];

interface Placed<Rule> {
    readonly rule: Rule;
    readonly around: Around;
}

type PlainRule = Murphi.SimpleRule | Murphi.StartState | Murphi.Property;

export class RuleWriter {
    private readonly linked: LinkedProgram;
    private readonly names: Names;
    private readonly start: 'values' | 'bodies';
    private readonly texts: string[] = [];
    /** Invariants that reads are of defined places, by what they say. */
    private readonly definedness = new Set<string>();

    /** `start`: whether start states are initial values of variables already. */
    constructor(linked: LinkedProgram, start: 'values' | 'bodies') {
        this.linked = linked;
        this.names = linked.names;
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
        const { comments, text } = this.unlessRefused(part, write);
        this.texts.push(...[joined(comments, text)].filter(written => written !== ''));
        return text !== '';
    }

    /** What is left out is a comment without a text. */
    private unlessRefused(part: AstNode, write: () => string): { readonly comments: string; readonly text: string } {
        const { facts, refused } = this.linked;
        const { source, problems } = facts;
        const comments = source.commentsBefore(part);
        const count = problems.length;
        const text = refused.has(part) ? '' : write();
        const isRefused = refused.has(part) || problems.slice(count).some(({ severity }) => severity === 'error');
        const rest = isRefused ? ['Not carried over:', ...source.textOf(part).split('\n')] : source.commentsIn(part);
        const place = text === '' ? '' : source.mark(part);
        return { comments: comment([...comments, ...rest]), text: isRefused ? '' : `${place}${text}` };
    }

    private writeProcess(all: readonly Placed<Murphi.SimpleRule>[]): void {
        const isRefused = ({ rule }: Placed<Murphi.SimpleRule>): boolean => this.linked.refused.has(rule);
        all.filter(isRefused).forEach(({ rule }) => this.add(rule, () => ''));
        const rules = all.filter(placed => !isRefused(placed));
        const [first] = rules;
        if (first === undefined) {
            return;
        }
        const common = first.around.filter((part, index) => rules.every(({ around }) => around[index] === part));
        const firstChoice = common.findIndex(({ $type }) => $type === 'ChooseRule');
        const shared = firstChoice === -1 ? common : common.slice(0, firstChoice);
        const surroundings = surroundingsOf(this.names.inner());
        const indices = shared.filter(part => part.$type === 'Quantifier');
        const binders = this.binders(shared, surroundings);
        const name = this.names.declare(this.processName(indices, rules));
        const alternatives = rules.map(({ rule, around }) =>
            this.alternative(rule, around, shared.length, surroundings),
        );
        const [only] = alternatives;
        const isPlain = alternatives.length === 1 && only?.binders === '';
        const choice = isPlain
            ? only.step
            : `choose ${alternatives.map(({ binders: own, step }) => `${own}${lines(step)}`).join(' or ')}`;
        this.texts.push(`process ${name}${printIndices(binders)} ${lines(`loop ${lines(choice)}`)}`);
        rules.forEach(({ rule, around }, index) => {
            const wished = rule.title === undefined ? `${name}${index + 1}` : capitalized(toName(rule.title));
            this.defined(rule.guard, around, wished);
        });
    }

    private processName(indices: readonly Murphi.Quantifier[], rules: readonly Placed<Murphi.SimpleRule>[]): string {
        const [title] = rules.flatMap(({ rule }) =>
            rule.title === undefined ? [] : [capitalized(toName(rule.title))],
        );
        if (rules.length === 1 && title !== undefined && title !== '') {
            return title;
        }
        const types = indices.map(({ type, name }) => {
            const isName = type?.$type === 'RangeType' && type.high === undefined;
            return capitalized(isName ? this.linked.facts.source.textOf(type) : name);
        });
        return `${types.join('')}Rules`;
    }

    private alternative(
        rule: Murphi.SimpleRule,
        around: Around,
        sharedCount: number,
        outer: Surroundings,
    ): { readonly binders: string; readonly step: string } {
        const inner = { ...surroundingsOf(outer.names.inner()), bindings: new Map(outer.bindings) };
        const label = rule.title === undefined ? '' : `${outer.names.declare(toName(rule.title) || 'rule')}: `;
        let binders = '';
        const { comments, text } = this.unlessRefused(rule, () => {
            const own = this.binders(around.slice(sharedCount), inner);
            binders = own.length === 0 ? '' : `${Orbit.binders(own)} `;
            const expressions = new ExpressionWriter(this.linked.facts, inner);
            const guard = rule.guard === undefined ? TRUE : expressions.condition(rule.guard, NOTHING_KNOWN);
            const known = rule.guard && expressions.knownIf(rule.guard, true, NOTHING_KNOWN);
            const body = this.body(rule, around, inner, known);
            return `${label}${guard === TRUE ? '' : `when ${guard.text} `}${body.length === 0 ? 'skip' : block(body)}`;
        });
        return { binders, step: joined(comments, text === '' ? 'when false' : text) };
    }

    private binders(around: Around, surroundings: Surroundings): readonly Orbit.Binder[] {
        const expressions = new ExpressionWriter(this.linked.facts, surroundings);
        return around.flatMap(part => (part.$type === 'Alias' ? [] : expressions.binder(part)));
    }

    private body(
        rule: Murphi.SimpleRule | Murphi.StartState,
        around: Around,
        surroundings: Surroundings,
        known: Known = NOTHING_KNOWN,
    ): readonly Orbit.Statement[] {
        const { facts } = this.linked;
        const locals = rule.declarations.flatMap(section =>
            section.$type === 'VariableSection' ? section.variables.flatMap(node => facts.variablesOf(node)) : [],
        );
        const used = this.usedAliases(rule.statements);
        const aliases = around.filter(
            part => part.$type === 'Alias' && facts.symbolsOf(part).some(symbol => used.has(symbol)),
        );
        return new StatementWriter(facts, surroundings, known).body(
            locals,
            rule.statements,
            aliases.filter(part => part.$type === 'Alias'),
        );
    }

    /** The aliases that statements use, also by way of others. */
    private usedAliases(statements: readonly Murphi.Statement[]): ReadonlySet<Symbol> {
        const used = new Set<Symbol>();
        const add = (node: AstNode): void => {
            for (const symbol of this.linked.facts.symbolsIn(node)) {
                if (symbol.kind === 'alias' && !used.has(symbol)) {
                    used.add(symbol);
                    add(symbol.value);
                }
            }
        };
        statements.forEach(add);
        return used;
    }

    /** An invariant for what must not be undefined where a condition is tested. */
    private defined(condition: Murphi.Expression | undefined, around: Around, wished: string): void {
        const all =
            condition && this.quantified(around, expressions => expressions.definedness(condition, NOTHING_KNOWN));
        if (all !== undefined && all !== TRUE && !this.definedness.has(all.text)) {
            this.definedness.add(all.text);
            const place = this.linked.facts.source.mark(condition ?? {});
            this.texts.push(`${place}invariant ${this.names.declare(`defined${wished}`)} = ${all.text}`);
        }
    }

    /** For all values of the rulesets around. */
    private quantified(around: Around, write: (expressions: ExpressionWriter) => Expression): Expression {
        const surroundings = surroundingsOf(this.names.inner());
        const binders = this.binders(around, surroundings);
        const body = write(new ExpressionWriter(this.linked.facts, surroundings));
        return body === TRUE
            ? TRUE
            : binders.reduceRight((inside, binder) => Orbit.quantified('forall', binder, inside), body);
    }

    private property({ kind: word, title, condition }: Murphi.Property, around: Around): string {
        const kind = word.toLowerCase();
        const wished = title === undefined ? '' : toName(title);
        const name = this.names.declare(wished === '' ? `${kind}${this.texts.length + 1}` : wished);
        const { text } = this.quantified(around, expressions => {
            const written = expressions.condition(condition, NOTHING_KNOWN);
            switch (kind) {
                case 'liveness':
                    return atom(`always possible (${written.text})`);
                case 'assume':
                    // Where it reads what is undefined it leaves nothing out, so that this is told.
                    return Orbit.implication(expressions.definedness(condition, NOTHING_KNOWN), written);
                default:
                    return written;
            }
        });
        this.defined(condition, around, capitalized(name));
        if (kind === 'assume') {
            return `${title === undefined ? '' : `// ${title}\n`}constraint ${text}`;
        }
        return `${kind === 'liveness' ? 'property' : 'invariant'} ${name} = ${text}`;
    }

    private startState(rule: Murphi.StartState, around: Around): string {
        const surroundings = surroundingsOf(this.names.inner());
        const binders = this.binders(around, surroundings);
        const wished = rule.title === undefined ? '' : toName(rule.title);
        const name = this.names.declare(wished === '' ? 'start' : wished);
        return `init ${name}${printIndices(binders)} ${block(this.body(rule, around, surroundings))}`;
    }

    private writeRoutine(node: Murphi.Procedure): void {
        const routine = this.linked.routines.find(other => other.node === node);
        if (routine !== undefined && !this.add(node, () => this.routine(routine))) {
            routine.fault ??= 'is not carried over';
        }
    }

    private routine(routine: Routine): string {
        const { name, node, parameters, locals, result, returned, form } = routine;
        const surroundings = surroundingsOf(this.names.inner());
        const written = parameters.map(parameter => {
            const own = surroundings.names.declare(parameter.written);
            surroundings.bindings.set(parameter, atom(own));
            const word = form === 'procedure' && parameter.role === 'reference' ? 'var ' : '';
            return `${word}${own}: ${typeText(parameter.type, parameter.isOptional)}`;
        });
        const type = result === undefined ? '' : typeText(result, returned?.isOptional === true);
        if (form === 'procedure' || result === undefined) {
            const place = result === undefined ? undefined : surroundings.names.declare('result');
            const ending: Ending = place === undefined ? { kind: 'procedure' } : { kind: 'procedure', result: place };
            const body = new StatementWriter(this.linked.facts, surroundings, NOTHING_KNOWN, ending);
            const all = place === undefined ? written : [...written, `var ${place}: ${type}`];
            return `procedure ${name}(${all.join(', ')}) ${block(body.body(locals, node.statements))}`;
        }
        const ending: Ending = { kind: 'function', result };
        const writer = new StatementWriter(this.linked.facts, surroundings, NOTHING_KNOWN, ending);
        const body = writer.body(locals, node.statements);
        if (!alwaysReturns(node.statements)) {
            body.push(Orbit.assertion(FALSE, `${name} returns nothing`));
            body.push(Orbit.statement(`return ${filling(result, firstValue).text}`));
        }
        const [only] = body;
        const value = body.length === 1 && only?.kind === 'open' ? only.text.split('return ')[1] : undefined;
        return `function ${name}(${written.join(', ')}): ${type} ${value === undefined ? block(body) : `= ${value}`}`;
    }
}

export function plainRulesOf(program: Murphi.Program): readonly Placed<PlainRule>[] {
    return program.parts.flatMap(part => (part.$type === 'Procedure' ? [] : [...plainRules(part, [])]));
}

function* plainRules(rule: Murphi.Rule, around: Around): Generator<Placed<PlainRule>> {
    if (rule.$type === 'SimpleRule' || rule.$type === 'StartState' || rule.$type === 'Property') {
        yield { rule, around };
        return;
    }
    const inner = [...around, ...partsAround(rule)];
    for (const part of rule.rules) {
        yield* plainRules(part, inner);
    }
}

function isSimpleRule(placed: Placed<PlainRule>): placed is Placed<Murphi.SimpleRule> {
    return placed.rule.$type === 'SimpleRule';
}

function joined(comments: string, text: string): string {
    return [comments, text].filter(part => part !== '').join('\n');
}

function printIndices(binders: readonly Orbit.Binder[]): string {
    return binders.length === 0 ? '' : `[${Orbit.binders(binders, ': ')}]`;
}
