/**
 * Edits of the text that restore a missing symmetry, if each place that breaks it has one; the changed model is tried.
 * `var first: Id = 0` becomes `any`, `forall k in 1 .. N - 1` runs through `Id`, `j < i` becomes `j != i`.
 */
import type { SourceRange } from '../common/source-range.js';
import type { EditReport, RepairReport } from '../describe/report.js';
import type { Expression } from '../model/expression.js';
import { replaceParts } from '../model/replace-parts.js';
import { neutralize } from './neutralize.js';
import type { ModelPlace } from './places.js';
import type { Question, Trials } from './trials.js';

interface PlaceRepair {
    readonly title: string;
    readonly edit: EditReport;
    /** The comparison that becomes `!=`; other places are neutralized. */
    readonly comparison?: Comparison;
}

type Comparison = Extract<Expression, { kind: 'binary' }>;

/** At most one repair, with an edit for each of the places that stand against the question. */
export function repairsFor(places: readonly ModelPlace[], question: Question, trials: Trials): RepairReport[] {
    const repairs = places.map(placeRepair);
    if (!repairs.every(repair => repair !== undefined)) {
        return [];
    }
    const comparisons = new Set<object>(repairs.flatMap(({ comparison }) => comparison ?? []));
    const neutralized = places.filter((_, index) => repairs[index].comparison === undefined);
    const repaired = neutralize(
        replaceParts(trials.model, part => (comparisons.has(part) ? { ...part, operator: '!=' } : undefined)),
        new Set(neutralized.map(({ key }) => key)),
    );
    const trial = repaired && trials.of(repaired);
    if (trial === undefined || !question.holds(trial)) {
        return [];
    }
    return [{ title: repairs.map(({ title }) => title).join(', '), edits: repairs.map(({ edit }) => edit) }];
}

function placeRepair({ kind, range, text, subject }: ModelPlace): PlaceRepair | undefined {
    switch (subject?.kind) {
        case 'start':
            return {
                title: `Let \`${subject.name}\` start with any value`,
                edit:
                    subject.declaration === undefined
                        ? { range, newText: 'any' }
                        : { range: { ...subject.declaration, start: subject.declaration.end }, newText: ' = any' },
            };
        case 'range':
            return {
                title: `Let \`${subject.name}\` run through all of \`${subject.type}\``,
                edit: { range, newText: subject.type },
            };
        case 'difference':
            return {
                title: `Write \`${subject.newText}\` in place of \`${text}\``,
                edit: { range, newText: subject.newText },
            };
        case 'expression': {
            const { expression } = subject;
            const isOrder =
                (kind === 'test' || kind === 'comparison') &&
                expression.kind === 'binary' &&
                ['<', '<=', '>', '>='].includes(expression.operator);
            return isOrder
                ? {
                      title: `Compare with \`!=\` in \`${text}\``,
                      edit: { range: between(expression.left.range, expression.right.range), newText: ' != ' },
                      comparison: expression,
                  }
                : undefined;
        }
        default:
            return undefined;
    }
}

function between(first: SourceRange, second: SourceRange): SourceRange {
    return { uri: first.uri, start: first.end, end: second.start };
}
