/** The cost of fairness: constraints without which the others keep all symmetries of the model, and what they fix. */
import { appendTo } from '../common/list-map.js';
import { keyOfRange, type SourceRange } from '../common/source-range.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem } from '../constraints/constraint-problem.js';
import type { FairnessReport, PropertyCost, SymmetryReport } from '../describe/report.js';
import { formatLargeCount } from '../describe/words.js';
import type { Model } from '../model/model.js';
import type { FairnessConstraint } from '../sequential/sequential-model.js';
import type { Detection } from '../symmetry/detect.js';
import type { ModelGroup } from '../symmetry/model-symmetry.js';
import { groupKeepingMarkers } from '../symmetry/run-groups.js';
import { quotePlaces, type TextPlace } from './places.js';
import { describeLoss } from './property-cost.js';
import { minimalSet } from './smallest-set.js';

/**
 * The first constraint of each place that costs symmetries, if not all are kept: without these places all are. Undefined
 * at the limit.
 */
export function costlyConstraints(
    problem: ConstraintProblem,
    whole: ModelGroup,
    limit: WorkLimit,
): readonly number[] | undefined {
    const { fairness } = problem.sequential;
    const ofPlace = new Map<string, number[]>();
    fairness.forEach(({ range }, constraint) => {
        appendTo(ofPlace, keyOfRange(range), constraint);
    });
    const keepAllWithout = (places: readonly (readonly number[])[]): boolean => {
        const left = new Set(places.flat());
        const others = fairness.filter((_, constraint) => !left.has(constraint));
        return groupKeepingMarkers(problem, whole, others, 0, limit)?.group === whole;
    };
    return minimalSet([...ofPlace.values()], keepAllWithout, limit)?.map(([first]) => first);
}

/** `kept` are the symmetries that fairness keeps, and `costly` the first constraint of each place to name. */
export function fairnessCost(
    model: Model,
    { order, structure }: Pick<SymmetryReport, 'order' | 'structure'>,
    keeps: NonNullable<FairnessReport['keeps']>,
    detection: Detection,
    kept: ModelGroup,
    costly: readonly number[],
): PropertyCost {
    const { fairness } = detection.encoding.problem.sequential;
    const places = costly.map((constraint): TextPlace => ({
        range: fairness[constraint].range,
        text: wordsOf(fairness[constraint], model),
    }));
    const message =
        `${quotePlaces(places)} ${describeLoss(detection, kept, places.length > 1)}: ` +
        `${structure} becomes ${keeps.structure}, ${formatLargeCount(keeps.order)} of ${formatLargeCount(order)} symmetries remain`;
    return { message, locations: places.map(({ range, text }) => ({ range, text })) };
}

/** `assume calm`, `fair process P`, `strong fair event meet`, `strong fair enter`. */
function wordsOf({ kind, name, range }: FairnessConstraint, { processes, events }: Model): string {
    const fair = kind === 'weak' ? 'fair' : 'strong fair';
    const isHere = ({ nameRange }: { readonly nameRange: SourceRange }): boolean =>
        keyOfRange(nameRange) === keyOfRange(range);
    const process = processes.find(isHere);
    const event = events.find(isHere);
    return kind === 'assumption'
        ? `assume ${name}`
        : process !== undefined
          ? `${fair} process ${process.name}`
          : event !== undefined
            ? `${fair} event ${event.name}`
            : `${fair} ${name.slice(0, name.indexOf(' of '))}`;
}
