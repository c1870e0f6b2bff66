/**
 * The single change of a log that lets most of its lines fit: a line left out, one missing, two exchanged, or one that
 * says something else. Each is tried from the candidates that were kept before the last lines.
 */
import type { WorkLimit } from '../common/work-limit.js';
import type { Candidate } from './candidates.js';
import type { NameMark } from './log-names.js';
import { Matcher, type Taken } from './matcher.js';
import type { Observation } from './observation.js';

export interface Repair {
    /** `missing`: a step before the line; `exchange`: the line and the next one; `other`: the line is some other step. */
    readonly kind: 'remove' | 'missing' | 'exchange' | 'other';
    readonly line: number;
    /** The step that is missing, or that the line would be. */
    readonly step?: string;
    /** The last line that then fits. */
    readonly reaches: number;
}

/** The candidates before a line. */
export interface Kept {
    readonly candidates: readonly Candidate[];
    readonly mark: NameMark;
}

/** The best ones, those nearest to the misfit first, and whether the limit has ended the search for others. */
export interface Repairs {
    readonly best: readonly Repair[];
    readonly isComplete: boolean;
}

const MOST_TOLD = 8;

/** Some lines of a log: those before which candidates are kept, the misfit as the last of them, and lines behind it. */
interface Lines {
    readonly kept: readonly Kept[];
    readonly observations: readonly Observation[];
}

/** `labels` are what a log shows. The names of the ground are as after some line, and so is what candidates have passed. */
export function repairsOf(
    { ground, passed }: Pick<Matcher, 'ground' | 'passed'>,
    { kept, observations }: Lines,
    labels: readonly string[],
    most: number,
    limit: WorkLimit,
): Repairs {
    const after = ground.names.mark;
    const misfit = kept.length - 1;
    const found: Repair[] = [];
    const { facts } = ground.steps;
    const isCalled =
        (label: string) =>
        (summand: number): boolean =>
            facts[summand].labels.has(label);
    /** The number of lines from the one at `next` on that fit behind a first change. */
    const reach = (position: number, change: (matcher: Matcher) => boolean, next: number): number => {
        const { candidates, mark } = kept[position];
        ground.names.returnTo(mark);
        const matcher = new Matcher(ground, most, passed);
        matcher.beginFrom(candidates);
        let line = next;
        if (!change(matcher)) {
            return -1;
        }
        while (line < observations.length && !limit.isExhausted() && fits(matcher.take(observations[line]))) {
            line++;
        }
        return line;
    };
    const add = (kind: Repair['kind'], position: number, reached: number, step?: string): void => {
        // That the misfit itself is passed says nothing where a line is behind it.
        if (reached > misfit + 1 || reached === observations.length) {
            const last = observations[Math.min(reached, observations.length) - 1];
            found.push({
                kind,
                line: observations[position].line,
                ...(step !== undefined && { step }),
                reaches: last.line,
            });
        }
    };
    for (let position = misfit; position >= 0 && !limit.isExhausted(); position--) {
        const [line, next] = [observations[position], observations[position + 1]];
        add(
            'remove',
            position,
            reach(position, () => true, position + 1),
        );
        if (next !== undefined) {
            const exchanged = (matcher: Matcher): boolean => fits(matcher.take(next)) && fits(matcher.take(line));
            add('exchange', position, reach(position, exchanged, position + 2));
        }
        for (const label of labels) {
            const step = (matcher: Matcher): boolean => fits(matcher.takeAny(isCalled(label)));
            add('missing', position, reach(position, step, position), label);
            add('other', position, reach(position, step, position + 1), label);
        }
    }
    ground.names.returnTo(after);
    const farthest = Math.max(...found.map(({ reaches }) => reaches));
    return {
        best: withoutOthers(found.filter(({ reaches }) => reaches === farthest)).slice(0, MOST_TOLD),
        isComplete: !limit.isExhausted(),
    };
}

function fits({ kind }: Taken): boolean {
    return kind === 'fits';
}

/** If several steps could stand for a line, no one is named; a line that may be left out need not be another step. */
function withoutOthers(repairs: readonly Repair[]): readonly Repair[] {
    const isFirst = (repair: Repair, index: number): boolean =>
        repairs.findIndex(({ kind, line }) => kind === repair.kind && line === repair.line) === index;
    return repairs.filter(isFirst).map(repair => {
        const alike = repairs.filter(({ kind, line }) => kind === repair.kind && line === repair.line);
        const { step: _, ...unnamed } = repair;
        return alike.length > 1 ? unnamed : repair;
    });
}
