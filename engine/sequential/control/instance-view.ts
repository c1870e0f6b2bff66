/**
 * The text of one instance, specialized: each test, initialization, guard and body once for all offers that use it. A
 * choice on the path (`choose x in T`) gives a local its value before the step; if nothing else assigns the local, the
 * rest of the path is specialized to the value.
 */
import { remembered } from '../../common/list-map.js';
import { invariant, unreachable } from '../../common/assert.js';
import { formatPosition } from '../../common/source-range.js';
import type { SourceRange } from '../../common/source-range.js';
import { domainSize, valueOfCode } from '../../model/domain.js';
import type { Domain } from '../../model/domain.js';
import type { ChannelPlace, Expression } from '../../model/expression.js';
import type { Communication, Statement } from '../../model/model.js';
import { sizeOfArray } from '../cell-layout.js';
import { NOTHING_CHOSEN } from './choices.js';
import type { Chosen } from './choices.js';
import type { Binding, StepSite, TestSite } from './control-graph.js';
import { freeNamesOf, localsNamedBy } from '../expression/free-names.js';
import { withinSet } from './instances.js';
import type { PlacedInstance } from './instances.js';
import type { Offer, PathItem } from './locations.js';
import type { PathElement, SequentialExpression, SequentialStatement } from '../sequential-model.js';
import { constant, isFalse, negation } from '../expression/simplify.js';
import type { Scope } from '../expression/scope.js';
import { specializeStatements } from '../expression/specialize-statement.js';
import type { Specializer } from '../expression/specialize.js';

/** A guard, a communication and a body, specialized. */
export interface SpecializedStep {
    readonly guard?: SequentialExpression;
    readonly communication?: OfferedCommunication;
    readonly message?: OfferedMessage;
    readonly body: readonly SequentialStatement[];
    /** Finds slots for the instances that the body creates, before it runs. Absent if it creates none. */
    readonly created?: readonly PathElement[];
}

/** What a step sends or receives at a channel without order. */
export interface OfferedMessage {
    readonly domain: Domain;
    readonly value: SequentialExpression;
}

/** A communication that an instance offers to others or to a buffer. */
export type OfferedCommunication =
    | {
          readonly kind: 'event';
          /** Index into `Model.events`. */
          readonly event: number;
          readonly arguments: readonly SequentialExpression[];
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'send';
          readonly channel: OfferedChannel;
          /** One for each scalar of the message. */
          readonly values: readonly SequentialExpression[];
          readonly range: SourceRange;
      }
    | {
          readonly kind: 'receive';
          readonly channel: OfferedChannel;
          /** The number of scalars in a message. */
          readonly scalars: number;
          /** The tests and bindings of the pattern, before the message is known (InstanceView.match). */
          readonly pattern: Extract<Communication, { kind: 'receive' }>;
          readonly scope: Scope;
          readonly range: SourceRange;
      };

/** The channel at the codes of the arguments. */
export interface OfferedChannel {
    readonly arguments: readonly SequentialExpression[];
    readonly domains: readonly Domain[];
    /** From the codes of the arguments to the index in `Model.channels` and the position of the channel. */
    readonly at: (codes: readonly number[]) => { readonly channel: number; readonly position: number };
}

export interface MatchedMessage {
    readonly tests: readonly SequentialExpression[];
    /** All values are evaluated before the first is written. */
    readonly bindings: readonly SequentialStatement[];
}

/** The way of an offer to its step. */
export interface Way {
    readonly elements: readonly { readonly item: PathItem; readonly elements: readonly PathElement[] }[];
    /** The choices for locals that nothing else assigns. */
    readonly chosen: Chosen;
}

export class InstanceView {
    readonly instance: PlacedInstance;
    readonly #index: number;
    readonly #specializer: Specializer;
    readonly #elements = new Map<string, readonly PathElement[]>();
    readonly #steps = new Map<string, SpecializedStep>();
    /** By the site of a step or a test its guard or condition, if that is the same for all choices. */
    readonly #conditions = new Map<number, SequentialExpression>();
    /** By local its cells. */
    readonly #cells: (readonly number[])[] = [];

