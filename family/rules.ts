/**
 * One walk over the linked text of a model without errors: each declaration, statement and step has a rule that says what
 * it does with values, as facts. Which of them hold together, and what follows, is not asked here. [docs/every-size.md]
 *
 * What no rule is about is a fact, too (`unknown`): then nothing moves. O(size of the text), whatever the parameters are.
 */
import type { Node } from '../language/tree/node.js';
import { nodesOf } from '../language/tree/descendants.js';
import type * as ast from '../language/generated/nodes.js';
import { isConstructor } from '../language/references/constructors.js';
import { declarationsOf } from '../language/references/imports.js';
import { isPlace } from '../language/references/places.js';
import type { Fact, RingUse } from './facts.js';
import { FaultAnalysis, NO_FAULT } from './faults.js';
import { localsWithFirstValue } from './first-values.js';
import { isKnownSyntax } from './known-syntax.js';
import { Mirror } from './mirror.js';
import { ExpressionRules } from './rules-of-expressions.js';
import { fieldsBuiltBy, scalarsOf, type Structure } from './structure.js';

export interface RuleOptions {
    /** Properties whose text counts too. */
    readonly kept?: readonly (ast.Invariant | ast.Property | ast.Assumption)[];
    /** Without the initial values: what the steps do. */
    readonly isWithoutStart?: boolean;
}

/** What the rules say of a text. */
export interface RuledText {
    readonly model: ast.Model;
    /** With those that are imported. */
    readonly declarations: readonly ast.Declaration[];
    readonly facts: readonly Fact[];
    /** Places are numbered from 0 on. */
    readonly placeCount: number;
    /** The places of each declaration that the walk has met. */
    readonly places: ReadonlyMap<Node, Structure>;
    /** Whether the text stays the same if these steps around a ring go in the other direction. */
    readonly isMirrored: (rings: readonly RingUse[]) => boolean;
}

export function factsOf(model: ast.Model, options: RuleOptions = {}): RuledText {
    return new Rules(model, options).run();
}

class Rules {
    readonly #model: ast.Model;
    readonly #declarations: readonly ast.Declaration[];
    readonly #options: RuleOptions;
    readonly #expressions = new ExpressionRules();
    readonly #values = this.#expressions.values;
    readonly #walked: readonly ast.Declaration[];
    readonly #beginning: ReadonlySet<ast.Variable>;
    readonly #areChannelsValues: boolean;

    constructor(model: ast.Model, options: RuleOptions) {
        this.#model = model;
        this.#declarations = declarationsOf(model);
        this.#beginning = localsWithFirstValue(this.#declarations);
        this.#areChannelsValues = this.#declarations.flatMap(nodesOf).some(({ $type }) => $type === 'ChannelType');
        this.#options = options;
        const kept: readonly ast.Declaration[] = options.kept ?? [];
        this.#walked = this.#declarations.filter(each => !isAboutTheModel(each) || kept.includes(each));
    }

