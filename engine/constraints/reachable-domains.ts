/**
 * Which codes each cell can have at all, and each local at each location of its instance: a sound fixpoint.
 *
 * Values that never occur make symmetries that mean nothing, so literals that provably cannot occur are left out; and
 * they make faults that cannot happen, so a local is looked at location by location (after `while k < N` the index
 * `turn[k]` is in range). It starts with the initial codes; a summand whose tests can hold over the current codes adds
 * the codes of its effects. Tests are narrowed together to a fixpoint, so that no order among them matters and the
 * result is as symmetric as the model. Where an expression reads too much to be evaluated for all assignments, every
 * code of the domain is added.
 */
import { sameNumbers } from '../common/same-data.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { Cell, Participant, SequentialModel } from '../sequential/sequential-model.js';
import type { Written } from './code-flow.js';
import { goThroughRounds, type RoundsOutcome } from './domain-rounds.js';
import type { Domains } from './formula.js';
import type { CodeLists, PlacedFragment } from './fragment.js';
import { carriedBy, ownersOf, PreparedSummands } from './prepared-summand.js';
import { same, sameControl, samePlace, sameRenaming, sameStart } from './same-behavior.js';
import { SummandStarts, type SummandDomains } from './summand-starts.js';

export interface ReachableDomains {
    /** For each cell the codes it can have, ascending. */
    readonly domains: Domains;
    /**
     * The same where a summand may fire: the locals of its participants have what they can have at their locations.
     * Undefined where a participant never gets to its location.
     */
    at(summand: number): SummandDomains | undefined;
    /** Whether the control of an instance may come to one of its locations. */
    reaches(instance: number, location: number): boolean;
    /** How they were found. */
    readonly course: Course;
}

/** What the rounds have come to for a model, and what was asked afterwards. */
interface Course {
    readonly sequential: SequentialModel;
    readonly placed: readonly PlacedFragment[];
    readonly outcome: RoundsOutcome;
    /** What `at` has said of summands. */
    readonly starts: Map<PlacedFragment, SummandDomains | undefined>;
}

/**
 * `placed` are the fragments of the summands; `lists` belongs to the same cache. Where every round would go as it went
 * for the model `before`, none is gone through again. Throws EncodingStopped where the limit is exhausted.
 */
export function reachableDomains(
    sequential: SequentialModel,
    placed: readonly PlacedFragment[],
    lists: CodeLists,
    limit: WorkLimit,
    before?: ReachableDomains,
): ReachableDomains {
    const summands = new PreparedSummands(sequential, placed);
    // No closure holds `before`, else every analysis would keep the one before it.
    const known =
        before !== undefined && goesAlike(before.course, sequential, placed, lists) ? before.course : undefined;
    const outcome = known?.outcome ?? goThroughRounds(sequential, summands, lists, limit);
    const starts = new Map<PlacedFragment, SummandDomains | undefined>();
    for (const place of placed) {
        if (known?.starts.has(place) === true) {
            starts.set(place, known.starts.get(place));
        }
    }
    const summandStarts = new SummandStarts(sequential, summands, outcome);
    return {
        course: { sequential, placed, outcome, starts },
        domains: outcome.domains,
        at: summand => {
            const place = placed[summand];
            if (!starts.has(place)) {
                starts.set(place, summandStarts.of(summand, lists));
            }
            return starts.get(place);
        },
        reaches: (instance, location) => outcome.localCodes[instance][location] !== undefined,
    };
}

/**
 * Whether every round for a model goes as it went for another one: both begin alike, every summand sees the same cells,
 * and each that is new does the same as the one in its place, over all codes that this one was asked for. Then no round
 * is the first to go otherwise.
 */
function goesAlike(
    course: Course,
    sequential: SequentialModel,
    placed: readonly PlacedFragment[],
    lists: CodeLists,
): boolean {
    const { summands } = course.sequential;
    return (
        placed.length === course.placed.length &&
        placed.every((place, summand) => {
            const other = course.placed[summand];
            const { participants } = sequential.summands[summand];
            return (
                sameControl(summands[summand], sequential.summands[summand]) &&
                (samePlace(other, place) ||
                    (sameView(other, place) &&
                        firesAlike(
                            other,
                            place,
                            sequential.cells,
                            participants,
                            course.outcome.firedOver[summand],
                            lists,
                        )))
            );
        }) &&
        sameStart(course.sequential, sequential)
    );
}

/** Whether two summands have the same cells, read the same ones and write the same ones. */
function sameView(first: PlacedFragment, second: PlacedFragment): boolean {
    const [a, b] = [first.transition.transition, second.transition.transition];
    return (
        sameNumbers(first.cells, second.cells) &&
        same(first.renamings, second.renamings, sameRenaming) &&
        sameNumbers(a.reads, b.reads) &&
        sameNumbers([...a.effects.keys()], [...b.effects.keys()])
    );
}

/** Whether two summands of the same view write the same over each of some codes, and leave the same in their own locals. */
function firesAlike(
    first: PlacedFragment,
    second: PlacedFragment,
    cells: readonly Cell[],
    participants: readonly Participant[],
    codes: readonly Domains[],
    lists: CodeLists,
): boolean {
    const owners = ownersOf(second, cells, participants);
    const carried = carriedBy(second, cells, owners);
    return codes.every(entered => {
        const [a, b] = [first, second].map(({ transition }) => transition.firings.of(entered, carried, lists));
        return (
            a === b ||
            (a !== 'never' &&
                b !== 'never' &&
                a.isFault === b.isFault &&
                a.isEndless === b.isEndless &&
                same(a.written, b.written, sameWritten) &&
                owners.every((owner, local) => owner < 0 || sameNumbers(a.kept[local] ?? [], b.kept[local] ?? [])))
        );
    });
}

function sameWritten(first: Written | undefined, second: Written | undefined): boolean {
    return first === undefined || second === undefined
        ? first === second
        : first.mayKeep === second.mayKeep && sameNumbers(first.codes, second.codes);
}
