/** The parts of a model held fixed because they are too large: each declaration or step once for all its cells. */
import { remembered } from '../common/list-map.js';
import { unreachable } from '../common/assert.js';
import type { ConstraintProblem, TooLarge } from '../constraints/constraint-problem.js';
import type { Model } from '../model/model.js';
import { declaredPlaces } from './describe-variables.js';
import type { HeldFixedReport } from './report.js';

/** Variables with too many values, then steps, then conditions on initial states; empty if nothing is too large. */
export function describeTooLarge(model: Model, problem: ConstraintProblem): HeldFixedReport[] {
    const { domains, sequential, tooLarge } = problem;
    const isUnlisted = problem.complete ? domains.map(codes => codes.length === 0) : [];
    if (tooLarge.length === 0 && !isUnlisted.includes(true)) {
        return [];
    }
    const namesOf = (indices: readonly number[]): string[] =>
        indices
            .map(index => sequential.cells[index])
            .filter(({ kind }) => kind !== 'temporary')
            .map(({ name }) => name);
    const places = declaredPlaces(model, sequential);
    const unlisted = places.flatMap(({ name, range, parts }): HeldFixedReport[] => {
        const cells = parts.flatMap(part => part.cells).filter(cell => isUnlisted[cell]);
        const message = `\`${name}\` has too many values to be listed, so nothing moves it or its values`;
        return cells.length === 0 ? [] : [{ message, range, cells: namesOf(cells) }];
    });
    const found = new Map<string, { readonly said: Said; readonly cells: Set<number> }>();
    for (const constraint of tooLarge) {
        const said = wordsFor(constraint, model, problem);
        const { start } = said.range;
        const key = `${said.range.uri} ${start.line} ${start.character} ${said.message}`;
        const { cells } = remembered(found, key, () => ({ said, cells: new Set<number>() }));
        constraint.cells.forEach(cell => cells.add(cell));
    }
    return [
        ...unlisted,
        ...[...found.values()].map(({ said, cells }) => ({
            ...said,
            cells: namesOf([...cells].sort((a, b) => a - b)),
        })),
    ];
}

type Said = Omit<HeldFixedReport, 'cells'>;

function wordsFor({ kind, index }: TooLarge, model: Model, { sequential }: ConstraintProblem): Said {
    switch (kind) {
        case 'summand': {
            const { label, participants } = sequential.summands[index];
            const names = participants.map(
                ({ instance }) => model.processes[sequential.instances[instance].process].name,
            );
            const of = [...new Set(names)].map(name => `\`${name}\``).join(' and ');
            const message = `\`${label}\` of ${of} is too large to be compared, so nothing that it touches may move`;
            return { message, range: participants[0].range };
        }
        case 'initial-value': {
            const { cell, value } = sequential.initial[index];
            const { name, declaration } = sequential.cells[cell];
            const range = 'range' in value ? value.range : declaration;
            return { message: `the initial value of \`${name}\` ${CONDITION}`, range };
        }
        case 'initial-condition': {
            const condition = sequential.initialConditions[index];
            const range = 'range' in condition ? condition.range : model.nameRange;
            return { message: `this condition on the initial states ${CONDITION}`, range };
        }
        default:
            return unreachable(kind);
    }
}

const CONDITION = 'is too large to be compared, so nothing that it is about may move';
