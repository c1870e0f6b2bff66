/** Why nothing can happen: what each instance that has not ended waits for, and the circle that they form if they do. */
import { channelWithLength } from '../describe/shown-state.js';
import { appendTo } from '../common/list-map.js';
import { listed } from '../common/listed.js';
import { listOf, falsePart } from './false-part.js';
import { endedCounters, type Standing } from '../explore/instance-names.js';
import { interpretedSuccessors } from '../explore/successors.js';
import type { Run } from '../explore/verdict.js';
import { supportOf } from '../sequential/cell-access.js';
import type { LiteralImage } from '../sequential/literal-image.js';
import type { Instance, SequentialExpression, SequentialModel } from '../sequential/sequential-model.js';
import { foldAlike } from './fold-alike.js';
import { lengthTestOf, sendersOf, writersOf } from './senders.js';
import { withNames, type Reason, type ReasonLine } from './reason.js';
import { Scene } from './scene.js';
import { holderOf, lastChangeOf, waitsOf, type Wait } from './waits.js';

/** `symmetries` keep the model and what a deadlock is; those that keep the state fold alike lines. */
export function reasonOfDeadlock(scene: Scene, run: Run, symmetries: readonly LiteralImage[]): Reason {
    const { model } = scene;
    const stuck = [...model.instances.keys()].filter(
        instance => scene.valueOf(model.instances[instance].mayStop) !== 1,
    );
    const holders = new Map(
        stuck.flatMap(instance => {
            const holder = holderOf(instance, scene, run);
            return holder === undefined ? [] : [[instance, holder] as const];
        }),
    );
    const free = stuck.filter(instance => !holders.has(instance));
    const waiting = free.length === 0 ? stuck : free;
    const waits = new Map(waiting.map(instance => [instance, waitsOf(instance, scene)]));
    const deadlock: Deadlock = { scene, run, waits, holders: free.length === 0 ? new Map() : holders };
    const lines = waiting.map(instance => ({ instance, line: lineOf(instance, deadlock) }));
    return [{ text: summaryOf(waiting, deadlock) }, ...foldAlike(lines, scene, symmetries)];
}

interface Deadlock {
    readonly scene: Scene;
    readonly run: Run;
    /** By the instance that waits. */
    readonly waits: ReadonlyMap<number, readonly Wait[]>;
    /** By an instance that is held: the one that holds it. */
    readonly holders: ReadonlyMap<number, number>;
}

/** Says what the waiting instances are together. */
function summaryOf(waiting: readonly number[], deadlock: Deadlock): string {
    const { scene } = deadlock;
    const circle = circleOf(waiting, deadlock);
    const others = waiting.length - circle.length;
    if (circle.length > 1) {
        const all = groupText(circle, scene);
        const verb = circle.length === 2 ? 'wait for each other' : 'wait for one another, in a circle';
        return `${all} ${verb}${others === 0 ? '' : `, and ${others} more ${others === 1 ? 'waits' : 'wait'}`}.`;
    }
    const ended = living(scene).length - waiting.length - deadlock.holders.size;
    const rest = ended === 0 ? '' : `; ${ended} may stop`;
    return waiting.length === 1
        ? `${groupText(waiting, scene)} waits, and no step is possible${rest}.`
        : `${groupText(waiting, scene)} wait, and no step is possible${rest}.`;
}

/** `` The 5 `Phil` ``, `` 2 of the 3 `Worker` ``, or the names. */
function groupText(instances: readonly number[], scene: Scene): string {
    const { model } = scene;
    const { process, name: firstName } = model.instances[instances[0]];
    if (instances.length > 2 && instances.every(instance => model.instances[instance].process === process)) {
        const all = living(scene).filter(instance => instance.process === process).length;
        const family = `\`${firstName.replace(/[[@].*$/, '')}\``;
        return all === instances.length ? `The ${all} ${family}` : `${instances.length} of the ${all} ${family}`;
    }
    const names = instances.map(instance => `\`${model.instances[instance].name}\``);
    return names.length > 5 ? `${names.length} processes` : listed(names);
}

/** Without those that are not created, or have ended. */
function living({ model, state }: Scene): readonly Instance[] {
    const ended = endedCounters(model, state);
    return model.instances.filter(({ counter }) => !ended.has(counter));
}

/** The longest circle of instances that each wait for the next one; empty if there is none. */
function circleOf(waiting: readonly number[], deadlock: Deadlock): readonly number[] {
    const next = new Map(waiting.map(instance => [instance, nextOf(instance, deadlock)]));
    let longest: readonly number[] = [];
    const seen = new Set<number>();
    for (const start of waiting) {
        const path: number[] = [];
        let current: number | undefined = start;
        while (current !== undefined && !seen.has(current)) {
            seen.add(current);
            path.push(current);
            current = next.get(current);
        }
        const begin = current === undefined ? -1 : path.indexOf(current);
        if (begin >= 0 && path.length - begin > longest.length) {
            longest = path.slice(begin);
        }
    }
    return longest;
}

/** The one instance that another one waits for, if there is one only. */
function nextOf(instance: number, deadlock: Deadlock): number | undefined {
    const waits = deadlock.waits.get(instance) ?? [];
    const awaited = new Set(waits.map(wait => awaitedBy(instance, wait, deadlock)));
    const [only] = awaited;
    return awaited.size === 1 ? only : undefined;
}

/**
 * The only other instance that can end the wait; of several, the last one that has changed what is tested, as it holds
 * what the other one waits for.
 */