    run(): RuledText {
        const { facts, declared, bounds, ordered, seen } = this.#expressions;
        for (const node of this.#declarations.flatMap(nodesOf)) {
            if (!isKnownSyntax(node)) {
                this.#values.notUnderstood(node);
            }
        }
        this.#walked.forEach(declaration => {
            this.#declaration(declaration);
        });
        for (const node of this.#walked.flatMap(nodesOf)) {
            if (!seen.has(node) && !isPartOfType(node)) {
                this.#values.notUnderstood(node);
            }
        }
        // Values whose order decides which fault is seen stay where they are.
        const faults = new FaultAnalysis(bounds);
        for (const { node, places } of ordered) {
            if (faults.dependingOnOrder(node) !== NO_FAULT) {
                places.forEach(place => {
                    facts.pin(place, node, 'fault');
                });
            }
        }
        const mirror = new Mirror(this.#walked, bounds, faults);
        return {
            model: this.#model,
            declarations: this.#declarations,
            facts: facts.all,
            placeCount: facts.placeCount,
            places: declared.all,
            isMirrored: rings => mirror.isMirrored(rings),
        };
    }

    /** Channels whose type stands in the text are values: their messages are one kind of values. */
    #uniteChannels(channel: ast.ChannelDeclaration): void {
        const structure = this.#expressions.declared.of(channel);
        const element = structure.kind === 'array' ? structure.element : structure;
        if (this.#areChannelsValues && element.kind === 'channel') {
            const messages = this.#expressions.structures.messageOf(channel.message.element);
            this.#values.unite(element.message(), messages, channel);
        }
    }

    #declaration(declaration: ast.Declaration): void {
        const { seen } = this.#expressions;
        seen.add(declaration);
        switch (declaration.$type) {
            case 'Import':
            case 'TypeDeclaration':
            case 'DeadlockAllowance':
            case 'DeadlockFreedom':
            case 'SymmetryAssertion':
                return;
            case 'Enumeration':
                declaration.values.flatMap(value => [value, ...value.fields]).forEach(node => seen.add(node));
                return;
            case 'RecordDeclaration':
                // The condition belongs to each place of the record.
                declaration.fields.forEach(field => seen.add(field));
                (declaration.where === undefined ? [] : nodesOf(declaration.where)).forEach(node => seen.add(node));
                return;
            case 'Parameter':
                this.#expressions.declared.of(declaration);
                // The value of the text is one of many.
                (declaration.value === undefined ? [] : nodesOf(declaration.value)).forEach(node => seen.add(node));
                return;
            case 'Constant':
                this.#constant(declaration);
                return;
            case 'Variable':
                this.#variable(declaration);
                return;
            case 'InitialBody':
                if (this.#options.isWithoutStart !== true) {
                    this.#values.notUnderstood(declaration);
                }
                nodesOf(declaration).forEach(node => seen.add(node));
                return;
            case 'InitialCondition':
                if (this.#options.isWithoutStart !== true) {
                    this.#expressions.condition(declaration.expression);
                } else {
                    nodesOf(declaration).forEach(node => seen.add(node));
                }
                return;
            case 'ChannelDeclaration':
                this.#expressions.declared.of(declaration);
                nodesOf(declaration.capacity).forEach(node => seen.add(node));
                this.#uniteChannels(declaration);
                return;
            case 'EventDeclaration':
                this.#expressions.declared.of(declaration);
                return;
            case 'FunctionDeclaration':
                this.#function(declaration);
                return;
            case 'Procedure':
                this.#parameters(declaration.parameters);
                this.#body(declaration.body, undefined);
                return;
            case 'Process':
                this.#process(declaration);
                return;
            case 'Constraint':
            case 'Invariant':
            case 'Property':
            case 'Assumption':
                this.#expressions.condition(declaration.expression);
                return;
            default:
                this.#values.notUnderstood(declaration);
        }
    }

    /** A constant is its expression wherever it stands; here it is only looked at. */
    #constant({ value }: ast.Constant): void {
        this.#values.plain(this.#expressions.evaluate(value), value);
    }

    #variable(variable: ast.Variable): void {
        const { initializer, choices, any } = variable;
        const structure = this.#expressions.declared.of(variable);
        const isStart = isSetAtStart(variable);
        if (isStart && this.#options.isWithoutStart === true) {
            nodesOf(variable).forEach(node => this.#expressions.seen.add(node));
            return;
        }
        if (initializer !== undefined) {
            this.#values.flow(this.#expressions.evaluate(initializer), structure, initializer);
        } else if (choices !== undefined) {
            const element = structure.kind === 'array' ? structure.element : structure;
            this.#expressions.member({ kind: 'structure', structure: element }, choices, choices);
        } else if (any) {
            this.#expressions.structures.moved(structure.kind === 'array' ? structure.element : structure);
        } else if (variable.$container.$type !== 'Block' || this.#beginning.has(variable)) {
            this.#first(structure, variable);
        }
    }

    /** The first value of a type is a constant of the text. */
    #first(structure: Structure, variable: ast.Variable): void {
        switch (structure.kind) {
            case 'scalar':
                if (structure.first !== undefined) {
                    const { place, first } = structure;
                    const cut = { low: first, high: first, isType: false, isFirst: true, node: variable };
                    this.#expressions.facts.add({ kind: 'cut', place, cut });
                }
                return;
            case 'record':
                if (structure.isOneValue) {
                    this.#values.pin(structure, variable, 'first');
                }
                structure.fields.forEach(field => {
                    this.#first(field, variable);
                });
                return;
            case 'array':
                this.#first(structure.element, variable);
                return;
            case 'set':
                // The empty set is the same with all values moved.
                return;
            case 'channel':
                if (variable.type.element.$type !== 'RangeType' || !variable.type.element.optional) {
                    for (const channel of this.#declarations) {
                        if (channel.$type === 'ChannelDeclaration') {
                            this.#values.pin(this.#expressions.declared.of(channel), variable, 'firstChannel');
                        }
                    }
                }
                return;
            default:
                this.#values.notUnderstood(variable);
        }
    }

    #function(declared: ast.FunctionDeclaration): void {
        this.#parameters(declared.parameters);
        const result = this.#expressions.declared.of(declared);
        if (declared.value !== undefined) {
            this.#values.flow(this.#expressions.evaluate(declared.value), result, declared.value);
        }
        if (declared.body !== undefined) {
            this.#body(declared.body, result);
        }
    }

    #parameters(parameters: readonly ast.Named[]): void {
        parameters.forEach(parameter => {
            this.#expressions.seen.add(parameter);
            this.#expressions.declared.of(parameter);
        });
    }

    /** A place that is given is the parameter, in all calls. */
    #call(call: ast.ProcedureCall): void {
        this.#expressions.seen.add(call);
        const procedure = call.procedure.ref;
        if (procedure?.$type !== 'Procedure' || call.arguments.length !== procedure.parameters.length) {
            this.#values.notUnderstood(call);
            return;
        }
        procedure.parameters.forEach((parameter, position) => {
            const structure = this.#expressions.declared.of(parameter);
            const argument = call.arguments[position];
            if (parameter.isPlace) {
                this.#values.unite(structure, this.#expressions.target(argument), argument);
            } else {
                this.#values.flow(this.#expressions.evaluate(argument), structure, argument);
            }
        });
    }

    #process(process: ast.Process): void {
        this.#parameters([...process.indices, ...process.parameters]);
        if (process.where !== undefined) {
            this.#expressions.condition(process.where);
        }
        this.#block(process.body);
    }

    #block(block: ast.Block): void {
        this.#expressions.seen.add(block);
        block.items.forEach(item => {
            this.#item(item);
        });
    }

    #item(item: ast.Item): void {
        this.#expressions.seen.add(item);
        switch (item.$type) {
            case 'Labeled':
                this.#item(item.item);
                return;
            case 'Variable':
                this.#variable(item);
                return;
            case 'Constant':
            case 'Let':
                this.#values.plain(this.#expressions.evaluate(item.value), item.value);
                return;
            case 'Loop':
                this.#block(item.body);
                return;
            case 'While':
                this.#expressions.condition(item.condition);
                this.#block(item.body);
                return;
            case 'For':
                this.#ordered(item);
                this.#block(item.body);
                return;
            case 'IfControl':
                this.#expressions.condition(item.condition);
                this.#block(item.then);
                if (item.elseIf !== undefined) {
                    this.#item(item.elseIf);
                }
                if (item.otherwise !== undefined) {
                    this.#block(item.otherwise);
                }
                return;
            case 'Choose':
                item.alternatives.forEach(alternative => {
                    this.#alternative(alternative);
                });
                return;
            case 'Break':
            case 'Terminate':
                return;
            case 'Step':
                this.#step(item);
                return;
            default:
                this.#values.notUnderstood(item);
        }
    }

    #alternative(alternative: ast.Alternative): void {
        const { groups, where, body } = alternative;
        this.#expressions.seen.add(alternative);
        const structures = this.#expressions.binders(groups, where);
        if (groups.length > 0) {
            this.#expressions.ordered.push({ places: structures.flatMap(scalarsOf), node: alternative });
        }
        this.#block(body);
    }

    /** The rounds of a loop come one after the other. */
    #ordered({ groups }: ast.For | ast.ForStatement): void {
        this.#expressions.binders(groups, undefined).forEach(structure => {
            const [group] = groups;
            this.#values.pin(structure, group.type ?? group, 'loop');
            if (structure.kind === 'channel') {
                this.#values.notUnderstood(group);
            }
        });
    }

    #step(step: ast.Step): void {
        const { guard, place, message, pattern, body, assertion, spawn, call, value } = step;
        for (const condition of [guard, assertion]) {
            if (condition !== undefined) {
                this.#expressions.condition(condition);
            }
        }
        if (spawn !== undefined) {
            this.#expressions.evaluate(spawn);
        }
        if (call !== undefined) {
            this.#call(call);
        }
        if (place !== undefined && value !== undefined) {
            this.#assign(place, value);
        } else if (place !== undefined && (message !== undefined || pattern !== undefined)) {
            const channel = this.#expressions.evaluate(place);
            if (channel.kind !== 'structure' || channel.structure.kind !== 'channel') {
                this.#values.notUnderstood(place);
                return;
            }
            if (message !== undefined) {
                this.#values.flow(this.#expressions.evaluate(message), channel.structure.message(), message);
            }
            if (pattern !== undefined) {
                this.#pattern(pattern, channel.structure.message());
            }
        } else if (place !== undefined) {
            this.#event(place);
        }
        if (body !== undefined) {
            this.#body(body, undefined);
        }
    }

    #event(place: ast.Expression): void {
        const event = place.$type === 'Reference' ? place.target.ref : undefined;
        if (place.$type !== 'Reference' || event?.$type !== 'EventDeclaration') {
            this.#values.notUnderstood(place);
            return;
        }
        this.#expressions.seen.add(place);
        this.#expressions.indexed(this.#expressions.declared.of(event), place.indices, place);
    }

    /** A pattern that a message matches. */
    #pattern(pattern: ast.Pattern, message: Structure): void {
        this.#expressions.seen.add(pattern);
        switch (pattern.$type) {
            case 'WildcardPattern':
                return;
            case 'RecordPattern':
            case 'CasePattern': {
                const record = message.kind === 'record' ? message.record : undefined;
                const matched = pattern.$type === 'CasePattern' ? pattern.case.ref : record;
                this.#parts(message, matched, pattern, pattern.parts, (part, field) => {
                    this.#pattern(part, field);
                });
                return;
            }
            case 'ExpressionPattern':
                this.#matched(pattern.value, message, pattern.equal);
                return;
            default:
                this.#values.notUnderstood(pattern);
        }
    }

    /** As in lowering: a place is written, the parts of a record are matched, any other expression must be equal. */
    #matched(expression: ast.Expression, message: Structure, isEqual: boolean): void {
        const built = expression.$type === 'Call' ? expression.function.ref : undefined;
        if (!isEqual && expression.$type === 'Call' && isConstructor(built)) {
            this.#expressions.seen.add(expression);
            this.#parts(message, built, expression, expression.arguments, (part, field) => {
                this.#matched(part, field, false);
            });
        } else if (!isEqual && isPlace(expression)) {
            this.#values.unite(message, this.#expressions.target(expression), expression);
        } else {
            const value = this.#expressions.evaluate(expression);
            this.#values.compare({ kind: 'structure', structure: message }, value, expression);
        }
    }

    /** A message that is taken apart as a record, or as one of its cases. */
    #parts<Part extends Node>(
        message: Structure,
        built: Node | undefined,
        node: Node,
        parts: readonly Part[],
        rule: (part: Part, field: Structure) => void,
    ): void {
        const type = isConstructor(built) && built.$type === 'EnumerationValue' ? built.$container : built;
        const fields =
            message.kind === 'record' && isConstructor(built) && message.record === type
                ? fieldsBuiltBy(built, message)
                : [];
        if (message.kind !== 'record' || parts.length > fields.length) {
            this.#values.notUnderstood(node);
            return;
        }
        parts.forEach((part, position) => {
            this.#expressions.alone(message, fields, part);
            rule(part, fields[position]);
        });
    }

    #assign(place: ast.Expression, value: ast.Expression): void {
        this.#values.flow(this.#expressions.evaluate(value), this.#expressions.target(place), value);
    }

    /** `result` are the places of the value of a function. */
    #body(body: ast.Body, result: Structure | undefined): void {
        this.#expressions.seen.add(body);
        body.statements.forEach(statement => {
            this.#statement(statement, result);
        });
    }

    #statement(statement: ast.Statement, result: Structure | undefined): void {
        this.#expressions.seen.add(statement);
        switch (statement.$type) {
            case 'Assignment':
                this.#assign(statement.target, statement.value);
                return;
            case 'Spawn':
                this.#expressions.evaluate(statement);
                return;
            case 'ProcedureCall':
                this.#call(statement);
                return;
            case 'Variable':
                this.#variable(statement);
                return;
            case 'Let':
                this.#values.plain(this.#expressions.evaluate(statement.value), statement.value);
                return;
            case 'IfStatement':
                this.#expressions.condition(statement.condition);
                this.#body(statement.then, result);
                if (statement.elseIf !== undefined) {
                    this.#statement(statement.elseIf, result);
                }
                if (statement.otherwise !== undefined) {
                    this.#body(statement.otherwise, result);
                }
                return;
            case 'WhileStatement':
                this.#expressions.condition(statement.condition);
                this.#body(statement.body, result);
                return;
            case 'ForStatement':
                this.#ordered(statement);
                if (statement.where !== undefined) {
                    this.#expressions.condition(statement.where);
                }
                this.#body(statement.body, result);
                return;
            case 'Assertion':
                this.#expressions.condition(statement.condition);
                return;
            case 'Return':
                if (result === undefined) {
                    this.#values.notUnderstood(statement);
                } else {
                    this.#values.flow(this.#expressions.evaluate(statement.value), result, statement.value);
                }
                return;
            case 'Skip':
                return;
            default:
                this.#values.notUnderstood(statement);
        }
    }
}

