/**
 * Why a line fits nothing: for each step that it could mean what stands against it in the candidates before it, in words
 * with the names of the log, and what could have come instead.
 */
import { listed } from '../common/listed.js';
import { remembered } from '../common/list-map.js';
import type { TextOfRange } from '../common/source-text.js';
import { formatSegments } from '../model/print.js';
import { formatValue, type Domain, type Value } from '../model/domain.js';
import { falsePart } from '../reasons/false-part.js';
import { Scene } from '../reasons/scene.js';
import { obstacleOf } from '../reasons/waits.js';
import type { Fault } from '../sequential/expression/evaluate.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { Candidate } from './candidates.js';
import type { Ground } from './ground.js';
import { type Bindings, ENDED, type LogName } from './log-names.js';
import type { Observation, ObservedValue } from './observation.js';
import type { ParticipantFacts } from './step-facts.js';
import type { Contradiction, Passage } from './step-match.js';
import { formatWanted, type Wanted } from './wanted.js';

/** What stands against a step. */
export interface Refusal {
    /** `Hear[i, j, t] grant` */
    readonly step: string;
    readonly refusedBy: string;
    /** In how many candidates. */
    readonly candidates: number;
}

/** More candidates are not asked. */
const MOST_ASKED = 200;
const MOST_REFUSALS = 6;
const MOST_INSTEAD = 12;

/** How far a step comes: what refuses it late is nearest. */
const RANKS = { process: 0, location: 1, guard: 2, fault: 3, value: 4 } as const;

export class Refusals {
    readonly #ground: Ground;
    readonly #textOf: TextOfRange;

    constructor(ground: Ground, textOf: TextOfRange) {
        this.#ground = ground;
        this.#textOf = textOf;
    }

    /** The nearest first. */
    of(observation: Observation, reached: readonly Candidate[]): readonly Refusal[] {
        const found = new Map<string, Refusal & { readonly rank: number }>();
        const add = (step: string, refusedBy: string, rank: number): void => {
            const key = `${step}: ${refusedBy}`;
            const candidates = (found.get(key)?.candidates ?? 0) + 1;
            found.set(key, { step, refusedBy, candidates, rank });
        };
        for (const candidate of this.#asNamed(reached)) {
            for (const [step, { text, rank }] of this.#inCandidate(observation, candidate)) {
                add(step, text, rank);
            }
        }
        return [...found.values()]
            .sort((first, second) => second.rank - first.rank || second.candidates - first.candidates)
            .slice(0, MOST_REFUSALS)
            .map(({ step, refusedBy, candidates }) => ({ step, refusedBy, candidates }));
    }

