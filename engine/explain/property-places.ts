/**
 * The parts of an invariant that may cost symmetries, and the invariant without them.
 *
 * A part is a condition inside the invariant. To neutralize it is to leave it out (conditions.ts).
 */
import type { SourceRange } from '../common/source-range.js';
import type { Expression } from '../model/expression.js';
import type { Model } from '../model/model.js';
import { formatExpression } from '../model/print.js';
import { always, withoutConditions } from './conditions.js';
import { mentionsOrder, NO_TEXT, wordsAt, type Place, type TextOfRange } from './places.js';

export interface PropertyPlace extends Place {
    /** Whether there is no smaller condition inside. */
    readonly isLeaf: boolean;
}

/** The conditions in an invariant, the shortest first; the last one is the whole. */
export function placesOfInvariant(model: Model, invariant: number, textOf: TextOfRange = NO_TEXT): PropertyPlace[] {
    const places: PropertyPlace[] = [];
    withoutConditions(model.invariants[invariant].expression, condition => {
        const { range } = condition;
        const text = wordsAt(range, textOf, () => formatExpression(model, undefined, condition));
        places.push({ range, text, mentionsOrder: mentionsOrder(condition), isLeaf: isLeaf(condition) });
        return false;
    });
    return places.sort((a, b) => a.text.length - b.text.length);
}

function isLeaf(condition: Expression): boolean {
    let asked = 0;
    withoutConditions(condition, () => ++asked < 0);
    return asked === 1;
}

/** The model without these parts of an invariant. */
export function neutralizeInInvariant(model: Model, invariant: number, ranges: ReadonlySet<SourceRange>): Model {
    return {
        ...model,
        invariants: model.invariants.map((stated, index) =>
            index === invariant
                ? {
                      ...stated,
                      expression:
                          withoutConditions(stated.expression, ({ range }) => ranges.has(range)) ??
                          always(stated.expression),
                  }
                : stated,
        ),
    };
}