const ABOUT_THE_MODEL: ReadonlySet<string> = new Set([
    'Invariant',
    'Property',
    'Assumption',
    'StatedRun',
    'Expectation',
]);

/** Whether a declaration is about the model and no part of its behavior. */
function isAboutTheModel({ $type }: ast.Declaration): boolean {
    return ABOUT_THE_MODEL.has($type);
}

/** Types are read where places are made from them. */
function isPartOfType(node: Node): boolean {
    for (let outer: Node | undefined = node; outer !== undefined; outer = outer.$container) {
        if (outer.$type === 'Type' || outer.$type === 'IndexType') {
            return true;
        }
    }
    return false;
}

/** Whether a variable has its first value in the initial states: a shared one, or one at the head of a process. */
function isSetAtStart(variable: ast.Variable): boolean {
    const { $container } = variable;
    if ($container.$type !== 'Block' || $container.$container.$type !== 'Process') {
        return $container.$type === 'Model';
    }
    const before = $container.items.slice(0, $container.items.indexOf(variable));
    return !$container.$container.isTemplate && before.every(({ $type }) => HEAD.has($type));
}

/** What may stand at the head of a process, before its control. */
const HEAD: ReadonlySet<ast.Item['$type']> = new Set(['Variable', 'Constant', 'Let']);