    /** The steps that a log would show, as they could come behind the candidates. */
    instead(reached: readonly Candidate[]): readonly string[] {
        const found = new Set<string>();
        for (const { state, bindings } of this.#asNamed(reached)) {
            this.#ground.forEachSeen(state, {
                fired: summand => {
                    const { participants, labels } = this.#ground.steps.facts[summand];
                    const [first] = participants;
                    found.add(`${this.#nameOf(first, bindings)} ${[...labels].join(' & ')}`);
                    return true;
                },
                faulted: () => true,
            });
            if (found.size > MOST_INSTEAD) {
                break;
            }
        }
        return [...found].slice(0, MOST_INSTEAD);
    }

    /** Some candidates, each moved so that literals are bound to themselves: what is shown is as the log writes it. */
    #asNamed(reached: readonly Candidate[]): readonly Candidate[] {
        const { folding, names } = this.#ground;
        return reached.slice(0, MOST_ASKED).map(candidate => {
            const { codeOf, imageOf } = folding.restoring(candidate.bindings);
            const bindings = candidate.bindings.map((code, place) =>
                code < 0 ? code : codeOf(names.bound[place].type, code),
            );
            return { ...candidate, state: imageOf(candidate.state), bindings };
        });
    }

    /** By step the reason of that instance of it that comes nearest. */
    #inCandidate(observation: Observation, candidate: Candidate): ReadonlyMap<string, Reason> {
        const reasons = new Map<string, Reason>();
        const add = (step: string, reason: Reason): void => {
            const known = reasons.get(step);
            if (known === undefined || known.rank < reason.rank) {
                reasons.set(step, reason);
            }
        };
        const ended = this.#endedName(observation, candidate.bindings);
        if (observation.step === undefined) {
            const { steps } = this.#ground;
            const wrong = observation.values.find(
                value =>
                    steps.ofState({ ...observation, values: [value] }, candidate.state, candidate.bindings).length ===
                    0,
            );
            add(
                '',
                wrong === undefined
                    ? { text: 'the values do not go together', rank: RANKS.value }
                    : this.#value(wrong, undefined, candidate.state, candidate.bindings),
            );
            return reasons;
        }
        const { step } = observation;
        this.#ground.steps.facts.forEach(({ participants }, summand) => {
            for (const participant of participants) {
                const { family, labels } = participant;
                if (!labels.has(step) || (observation.process !== undefined && observation.process.family !== family)) {
                    continue;
                }
                add(`${family} ${step}`, ended ?? this.#ofSummand(observation, summand, participant, candidate));
            }
        });
        if (reasons.size === 0) {
            add(step, {
                text: `no process \`${observation.process?.family ?? ''}\` has this step`,
                rank: RANKS.process,
            });
        }
        return reasons;
    }

    #ofSummand(
        observation: Observation,
        summand: number,
        participant: ParticipantFacts,
        { state, bindings }: Candidate,
    ): Reason {
        const { sequential, steps } = this.#ground;
        if (!steps.isBy(observation, participant, bindings)) {
            return { text: this.#otherProcess(observation, bindings), rank: RANKS.process };
        }
        const other = steps.contradictedName(observation, participant.chosen, bindings);
        if (other !== undefined) {
            const text = this.#valueText(other.domain, other.value, bindings);
            return { text: `\`${other.name}\` can only be \`${text}\``, rank: RANKS.process };
        }
        const step = sequential.summands[summand];
        const own = step.participants.find(({ instance }) => instance === participant.instance);
        const { counter, locations } = sequential.instances[participant.instance];
        if (own !== undefined && counter >= 0 && state[counter] !== own.source) {
            const { name } = locations[state[counter]];
            return { text: name === 'end' ? 'it has ended' : `stands at \`${name}\``, rank: RANKS.location };
        }
        const scene = new Scene(this.#named(bindings), state, this.#textOf);
        const obstacle = own && obstacleOf(step, own, scene);
        if (obstacle?.kind === 'partner') {
            const partner = this.#named(bindings).instances[obstacle.partner].name;
            return { text: `\`${partner}\` is not ready for it`, rank: RANKS.guard };
        }
        if (obstacle !== undefined) {
            const [line] = falsePart(obstacle.test, scene);
            return { text: line?.text ?? 'its condition is false', rank: RANKS.guard };
        }
        return (
            this.#fired(observation, summand, { state, bindings }) ?? {
                text: 'its condition is false',
                rank: RANKS.guard,
            }
        );
    }

    /** Of a step that can be taken: what in the line it contradicts. */
    #fired(
        observation: Observation,
        summand: number,
        { state, bindings }: Pick<Candidate, 'state' | 'bindings'>,
    ): Reason | undefined {
        let reason: Reason | undefined;
        const onFault = (number: number, { kind }: Fault): boolean => {
            if (number === summand && reason === undefined) {
                const text =
                    kind === 'outside'
                        ? 'it leads out of the constraint'
                        : `it is possible only as the fault \`${kind}\``;
                reason = { text, rank: RANKS.fault };
            }
            return true;
        };
        this.#ground.forEachStep(state, {
            fired: (number, after) => {
                if (number === summand) {
                    const passage = { before: state, after };
                    const part = this.#ground.steps.contradiction(observation, summand, passage, bindings);
                    reason = part && this.#contradiction(part, observation, summand, passage, bindings);
                }
                return true;
            },
            faulted: onFault,
        });
        return reason;
    }

    #contradiction(
        part: Contradiction,
        observation: Observation,
        summand: number,
        { before, after }: Passage,
        bindings: Bindings,
    ): Reason {
        switch (part.kind) {
            case 'process':
                return { text: this.#otherProcess(observation, bindings), rank: RANKS.process };
            case 'created':
                return { text: 'it creates no instance that the log can mean', rank: RANKS.value };
            case 'message':
                return { text: 'it is another message', rank: RANKS.value };
            case 'value': {
                const participant = this.#ground.steps.facts[summand].participants.find(({ labels }) =>
                    labels.has(observation.step ?? ''),
                );
                return this.#value(part.value, participant, part.value.isBefore ? before : after, bindings);
            }
        }
    }

    /** `log says term 3, here 2` */
    #value(
        { key, wanted, place, isBefore }: ObservedValue,
        participant: ParticipantFacts | undefined,
        state: Readonly<Int32Array>,
        bindings: Bindings,
    ): Reason {
        const here = this.#ground.steps.textOf(place, participant, state, bindings, (domain, value) =>
            this.#valueText(domain, value, bindings),
        );
        const says = `the log says \`${key}\` ${isBefore ? 'was' : 'is'} \`${formatWanted(wanted)}\``;
        return {
            text:
                here === undefined
                    ? `${says}, and it is not so here`
                    : `${says}, here it ${isBefore ? 'was' : 'is'} \`${here}\``,
            rank: RANKS.value,
        };
    }

    #otherProcess({ process, values }: Observation, bindings: Bindings): string {
        const { names } = this.#ground;
        const wanted = [...(process?.indices ?? []), ...values.map(value => value.wanted)];
        const named = wanted.flatMap(index => this.#nameIn(index) ?? []);
        const tooMany = named.find(name => names.isBeyond(name, bindings));
        if (tooMany !== undefined) {
            return `\`${tooMany.text}\` is one name more than \`${tooMany.type}\` has values: a mistake, or a larger model`;
        }
        const known = named.flatMap(({ text, since, place }) =>
            since === undefined || (bindings[place] ?? -1) < 0 ? [] : [`\`${text}\` is known since line ${since}`],
        );
        return known.length === 0 ? 'it cannot be this process' : `it is another process: ${listed(known)}`;
    }

    /** A name of the line whose instance is gone. */
    #endedName(observation: Observation, bindings: Bindings): Reason | undefined {
        const wanted = [...(observation.process?.indices ?? []), ...observation.values.map(value => value.wanted)];
        for (const each of wanted) {
            const name = this.#nameIn(each);
            if (
                name !== undefined &&
                (name.ended !== undefined || (name.place >= 0 && bindings[name.place] === ENDED))
            ) {
                const at = name.ended === undefined ? '' : ` at line ${name.ended}`;
                return { text: `\`${name.text}\` has ended${at}`, rank: RANKS.value };
            }
        }
        return undefined;
    }

    #nameIn(wanted: Wanted): LogName | undefined {
        return wanted.kind === 'scalar' ? this.#ground.names.known(String(wanted.value)) : undefined;
    }

    /** `Hear[a, 2, 1]`, with the names of the log. */
    #nameOf({ family, indices }: ParticipantFacts, bindings: Bindings): string {
        const texts = indices.map(({ domain, value }) => this.#valueText(domain, value, bindings));
        return texts.length === 0 ? family : `${family}[${texts.join(', ')}]`;
    }

    #valueText(domain: Domain, value: Value, bindings: Bindings): string {
        return this.#ground.names.nameOf(domain, value, bindings) ?? formatValue(domain, value);
    }

    /** The model with names of the log in the names of cells and instances. */
    #named(bindings: Bindings): SequentialModel {
        const { model, sequential } = this.#ground;
        return remembered(this.#models, bindings, () => ({
            ...sequential,
            instances: sequential.instances.map(instance => {
                const { name, indices } = model.processes[instance.process];
                const texts = instance.indices.map((value, at) => this.#valueText(indices[at].domain, value, bindings));
                return texts.length === 0 ? instance : { ...instance, name: `${name}[${texts.join(', ')}]` };
            }),
            cells: sequential.cells.map(cell => {
                if (cell.kind !== 'shared') {
                    return cell;
                }
                const { segments, indices } = model.variables[cell.variable];
                const texts = cell.indices.map((value, at) => this.#valueText(indices[at], value, bindings));
                return { ...cell, name: formatSegments(segments, texts) };
            }),
        }));
    }

    readonly #models = new WeakMap<Bindings, SequentialModel>();
}

interface Reason {
    readonly text: string;
    readonly rank: number;
}
