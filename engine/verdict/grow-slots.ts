/**
 * Explorations of models whose instances are created: with as many slots as there are names at once. Walks say how many to
 * begin with (slots-to-begin.ts); where one is missing, its template gets twice as many, and the search begins again. A
 * search that ends without missing a slot has seen all classes of states of the model with endlessly many names.
 */
import type { Analysis, Explorable } from '../analysis.js';
import { invariant } from '../common/assert.js';
import type { WorkLimit } from '../common/work-limit.js';
import { exchangesInstances } from '../describe/describe-templates.js';
import type { ExplorationResult } from '../explore/search.js';
import type { ExplorationLimit, ExplorationReport, NamesOutcome, TemplateOutcome } from '../explore/verdict.js';
import type { Model } from '../model/model.js';
import { withSlots } from '../model/with-slots.js';
import { withAllSlots } from '../sequential/templates/all-slots.js';
import { linearize } from '../sequential/linearize.js';
import type { SequentialModel, TemplateSlots } from '../sequential/sequential-model.js';
import { MOST_INSTANCES, slotsOf, type Slots } from './enough-slots.js';
import type { Growth } from './phased-exploration.js';
import type { ReducedExplorationOptions } from './reduced-exploration.js';
import type { Reduced } from './reduction.js';
import { areSame, slotsToBegin } from './slots-to-begin.js';

type Analyzed = Omit<Analysis<unknown>, 'problems'>;

export class SlotGrowth implements Growth {
    readonly #options: ReducedExplorationOptions;
    readonly #analyze: (model: Model) => Analyzed;
    #given: Explorable;
    #rounds = 1;

    /** `analyze` finds the symmetries of the model with other slots, or those that `given` lacks. */
    constructor(
        given: Explorable,
        options: ReducedExplorationOptions,
        workLimit: WorkLimit,
        analyze: (model: Model) => Analyzed,
    ) {
        this.#options = options;
        this.#analyze = analyze;
        const { model, sequential } = given;
        const first = slotsToBegin(
            model,
            sequential,
            each => this.#mostOf(each),
            workLimit,
            more => this.#isListed(more),
        );
        const isSearchable = options.reduction === 'none' || given.symmetry !== undefined;
        this.#given =
            isSearchable && areSame(first, slotsOf(sequential)) ? given : (this.#analyzedWith(first, model) ?? given);
    }

    get given(): Explorable {
        return this.#given;
    }

    /** The same slots with other codes for numbers without end. */
    set given(given: Explorable) {
        this.#given = given;
    }

    after({ report }: ExplorationResult): Explorable | undefined {
        const missed = report?.limit;
        const isAnswered = report?.verdict === 'violated' && this.#options.continueAfterViolation !== true;
        const isMissing = missed?.kind === 'instances' || missed?.kind === 'names';
        const more = isMissing && !isAnswered ? this.#moreSlots(missed) : undefined;
        const grown = more && this.#analyzedWith(more, this.#given.model);
        if (grown !== undefined) {
            this.#rounds++;
            this.#given = grown;
        }
        return grown;
    }

    reportOn(report: ExplorationReport, reduced: Reduced): ExplorationReport {
        const { templates = [] } = this.#given.sequential;
        return {
            ...report,
            ...(report.reduction !== undefined && {
                reduction: { ...report.reduction, unique: report.reduction.unique && this.#isUpToNames(reduced) },
            }),
            // Where some steps are not taken, more instances may live than were seen.
            ...(reduced.parts.selection === undefined && outcomesOf(templates)),
            growthRounds: this.#rounds,
        };
    }

    /** Whether states that differ in names of instances are stored as one. */
    #isUpToNames({ report: { group } }: Reduced): boolean {
        const { templates = [], cells } = this.#given.sequential;
        return group !== undefined && templates.every(each => exchangesInstances(each, cells, group, group.generators));
    }

    #mostOf({ named }: TemplateSlots): number {
        const { maxInstances, maxNames } = this.#options;
        return Math.max(named ?? 0, (named === undefined ? maxInstances : maxNames) ?? MOST_INSTANCES);
    }

    /**
     * Twice as many, or fewer if there are too many ways to choose some of them, which symmetries are found among. If one
     * more is too many, the search has no symmetries. Undefined if the template has as many as it may have.
     */
    #moreSlots({ template: name }: ExplorationLimit): Slots | undefined {
        const { model, sequential } = this.#given;
        const slots = slotsOf(sequential);
        const template = sequential.templates?.find(each => each.name === name);
        invariant(template !== undefined, 'a slot is missing of a template');
        const { process } = template;
        const now = template.slots.length;
        const most = Math.min(2 * now, this.#mostOf(template));
        const withCount = (count: number): Slots => new Map(slots).set(process, count);
        for (let more = most - now; more > 0; more = Math.floor(more / 2)) {
            if (this.#isListed(linearize(withSlots(model, withCount(now + more))).sequential)) {
                return withCount(now + more);
            }
        }
        return now >= most || this.#options.reduction === 'unique' ? undefined : withCount(most);
    }

    #isListed(sequential: SequentialModel | undefined): boolean {
        return (
            sequential !== undefined && (this.#options.reduction === 'none' || withAllSlots(sequential) !== undefined)
        );
    }

    #analyzedWith(slots: Slots, given: Model): Explorable | undefined {
        const model = withSlots(given, slots);
        const found = this.#options.reduction === 'none' ? { model, ...linearize(model) } : this.#analyze(model);
        return found.sequential && { ...found, sequential: found.sequential };
    }
}

function outcomesOf(templates: readonly TemplateSlots[]): Pick<ExplorationReport, 'templates' | 'names'> {
    const outcomes = templates.filter(({ named }) => named === undefined).map(outcomeOf);
    const names = templates.filter(({ named }) => named !== undefined).map(outcomeOfNames);
    return { ...(outcomes.length > 0 && { templates: outcomes }), ...(names.length > 0 && { names }) };
}

function outcomeOf({ name, slots, usage }: TemplateSlots): TemplateOutcome {
    return { name, mostLive: usage.mostLive, mostNamed: usage.mostNamed, slots: slots.length };
}

function outcomeOfNames({ name, slots, usage }: TemplateSlots): NamesOutcome {
    return { name, mostNamed: usage.mostNamed, slots: slots.length };
}
