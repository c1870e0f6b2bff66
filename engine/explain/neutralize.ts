/**
 * Places of a model that may break a symmetry, and the model without them. There a test always holds, a branch is a
 * free choice, an assignment or a communication does not happen, a value is any that fits, a variable starts anywhere,
 * a name takes all values of its type, a `for` has no order. Finding and neutralizing are one walk over all sites.
 */
import type { TextOfRange } from '../common/source-text.js';
import { unreachable } from '../common/assert.js';
import type { SourceRange } from '../common/source-range.js';
import type { Domain } from '../model/domain.js';
import type { Expression } from '../model/expression.js';
import { mapCommunication, mapStatements } from '../model/map-expression.js';
import type { Communication, Control, Model, Process, Statement, Step, Variable } from '../model/model.js';
import { formatChannel } from '../model/print.js';
import { replaceParts } from '../model/replace-parts.js';
import { identityOf } from '../symmetry/declared-action.js';
import { withoutOrder } from './comparisons.js';
import { always } from './conditions.js';
import { freePartsOfStep, FreeSteps } from './free-values.js';
import { choiceBetween, neutralBranch, neutralTest, neutralTestBetweenSteps } from './neutral-conditions.js';
import { neutralChannel, neutralType, neutralVariable, withDomain } from './neutral-declarations.js';
import {
    forEachExpression,
    hasArithmetic,
    inTextOrder,
    isInside,
    isTable,
    keyOfPlace,
    mentionsOrder,
    NO_TEXT,
    ownerOfProcess,
    ownerOfStep,
    type ModelPlace,
} from './places.js';
import { formatAssignments, withoutDifferences } from './process-differences.js';
import { OUTSIDE, quoting, Sites, type SiteScope, type Site } from './sites.js';
import { ValueFlow } from './value-flow.js';

/** All places of the model in the order of the text. Several sites may share a place: the fields of one record. */
export function placesOf(model: Model, textOf: TextOfRange = NO_TEXT): ModelPlace[] {
    const places = new Map<string, ModelPlace & { readonly owners: Set<string>; readonly types: Set<string> }>();
    const flow = new ValueFlow(model);
    const note = (site: Site): boolean => {
        const { range, kind, aspect, owner, quote, expressions, ordered, subject, family } = site;
        const key = keyOfPlace({ kind, range });
        const known = places.get(key);
        const isOrdered =
            ordered?.flatMap(typesIn).some(type => type.kind !== 'enumeration') ??
            (isTable(expressions) || expressions.some(mentionsOrder));
        const types = typesToldApart(site, flow);
        if (known === undefined) {
            places.set(key, {
                key,
                range,
                kind,
                text: quote(textOf),
                ...(aspect && { aspect }),
                mentionsOrder: isOrdered,
                isComputed: expressions.some(hasArithmetic),
                owners: new Set([owner]),
                types: new Set(types),
                reaches: subject?.kind === 'expression' ? reachedFrom(subject.expression, model) : [],
                ...(subject && { subject }),
                ...(family && { family }),
            });
        } else {
            known.owners.add(owner);
            types.forEach(type => known.types.add(type));
            places.set(key, { ...known, mentionsOrder: known.mentionsOrder || isOrdered });
        }
        return false;
    };
    new Neutralization(model, note).run();
    return inTextOrder([...places.values()]);
}

/** The functions that a condition calls, and the expressions behind its names, where they stand. */
function reachedFrom(condition: Expression, model: Model): SourceRange[] {
    const reached = new Set<SourceRange>();
    const look = (part: Expression): void => {
        if (part.kind === 'call') {
            const { range, body } = model.functions[part.function];
            if (!reached.has(range)) {
                reached.add(range);
                forEachExpression(body, look);
            }
        }
    };
    forEachExpression(condition, part => {
        look(part);
        // Only expressions have a kind and a range.
        const { kind, range } = part as Partial<Expression>;
        if (kind !== undefined && kind !== 'constant' && range !== undefined && !isInside(condition.range, range)) {
            reached.add(range);
        }
    });
    return [...reached];
}

/** The identities of the types whose values a site may tell apart. */
function typesToldApart({ expressions, ordered, about }: Site, flow: ValueFlow): string[] {
    const isUneven = isTable(expressions) && about !== undefined && 'indices' in about;
    return [
        ...flow.typesToldApart(expressions),
        ...(ordered?.flatMap(typesIn).map(identityOf) ?? []),
        ...(ordered !== undefined && about !== undefined ? flow.typesOf(about) : []),
        ...(isUneven ? about.indices.flatMap(typesIn).map(identityOf) : []),
    ];
}

