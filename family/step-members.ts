/**
 * How many members of families take part in a step: the indices of its processes, the values that it chooses, and the
 * witnesses of its conditions (witnesses.ts). A part of a state with these and some others can take the step, too, with
 * the same effect on the others. Of a joint event in which every member takes part (a *crowd*) they count for nothing, as
 * each goes with its process; they then may change their own cells only.
 */
import { unreachable } from '../engine/common/assert.js';
import { appendTo } from '../engine/common/list-map.js';
import type { Problem } from '../engine/common/problem.js';
import type { SourceRange } from '../engine/common/source-range.js';
import { memberBoundsOf, domainSize, type Domain } from '../engine/model/domain.js';
import type { ChannelPlace, Expression } from '../engine/model/expression.js';
import type { Communication, Model, Process, Step } from '../engine/model/model.js';
import { forEachStatement, targetsOf } from '../engine/model/walk-model.js';
import type { Offer } from '../engine/sequential/control/locations.js';
import type { LoweredText } from './lowered-text.js';
import { offersOf } from './offers.js';
import { refusal } from './refusal.js';
import { valuesOf, Witnesses } from './witnesses.js';

/** Instances with more members are too large to be run in all ways. */
export const MOST_MEMBERS = 12;

export interface CountedMembers {
    readonly members: number;
    /** If there are any, no number is enough. */
    readonly reasons: readonly Problem[];
}

/** The most members of a step. `mayRace`: parts of joint events may write the same cells. */
export function mostMembersOfStep(text: LoweredText, mayRace: boolean): CountedMembers {
    const reasons: Problem[] = [];
    const meetings = new Map<string, Contribution[]>();
    let most = 0;
    const count = (members: number, { step }: Contribution): void => {
        most = Math.max(most, members);
        if (members > MOST_MEMBERS && members < Infinity) {
            reasons.push(
                refusal(`this step may depend on ${members} members, and ${MOST_MEMBERS} are tried`, step.range),
            );
        }
    };
    for (const process of text.model.processes) {
        for (const contribution of contributionsOf(process, text, reasons)) {
            if (contribution.meets === undefined) {
                count(contribution.own + contribution.known.size, contribution);
            } else {
                appendTo(meetings, contribution.meets, contribution);
            }
        }
    }
    for (const [, contributions] of meetings) {
        count(membersOfMeeting(contributions, mayRace, reasons), contributions[0]);
    }
    return { members: reasons.length > 0 ? Infinity : most, reasons };
}

/** What a step of one process adds to the members of a step. */
interface Contribution {
    readonly process: Process;
    /** The event or the channel at which the step meets others, and its side; absent for a step of its own. */
    readonly meets?: string;
    readonly side?: 'send' | 'receive';
    /** The members that the arguments of the event, or the indices of the channel, are: their number. */
    readonly arguments: number;
    /** Which of its indices and choices stand at which of these places: two ways are two instances. */
    readonly role: string;
    /** The indices and choices that are equal to an argument, which all participants share. */
    readonly known: ReadonlySet<number | string>;
    /** The others, and the witnesses. */
    readonly own: number;
    /** The indices of the process among the others: with one, all instances take part in an event. */
    readonly freeIndices: readonly number[];
    readonly freeChoices: number;
    readonly witnesses: number;
    readonly mayFault: boolean;
    readonly step: Step;
}

/** One for each step of the process, and each way to it. */
function contributionsOf(process: Process, text: LoweredText, reasons: Problem[]): Contribution[] {
    const offers = offersOf(process);
    if ('problem' in offers) {
        reasons.push(offers.problem);
        return [];
    }
    return offers.flatMap(offer =>
        offer.step === undefined ? [] : [contributionOf(offer, offer.step.step, process, text, reasons)],
    );
}

function contributionOf(
    { path }: Offer,
    step: Step,
    process: Process,
    text: LoweredText,
    reasons: Problem[],
): Contribution {
    const { communication, guard, body } = step;
    const { model } = text;
    const witnesses = new Witnesses(text, reasons);
    const chosen = new Set<number>();
    let needed = 0;
    let isFaulty = false;
    for (const item of path) {
        if (item.kind === 'test') {
            needed += witnesses.ofTruth(item.site.condition, item.outcome);
            isFaulty ||= text.mayFault(item.site.condition);
        } else if (item.kind === 'declare') {
            const local = process.locals[item.site.local];
            const { initializer } = local;
            const values = valuesOf(initializer);
            if (values.length > 0) {
                needed += values.reduce((sum, expressions) => sum + witnesses.ofRows(expressions), 0);
                isFaulty = true;
            } else if (memberBoundsOf(local.element) !== undefined) {
                if (initializer.kind === 'default') {
                    reasons.push(refusal('it begins with the first member; give it a value', local.nameRange));
                }
                if (local.indices.length > 0) {
                    reasons.push(refusal('several members are chosen at once', local.nameRange));
                }
                if (chosen.has(item.site.local)) {
                    reasons.push(refusal('it is chosen again on the way to one step', local.nameRange));
                }
                chosen.add(item.site.local);
            }
        }
    }
    if (guard !== undefined) {
        needed += witnesses.ofTruth(guard, true);
        isFaulty ||= text.mayFault(guard);
    }
    const places = communication === undefined ? [] : memberPlacesOf(communication, model);
    if (communication !== undefined) {
        needed += expressionsOfCommunication(communication).reduce((sum, each) => sum + witnesses.ofValue(each), 0);
        isFaulty ||= communication.kind !== 'event' || communication.arguments.some(each => text.mayFault(each));
    }
    needed += witnesses.ofStatements(body);
    isFaulty ||= body.some(statement => text.statementMayFault(statement));
    const indices = process.indices.filter(({ domain }) => memberBoundsOf(domain) !== undefined).map(({ id }) => id);
    const names = places.map(place =>
        place.kind === 'binder' && indices.includes(place.binder.id)
            ? place.binder.id
            : place.kind === 'read' && place.place.kind === 'local' && chosen.has(place.place.local)
              ? `local ${place.place.local}`
              : undefined,
    );
    const known = new Set(names.filter(name => name !== undefined));
    const freeIndices = indices.filter(id => !known.has(id));
    const freeChoices = [...chosen].filter(local => !known.has(`local ${local}`)).length;
    return {
        process,
        ...(communication === undefined ? {} : meetingOf(communication, model)),
        arguments: places.length,
        role: names.join(),
        known,
        own: freeIndices.length + freeChoices + needed,
        freeIndices,
        freeChoices,
        witnesses: needed,
        mayFault: isFaulty,
        step,
    };
}