    /** `index` is that of the instance in the model. */
    constructor(instance: PlacedInstance, index: number, specializer: Specializer) {
        this.instance = instance;
        this.#index = index;
        this.#specializer = specializer;
    }

    /** The tests and initializations of an item of a path, without choices. */
    elements(item: PathItem): readonly PathElement[] {
        return this.#elementsAfter(item, NOTHING_CHOSEN);
    }

    way({ path }: Pick<Offer, 'path'>): Way {
        const chosen = new Map(NOTHING_CHOSEN);
        const elements = path.map(item => {
            const here = this.#elementsAfter(item, chosen);
            if (item.kind === 'declare' && item.values !== undefined) {
                chosen.set(item.site.local, item.values);
            }
            return { item, elements: here };
        });
        return { elements, chosen: withinSet(chosen, this.instance.unassigned) };
    }

    step(site: StepSite, chosen: Chosen): SpecializedStep {
        const key = `${site.id}${keyOf(chosen)}`;
        return remembered(this.#steps, key, () => this.#specializeStep(site, chosen));
    }

    /** The tests and bindings of a received message. */
    match(
        { pattern, scope }: Extract<OfferedCommunication, { kind: 'receive' }>,
        message: readonly SequentialExpression[],
    ): MatchedMessage {
        const specializer = this.#specializer;
        const inside = { ...scope, message };
        specializer.temporaries.beginStep(this.#index, this.instance.name);
        return {
            tests: pattern.tests.map(test => specializer.expression(test, inside)),
            bindings: specializeStatements(specializer, bindingsByPlace(pattern.bindings), inside),
        };
    }

    /** The cells of a local. */
    cellsOf(local: number): readonly number[] {
        const { first, indices } = this.instance.locals[local];
        return (this.#cells[local] ??= Array.from({ length: sizeOfArray(indices) }, (_, position) => first + position));
    }

    scope(binding: Binding, chosen: Chosen = NOTHING_CHOSEN): Scope {
        return { locals: this.instance.locals, binders: new Map(binding), temporaries: new Map(), chosen };
    }

    #elementsAfter(item: PathItem, before: Chosen): readonly PathElement[] {
        if (item.kind === 'label') {
            return [];
        }
        const chosen = withinSet(before, this.instance.unassigned);
        const kind =
            item.kind === 'test'
                ? item.outcome
                    ? '+'
                    : '-'
                : `=${item.values === undefined ? '' : item.values.join()}`;
        const key = `${item.site.id}${kind}${keyOf(chosen)}`;
        return remembered(this.#elements, key, () =>
            item.kind === 'test' ? [this.#test(item.site, item.outcome, chosen)] : this.#initialization(item, chosen),
        );
    }

    #test(site: TestSite, outcome: boolean, chosen: Chosen): PathElement {
        if (!outcome) {
            const [positive] = this.#elementsAfter({ kind: 'test', site, outcome: true }, chosen);
            invariant(positive.kind === 'test', 'a test stands for a test');
            return { kind: 'test', condition: negation(positive.condition, site.range) };
        }
        return {
            kind: 'test',
            condition: this.#condition(site.id, site.condition, this.scope(site.binding, chosen)),
        };
    }

    #initialization(item: Extract<PathItem, { kind: 'declare' }>, chosen: Chosen): PathElement[] {
        const { site, values } = item;
        const { initializer, element } = this.instance.declaration.locals[site.local];
        const scope = this.scope(site.binding, chosen);
        const initial =
            initializer.kind === 'value'
                ? initializer.expressions.map(expression => this.#specializer.expression(expression, scope))
                : [constant(domainSize(element) === 0 ? 0 : valueOfCode(element, 0))];
        return this.cellsOf(site.local).map((cell, position) => ({
            kind: 'assign',
            cell,
            value: values === undefined ? initial[initial.length === 1 ? 0 : position] : constant(values[position]),
            range: site.range,
        }));
    }

    #specializeStep({ id, step, binding }: StepSite, chosen: Chosen): SpecializedStep {
        const { communication, message, body } = step;
        const scope = this.scope(binding, chosen);
        this.#specializer.temporaries.beginStep(this.#index, this.instance.name);
        const guard = step.guard && this.#condition(id, step.guard, scope);
        const created = this.#specializer.findSlots(body, scope);
        return {
            ...(guard === undefined ? {} : { guard }),
            ...(communication === undefined ? {} : { communication: this.#communication(communication, scope) }),
            ...(message && { message: { ...message, value: this.#specializer.expression(message.value, scope) } }),
            ...(created.path.length === 0 ? {} : { created: created.path }),
            // A body behind a false guard is not expanded, but its reads decide which locals are live.
            body:
                guard !== undefined && isFalse(guard) && localsNamedBy(body).every(local => chosen.has(local))
                    ? []
                    : specializeStatements(this.#specializer, body, created.scope),
        };
    }

    /** The condition at a place of the text: one for all choices, if it names no local. */
    #condition(site: number, condition: Expression, scope: Scope): SequentialExpression {
        if (freeNamesOf(condition).isLocal) {
            return this.#specializer.expression(condition, scope);
        }
        return remembered(this.#conditions, site, () => this.#specializer.expression(condition, scope));
    }

    #communication(communication: Communication, scope: Scope): OfferedCommunication {
        const specializer = this.#specializer;
        const { range } = communication;
        switch (communication.kind) {
            case 'event':
                return {
                    kind: 'event',
                    event: communication.event,
                    arguments: communication.arguments.map(argument => specializer.expression(argument, scope)),
                    range,
                };
            case 'send':
                return {
                    kind: 'send',
                    channel: this.#channel(communication.channel, scope),
                    values: communication.values.map(value => specializer.expression(value, scope)),
                    range,
                };
            case 'receive':
                return {
                    kind: 'receive',
                    channel: this.#channel(communication.channel, scope),
                    scalars: this.#scalarsOf(communication.channel),
                    pattern: communication,
                    scope,
                    range,
                };
            default:
                return unreachable(communication);
        }
    }

    #scalarsOf(place: ChannelPlace): number {
        const { channels, channelTypes } = this.#specializer.model;
        const channel = place.kind === 'declared' ? place.channel : channelTypes[place.type].members[0]?.channel;
        return channel === undefined ? 0 : channels[channel].message.length;
    }

    #channel(place: ChannelPlace, scope: Scope): OfferedChannel {
        const { model } = this.#specializer;
        if (place.kind === 'value') {
            const { domain, members } = model.channelTypes[place.type];
            return {
                arguments: [this.#specializer.expression(place.expression, scope)],
                domains: [domain],
                at: ([code]) => members[code],
            };
        }
        const { channel } = place;
        const domains = model.channels[channel].indices;
        return {
            arguments: place.indices.map((index, at) => this.#specializer.index(index, domains[at], scope)),
            domains,
            at: codes => ({
                channel,
                position: codes.reduce((position, code, index) => position * domainSize(domains[index]) + code, 0),
            }),
        };
    }
}

/** One assignment for each place in a pattern: the parts of a record that is bound whole come together. */
function bindingsByPlace(bindings: Extract<Communication, { kind: 'receive' }>['bindings']): Statement[] {
    const statements: { kind: 'assign'; assignments: (typeof bindings)[number][]; range: SourceRange }[] = [];
    for (const binding of bindings) {
        const last = statements.at(-1);
        const { range } = binding.target;
        if (last !== undefined && formatPosition(last.range) === formatPosition(range)) {
            last.assignments.push(binding);
        } else {
            statements.push({ kind: 'assign', assignments: [binding], range });
        }
    }
    return statements;
}

function keyOf(chosen: Chosen): string {
    let key = '';
    chosen.forEach((values, local) => (key += ` ${local}=${values.length === 1 ? values[0] : values.join()}`));
    return key;
}