/** The type, or the base of an optional type, and the types of its fields. */
function typesIn(domain: Domain): Domain[] {
    switch (domain.kind) {
        case 'optional':
            return typesIn(domain.base);
        case 'record':
            return [domain, ...domain.fields.flatMap(field => typesIn(field.domain))];
        default:
            return [domain];
    }
}

/** The model with the places of these keys neutralized; undefined if that would take too many steps. */
export function neutralize(model: Model, keys: ReadonlySet<string>): Model | undefined {
    const alike = withoutOrder(withoutDifferences(model, keys), keys);
    return new Neutralization(alike, site => keys.has(keyOfPlace(site))).run();
}

type Loop = Extract<Control, { kind: 'for' }>;

class Neutralization {
    private readonly model: Model;
    private readonly sites: Sites;
    private readonly steps: FreeSteps;
    /** Of the current process: the names of loops without order. */
    private loopLocals: Variable[] = [];
    private isImpossible = false;

    constructor(model: Model, decide: (site: Site) => boolean) {
        this.model = model;
        this.sites = new Sites(model, decide);
        this.steps = new FreeSteps(model);
    }

    run(): Model | undefined {
        const { model, sites } = this;
        const types = model.types.flatMap(type => neutralType(type, sites));
        const neutral: Model = {
            ...model,
            variables: model.variables.map(variable => neutralVariable(variable, OUTSIDE, sites)),
            channels: model.channels.map(channel => neutralChannel(channel, sites)),
            initialConditions: model.initialConditions.flatMap(
                test => neutralTestBetweenSteps(test, OUTSIDE, sites) ?? [],
            ),
            constraints: model.constraints.flatMap(
                constraint => neutralTestBetweenSteps(constraint, OUTSIDE, sites) ?? [],
            ),
            processes: model.processes.map((process, index) => this.process(process, index)),
        };
        // By now the steps have added copies of functions.
        const whole = { ...neutral, functions: this.steps.functions };
        return this.isImpossible
            ? undefined
            : types.reduce<Model | undefined>((before, domain) => before && withDomain(before, domain), whole);
    }

    private process(process: Process, index: number): Process {
        const scope: SiteScope = { process, owner: ownerOfProcess(index) };
        const { where: filter, ...rest } = process;
        const where = filter && neutralTestBetweenSteps(filter, scope, this.sites, 'instances');
        const locals = process.locals.map((local, number) => {
            const isParameter = number < (process.template?.parameters ?? 0);
            const variable = isParameter ? local : neutralVariable(local, scope, this.sites);
            const element = this.sites.typeOfLocal(local, scope.owner);
            return element === local.element ? variable : { ...variable, element };
        });
        this.loopLocals = [];
        const body = this.controls(process.body, process, index);
        const indices = process.indices.map(binder => this.sites.familyIndex(binder, scope.owner));
        return { ...rest, indices, ...(where && { where }), locals: [...locals, ...this.loopLocals], body };
    }

    private controls(body: readonly Control[], process: Process, index: number): Control[] {
        return body.map(control => this.control(control, process, index));
    }

    private control(control: Control, process: Process, index: number): Control {
        const { sites } = this;
        const scope: SiteScope = { process, owner: ownerOfProcess(index) };
        switch (control.kind) {
            case 'step':
                return this.step(control, process, ownerOfStep(index, control.range));
            case 'assume': {
                const condition = neutralTestBetweenSteps(control.condition, scope, sites);
                return { ...control, condition: condition ?? always(control) };
            }
            case 'for': {
                const binder = sites.binder(control.binder, scope.owner);
                const loop = { ...control, binder, body: this.controls(control.body, process, index) };
                return sites.order(control, scope.owner) ? this.inAnyOrder(loop, process) : loop;
            }
            case 'loop':
                return { ...control, body: this.controls(control.body, process, index) };
            case 'while': {
                const { range } = control;
                const body = this.controls(control.body, process, index);
                const branch = neutralBranch(control.condition, scope, sites);
                if (branch.kind === 'test') {
                    return { ...control, condition: branch.condition, body };
                }
                const end: Control = { kind: 'break', range };
                return { kind: 'loop', body: [choiceBetween(branch, body, [end], range)], range };
            }
            case 'if': {
                const then = this.controls(control.then, process, index);
                const otherwise = this.controls(control.otherwise, process, index);
                const branch = neutralBranch(control.condition, scope, sites);
                return branch.kind === 'test'
                    ? { ...control, condition: branch.condition, then, otherwise }
                    : choiceBetween(branch, then, otherwise, control.range);
            }
            case 'choose': {
                const alternatives = control.alternatives.map(each => this.controls(each, process, index));
                return { ...control, alternatives };
            }
            case 'labeled':
                return { ...control, control: this.control(control.control, process, index) };
            case 'declare':
            case 'break':
            case 'terminate':
                return control;
            default:
                return unreachable(control);
        }
    }