/** The event, or the channel without places, at which a step meets others. A step at a buffer meets none. */
function meetingOf(communication: Communication, model: Model): Pick<Contribution, 'meets' | 'side'> {
    if (communication.kind === 'event') {
        return { meets: `event ${communication.event}` };
    }
    const { channel, kind } = communication;
    const members =
        channel.kind === 'declared'
            ? [channel.channel]
            : model.channelTypes[channel.type].members.map(each => each.channel);
    // If channels are values, any sender may meet any receiver.
    const isNamed = channel.kind === 'declared' && model.channelTypes.length === 0;
    return members.some(member => model.channels[member].capacity === 0)
        ? { meets: isNamed ? `channel ${channel.channel}` : 'channels', side: kind }
        : {};
}

function membersOfMeeting(contributions: readonly Contribution[], mayRace: boolean, reasons: Problem[]): number {
    const shared = Math.max(...contributions.map(each => each.arguments));
    const sides = new Set(contributions.map(({ side }) => side));
    if (!sides.has(undefined)) {
        // One sender and one receiver.
        return [...sides].reduce(
            (sum, side) => sum + Math.max(...contributions.filter(each => each.side === side).map(each => each.own)),
            shared,
        );
    }
    let sum = shared;
    let faulty = 0;
    for (const process of new Set(contributions.map(each => each.process))) {
        const own = contributions.filter(each => each.process === process);
        const instances = process.indices.reduce(
            (product, { domain }) => product * (memberBoundsOf(domain) === undefined ? domainSize(domain) : 1),
            1,
        );
        if (own.every(({ freeIndices }) => freeIndices.length === 0)) {
            for (const role of new Set(own.map(each => each.role))) {
                sum += instances * Math.max(...own.filter(each => each.role === role).map(each => each.own));
            }
        } else if (own.every(each => isOfCrowd(each, reasons)) && (mayRace || own.some(each => each.mayFault))) {
            // A fault of the step needs the one whose part of it is the fault.
            faulty = 1;
        }
    }
    return sum + faulty;
}

/** Whether all instances may take part in an event: each decides and changes what is its own. */
function isOfCrowd({ freeIndices, freeChoices, witnesses, step }: Contribution, reasons: Problem[]): boolean {
    const refuse = (message: string, range: SourceRange): boolean => {
        reasons.push(refusal(message, range));
        return false;
    };
    if (freeIndices.length > 1) {
        return refuse('for each pair of members an instance takes part in this event', step.range);
    }
    if (freeChoices > 0) {
        return refuse('all members take part in this event, and each chooses another member', step.range);
    }
    if (witnesses > 0) {
        return refuse('all members take part in this event, and each asks for others', step.range);
    }
    const [own] = freeIndices;
    const isOwn = (index: Expression): boolean => index.kind === 'binder' && index.binder.id === own;
    let isAllowed = true;
    forEachStatement(step.body, statement => {
        for (const target of targetsOf(statement)) {
            const isOutside = target.kind === 'shared' && !target.indices.some(isOwn);
            if (isOutside) {
                isAllowed = refuse('all members take part in this event, and each writes here', target.range);
            }
        }
    });
    return isAllowed;
}

/** The arguments of an event, or the indices of a channel, that are members. */
function memberPlacesOf(communication: Communication, model: Model): readonly Expression[] {
    const ofMembers = (places: readonly Expression[], domains: readonly Domain[]): Expression[] =>
        places.filter((_, position) => memberBoundsOf(domains[position]) !== undefined);
    if (communication.kind === 'event') {
        return ofMembers(communication.arguments, model.events[communication.event].arguments);
    }
    const { channel } = communication;
    return channel.kind === 'declared' ? ofMembers(channel.indices, model.channels[channel.channel].indices) : [];
}

function expressionsOfCommunication(communication: Communication): readonly Expression[] {
    const ofChannel = (channel: ChannelPlace): readonly Expression[] =>
        channel.kind === 'declared' ? channel.indices : [channel.expression];
    switch (communication.kind) {
        case 'event':
            return communication.arguments;
        case 'send':
            return [...ofChannel(communication.channel), ...communication.values];
        case 'receive':
            return [
                ...ofChannel(communication.channel),
                ...communication.tests,
                ...communication.bindings.flatMap(({ target, value }) => [...target.indices, value]),
            ];
        default:
            return unreachable(communication);
    }
}
