/** A step of a test as a line of a log, in the names that are bound: what an adapter is told to do. */
import { remembered } from '../common/list-map.js';
import { baseOf, NONE, plainValue, type Domain, type Value } from '../model/domain.js';
import type { Ground } from '../match/ground.js';
import type { Bindings } from '../match/log-names.js';
import type { ParticipantFacts } from '../match/step-facts.js';
import type { Passing } from './path-keys.js';

type Entry = Readonly<Record<string, unknown>>;

/** Labels and events of the steps that the tester asks for; all that a log shows if absent. */
export type Inputs = ReadonlySet<string> | undefined;

/** By template, to how many instances a name was given: no two have one. */
export type GivenNames = Map<string, number>;

/** Undefined for a step that no line shows. */
export function entryOf(
    { before, summand, after }: Passing,
    ground: Ground,
    inputs: Inputs,
    bindings: Bindings,
    given: GivenNames,
): Entry | undefined {
    const fresh = (template: string): string => {
        const number = (given.get(template) ?? 0) + 1;
        given.set(template, number);
        return `${template}#${number}`;
    };
    // One that has no name yet may be in several places of the entry.
    const names = new Map<string, string>();
    const entry = entryWith(summand, ground, inputs, (domain, value) => {
        const base = baseOf(domain);
        const template = base.kind === 'enumeration' && value !== NONE ? base.template : undefined;
        const { name = '' } = base;
        return (
            ground.names.nameOf(domain, value, bindings) ??
            (template === undefined
                ? plainValue(domain, value)
                : remembered(names, `${name} ${String(value)}`, () => fresh(name)))
        );
    });
    const { sequential, model } = ground;
    const created = (sequential.templates ?? []).flatMap(({ name, process, slots }): [string, string][] => {
        const isNew = slots.some(({ counter, ended }) => before[counter] === ended && after[counter] !== ended);
        return isNew && model.processes[process].template !== undefined ? [[name, fresh(name)]] : [];
    });
    return entry && { ...entry, ...Object.fromEntries(created) };
}

/** Of a step that need not be possible. Undefined also if it is about a member that has no name yet. */
export function requestOf(summand: number, ground: Ground, inputs: Inputs, bindings: Bindings): Entry | undefined {
    let isKnown = true;
    const entry = entryWith(summand, ground, inputs, (domain, value) => {
        const { names } = ground;
        const plain = plainValue(domain, value);
        const meaning = names.meaningOf({ kind: 'scalar', value: plain }, domain);
        const name = names.nameOf(domain, value, bindings);
        isKnown &&=
            name !== undefined ||
            (meaning.kind === 'name' ? meaning.name.code !== undefined : meaning.kind === 'value');
        return name ?? plain;
    });
    return isKnown ? entry : undefined;
}

/** About the participant that has the name of an input; of several, about one that chooses. Others are in `with`. */
function entryWith(
    summand: number,
    ground: Ground,
    inputs: Inputs,
    textOf: (domain: Domain, value: Value) => boolean | number | string,
): Entry | undefined {
    const { participants } = ground.steps.facts[summand];
    const isMeant = (label: string): boolean => !ground.hides.has(label) && inputs?.has(label) !== false;
    const carriers = participants.flatMap(who => {
        const step = [...who.labels].reverse().find(isMeant);
        return step === undefined ? [] : [{ who, step }];
    });
    const carrier = carriers.find(({ who }) => who.chosen.length > 0) ?? carriers.at(0);
    if (carrier === undefined) {
        return undefined;
    }
    const { who, step } = carrier;
    const nameOf = ({ family, indices }: ParticipantFacts): string => {
        const texts = indices.map(({ domain, value }) => String(textOf(domain, value)));
        return texts.length === 0 ? family : `${family}[${texts.join(', ')}]`;
    };
    const choicesOf = ({ chosen }: ParticipantFacts): Entry =>
        Object.fromEntries(chosen.map(({ name, domain, value }) => [name, textOf(domain, value)]));
    const process = nameOf(who);
    const others = participants
        .filter(other => other !== who)
        .map(other => {
            const own = carriers.find(each => each.who === other && other.chosen.length > 0);
            return own === undefined ? nameOf(other) : { process: nameOf(other), step: own.step, ...choicesOf(other) };
        });
    return {
        process,
        step,
        ...choicesOf(who),
        ...(others.length > 0 && { with: others }),
    };
}
