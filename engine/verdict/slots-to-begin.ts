/** How many slots a search begins with: what walks from state to state use, without symmetries and in a short time. */
import { createRandom } from '../common/random.js';
import { withinQuestions, type WorkLimit } from '../common/work-limit.js';
import { createdBy, slotsOf, type Slots } from './enough-slots.js';
import { FEW_QUESTIONS, InitialStates } from '../explore/initial/initial-states.js';
import { interpretedSuccessors } from '../explore/successors.js';
import type { Model } from '../model/model.js';
import { withSlots } from '../model/with-slots.js';
import { linearize } from '../sequential/linearize.js';
import { withRealNumbers } from '../sequential/numbers/real-numbers.js';
import type { SequentialModel, TemplateSlots } from '../sequential/sequential-model.js';
import { looksOnPath } from '../sequential/templates/looks-on-path.js';
import { noteUsage } from '../sequential/templates/slot-usage.js';

/** So that there is a symmetry. */
const LEAST_SLOTS = 2;

const WALKS = 8;
const STEPS = 100;

type IsUsable = (sequential: SequentialModel | undefined) => boolean;

/** As many slots as walks have used, and more where one of them then misses a slot; never more than `mostOf` a template says. */
export function slotsToBegin(
    model: Model,
    given: SequentialModel,
    mostOf: (template: TemplateSlots) => number,
    limit: WorkLimit,
    isUsable: IsUsable,
): Slots {
    const { templates = [] } = given;
    const withinMost = new Map(
        templates.map(template => [template.process, Math.min(template.slots.length, mostOf(template))]),
    );
    let sequential = modelWith(withinMost, model, given, isUsable);
    for (;;) {
        const missed = walk(sequential, limit);
        if (missed.size === 0 || [...missed].some(template => template.slots.length >= mostOf(template))) {
            break;
        }
        const grown = new Map(slotsOf(sequential));
        missed.forEach(template => {
            grown.set(template.process, Math.min(2 * template.slots.length, mostOf(template)));
        });
        const more = modelWith(grown, model, sequential, isUsable);
        if (more === sequential) {
            break;
        }
        sequential = more;
    }
    const used = new Map(
        (sequential.templates ?? []).map(template => {
            const { process, usage, named = 0 } = template;
            return [process, Math.min(Math.max(LEAST_SLOTS, named, usage.mostNamed), mostOf(template))];
        }),
    );
    const tight = modelWith(used, model, sequential, isUsable);
    const missed = tight === sequential ? new Set() : walk(tight, limit);
    return new Map(
        (tight.templates ?? []).map(template => {
            const { process, slots } = template;
            const more = missed.has(template) ? mostCreatedAtOnce(tight, template) : 0;
            return [process, Math.min(slots.length + more, mostOf(template))];
        }),
    );
}

/** The given sequential model if it has these slots, or if that with these is not usable. */
function modelWith(slots: Slots, model: Model, given: SequentialModel, isUsable: IsUsable): SequentialModel {
    if (areSame(slots, slotsOf(given))) {
        return given;
    }
    const { sequential } = linearize(withSlots(model, slots));
    return sequential !== undefined && isUsable(sequential) ? sequential : given;
}

/**
 * The templates for which walks have missed a slot; counts the slots that they use. In every other walk instances are
 * created whenever that is possible.
 */
function walk(given: SequentialModel, limit: WorkLimit): ReadonlySet<TemplateSlots> {
    const model = withRealNumbers(given);
    const { templates = [], cells, summands } = model;
    const successors = interpretedSuccessors(model);
    const initial = new InitialStates(model);
    const random = createRandom(1);
    const missed = new Set<TemplateSlots>();
    const creates = summands.map((_, summand) => createdBy(model, summand).length > 0);
    const state = new Int32Array(cells.length);
    const next = new Int32Array(cells.length);
    for (let number = 0; number < WALKS && missed.size === 0 && !limit.isExhausted(); number++) {
        if (!initial.chooseInto(state, random, withinQuestions(limit, FEW_QUESTIONS))) {
            break;
        }
        for (let step = 0; step < STEPS && missed.size === 0; step++) {
            for (const template of templates) {
                noteUsage(template, cells, state);
            }
            // Each of the firings is chosen equally likely.
            let [firings, creations] = [0, 0];
            successors.forEachFiring(state, {
                fired: (summand, successor) => {
                    const isPreferred = number % 2 === 1 && creates[summand];
                    const isAmong = isPreferred || creations === 0;
                    creations += isPreferred ? 1 : 0;
                    firings++;
                    if (isAmong && random.below(isPreferred ? creations : firings) === 0) {
                        next.set(successor);
                    }
                    return true;
                },
                faulted: (summand, { kind }) => {
                    if (kind === 'slots') {
                        createdBy(model, summand).forEach(template => missed.add(template));
                    }
                    return true;
                },
            });
            if (firings === 0) {
                break;
            }
            state.set(next);
        }
    }
    return missed;
}

function mostCreatedAtOnce({ summands }: SequentialModel, template: TemplateSlots): number {
    const counts = summands.map(({ participants }) =>
        participants.flatMap(({ path }) => looksOnPath(path).filter(look => look.template === template)),
    );
    return counts.reduce((most, { length }) => Math.max(most, length), 0);
}

export function areSame(first: Slots, second: Slots): boolean {
    return [...first].every(([process, count]) => second.get(process) === count);
}