function awaitedBy(instance: number, { obstacle }: Wait, { scene, run, holders }: Deadlock): number | undefined {
    if (obstacle.kind === 'partner') {
        return holders.get(obstacle.partner) ?? obstacle.partner;
    }
    const { model } = scene;
    const length = emptyChannelOf(obstacle.test, model);
    const cells = sharedCells(obstacle.test, model);
    const movers = length === undefined ? writersOf(cells, model) : sendersOf(length, scene);
    const able = new Set(movers);
    able.delete(instance);
    if (able.size < 2 || length !== undefined) {
        const [only] = able;
        return able.size === 1 ? only : undefined;
    }
    const change = lastChangeOf(cells, model, run);
    return change?.instances.find(other => able.has(other));
}

/** The cells of a test that others may write. */
function sharedCells(test: SequentialExpression, { cells }: SequentialModel): readonly number[] {
    return supportOf(test).filter(cell => cells[cell].kind !== 'counter');
}

/** Obstacles that a line names. */
const MOST_WAITS = 2;

function lineOf(instance: number, deadlock: Deadlock): ReasonLine {
    const { scene } = deadlock;
    const name = `\`${scene.model.instances[instance].name}\``;
    const waits = deadlock.waits.get(instance) ?? [];
    if (waits.length === 0) {
        return { text: `${name} is ${scene.placeText(instance)}, and no step ever goes on from there` };
    }
    const texts = [...new Set(waits.map(wait => waitText(instance, wait, deadlock)))];
    const shown = texts.slice(0, MOST_WAITS).join('; or ');
    const more = texts.length > MOST_WAITS ? `; or ${texts.length - MOST_WAITS} more` : '';
    return { text: `${name} waits ${shown}${more}`, range: waits[0].step.range };
}

function waitText(instance: number, wait: Wait, { scene, run, holders }: Deadlock): string {
    const { model } = scene;
    const { obstacle } = wait;
    const what = awaitedText(instance, wait, scene);
    if (obstacle.kind === 'partner') {
        const holder = holders.get(obstacle.partner);
        const partner = `\`${model.instances[obstacle.partner].name}\``;
        const why =
            holder === undefined
                ? `${scene.locationText(obstacle.partner)}${obstacle.isThere ? ' and is not ready' : ''}`
                : `${partner} is held by \`${model.instances[holder].name}\``;
        return `${what}: ${why}`;
    }
    const length = lengthTestOf(obstacle.test, model);
    if (length !== undefined) {
        const mayCome = !length.isEmpty || sendersOf(length.cell, scene).length > 0;
        return `${what}, which is ${length.isEmpty ? 'empty' : 'full'}${mayCome ? '' : ', and nobody can send any more'}`;
    }
    const [part] = falsePart(obstacle.test, scene);
    const change = lastChangeOf(sharedCells(obstacle.test, model), model, run);
    const since =
        change === undefined
            ? ''
            : `; last changed in step ${change.step} by ${listOf(change.instances.map(each => `\`${model.instances[each].name}\``))}`;
    return `${what}: ${part?.text ?? 'it is false'}${since}`;
}

/** Where an instance waits and for what: `` at `look` for `!taken` ``, `` for a message on `link` ``. */
function awaitedText(instance: number, { event, obstacle }: Wait, scene: Scene): string {
    const { model } = scene;
    if (obstacle.kind === 'partner') {
        const partner = `\`${model.instances[obstacle.partner].name}\``;
        return event === undefined ? `${scene.placeText(instance)} for ${partner}` : `for \`${event}\``;
    }
    const length = lengthTestOf(obstacle.test, model);
    if (length === undefined) {
        return `${scene.placeText(instance)} for ${scene.quote(obstacle.test)}`;
    }
    const channel = `\`${channelWithLength(model.cells[length.cell].name) ?? ''}\``;
    return length.isEmpty ? `for a message on ${channel}` : `for room in ${channel}`;
}

/** Who cannot take a step in a state, although others can, and for what: `` 4 wait at `look` for `!taken` ``. */
export function whoWaits(model: SequentialModel, { state, names }: Standing): Reason {
    const scene = new Scene(model, state, () => undefined);
    const able = new Set<number>();
    const move = (summand: number): true => {
        model.summands[summand].participants.forEach(({ instance }) => able.add(instance));
        return true;
    };
    interpretedSuccessors(model).forEachFiring(state, { fired: move, faulted: move });
    const waiting = new Map<string, number[]>();
    for (const instance of model.instances.keys()) {
        const texts = new Set(waitsOf(instance, scene).map(wait => awaitedText(instance, wait, scene)));
        if (!able.has(instance) && texts.size > 0) {
            appendTo(waiting, [...texts].slice(0, MOST_WAITS).join(', or '), instance);
        }
    }
    const lines = [...waiting].map(([text, instances]) => {
        const [instance] = instances;
        const who = instances.length > 1 ? `${instances.length} wait` : `\`${model.instances[instance].name}\` waits`;
        return { instance, line: { text: `${who} ${text}` } };
    });
    const reason = foldAlike(lines, scene, []);
    return names === undefined ? reason : withNames(reason, names);
}

/** The cell with the length of the channel that a test finds empty. */
function emptyChannelOf(test: SequentialExpression, model: SequentialModel): number | undefined {
    const length = lengthTestOf(test, model);
    return length?.isEmpty === true ? length.cell : undefined;
}