    /** The step without its neutralized tests, statements and communication, once for each choice of its free values. */
    private step(step: Step, process: Process, owner: string): Control {
        const scope: SiteScope = { process, owner };
        const { guard: full, communication: whole, ...others } = step;
        const guard = full && neutralTest(full, scope, this.sites);
        const communication = whole && this.communication(whole, scope);
        const mapping = this.sites.mapping(scope);
        const rest: Step = {
            ...others,
            ...(guard && { guard }),
            ...(communication && { communication: mapCommunication(communication, mapping) }),
            body: mapStatements(this.statements(step.body, scope), mapping),
        };
        const parts = freePartsOfStep(rest, process, this.model).filter(part => this.sites.freePart(part, scope));
        if (parts.length === 0) {
            return rest;
        }
        const combinations = this.steps.combinations(rest, process, parts);
        if (combinations === undefined) {
            this.isImpossible = true;
            return rest;
        }
        return { kind: 'choose', alternatives: combinations.map(each => [each]), range: step.range };
    }

    /** Any number of rounds, each with any value, which a local of its own holds. */
    private inAnyOrder({ binder, body, range }: Loop, process: Process): Control {
        const local = process.locals.length + this.loopLocals.length;
        const { id, name, domain } = binder;
        this.loopLocals.push({
            name,
            segments: [{ text: name, indices: 0 }],
            documentation: '',
            element: domain,
            indices: [],
            initializer: { kind: 'any', range },
            range,
            nameRange: range,
        });
        const read = (): Expression => ({ kind: 'read', place: { kind: 'local', local, indices: [], range }, range });
        const isName = (part: Partial<Expression>): boolean => part.kind === 'binder' && part.binder?.id === id;
        const round = replaceParts(body, part => (isName(part) ? read() : undefined));
        const declare: Control = { kind: 'declare', local, range };
        return {
            kind: 'loop',
            body: [{ kind: 'choose', alternatives: [[declare, ...round], [{ kind: 'break', range }]], range }],
            range,
        };
    }

    /** Without its communication a step fires alone; without tests a receive takes any message. */
    private communication(communication: Communication, scope: SiteScope): Communication | undefined {
        const { process, owner } = scope;
        const { range } = communication;
        const quote = quoting(range, () =>
            communication.kind === 'event'
                ? this.model.events[communication.event].name
                : formatChannel(this.model, process, communication.channel),
        );
        if (this.sites.decide({ range, kind: 'communication', owner, quote, expressions: [] })) {
            return undefined;
        }
        return communication.kind === 'receive'
            ? {
                  ...communication,
                  tests: communication.tests.flatMap(test => neutralTest(test, scope, this.sites) ?? []),
              }
            : communication;
    }

    private statements(statements: readonly Statement[], scope: SiteScope): Statement[] {
        const { sites } = this;
        const { process, owner } = scope;
        return statements.flatMap((statement): Statement[] => {
            switch (statement.kind) {
                case 'assign': {
                    const { assignments, range } = statement;
                    const quote = quoting(range, () => formatAssignments(this.model, process, assignments));
                    const expressions = assignments.flatMap(({ target, value }) => [...target.indices, value]);
                    return sites.decide({ range, kind: 'assignment', owner, quote, expressions }) ? [] : [statement];
                }
                case 'while': {
                    const body = this.statements(statement.body, scope);
                    // No round: within a step, their number cannot be left open.
                    return sites.condition(statement.condition, scope, 'branch') ? [] : [{ ...statement, body }];
                }
                case 'for': {
                    const binder = sites.binder(statement.binder, owner);
                    return [{ ...statement, binder, body: this.statements(statement.body, scope) }];
                }
                case 'if': {
                    // The condition is a value that may be free.
                    const then = this.statements(statement.then, scope);
                    const otherwise = this.statements(statement.otherwise, scope);
                    return [{ ...statement, then, otherwise }];
                }
                case 'assert': {
                    const condition = neutralTest(statement.condition, scope, sites);
                    return condition === undefined ? [] : [{ ...statement, condition }];
                }
                case 'declare':
                case 'return':
                case 'spawn':
                case 'fill':
                case 'skip':
                    return [statement];
                default:
                    return unreachable(statement);
            }
        });
    }
}
