/**
 * An exploration for each value of a parameter, the smallest first. A violation ends the sweep unless it is to go on
 * after violations; a limit ends it, since larger values would hardly be decided.
 */
import { OperationCancelled } from '../../engine/common/work-limit.js';
import type { ExploreDocument, SweepDocument, ViolationDocument } from '../document-schema.js';
import type { ParameterRange } from '../protocol.js';

/** One exploration, and what ended it early. */
export interface Explored {
    readonly document: ExploreDocument;
    readonly end: 'time' | 'interrupted' | undefined;
}

/** The model with one of the values has errors. */
export interface Failed<Failure> {
    readonly failure: Failure;
}

export interface SweepOptions<Failure, Result extends Explored = Explored> {
    /** Throws OperationCancelled, or an error that says that the time is over. */
    readonly explore: (value: number) => Promise<Result | Failed<Failure>>;
    readonly isTimeOver: (error: unknown) => boolean;
    readonly onExplored: (explored: Result, index: number) => void;
    readonly continueAfterViolation: boolean;
    /** Of all values together. */
    readonly timeoutSeconds: number | undefined;
}

export interface Swept {
    readonly document: SweepDocument;
    readonly isInterrupted: boolean;
}

/** Throws like `explore` if the time is over, or the user gives up, before the first value is explored. */
export async function sweep<Failure, Result extends Explored>(
    range: ParameterRange,
    options: SweepOptions<Failure, Result>,
): Promise<Swept | Failed<Failure>> {
    const documents: ExploreDocument[] = [];
    for (let value = range.first; value <= range.last; value++) {
        try {
            const explored = await options.explore(value);
            if ('failure' in explored) {
                return explored;
            }
            documents.push(explored.document);
            options.onExplored(explored, documents.length - 1);
            const { verdict } = explored.document;
            const isEnd = verdict === 'undecided' || (verdict === 'violated' && !options.continueAfterViolation);
            if (isEnd || explored.end !== undefined) {
                return { document: combined(range, documents), isInterrupted: explored.end === 'interrupted' };
            }
        } catch (error) {
            const isLate = options.isTimeOver(error);
            if (documents.length === 0 || !(isLate || error instanceof OperationCancelled)) {
                throw error;
            }
            const { timeoutSeconds } = options;
            const limit = isLate && timeoutSeconds !== undefined && { kind: 'time', value: timeoutSeconds };
            return { document: { ...combined(range, documents), ...(limit && { limit }) }, isInterrupted: !isLate };
        }
    }
    return { document: combined(range, documents), isInterrupted: false };
}

function combined({ name, first, last }: ParameterRange, documents: readonly ExploreDocument[]): SweepDocument {
    const verdicts = documents.map(({ verdict }) => verdict);
    const isWhole = documents.length === last - first + 1 && !verdicts.includes('undecided');
    const [{ schemaVersion, model, params } = NO_TITLE] = documents;
    return {
        schemaVersion,
        model,
        params: Object.fromEntries(Object.entries(params).filter(([parameter]) => parameter !== name)),
        verdict: verdicts.includes('violated') ? 'violated' : isWhole ? 'holds' : 'undecided',
        sweep: documents,
    };
}

const NO_TITLE: Pick<SweepDocument, 'schemaVersion' | 'model' | 'params'> = { schemaVersion: 1, model: '', params: {} };

export function violationsOf({ sweep: documents }: SweepDocument): readonly ViolationDocument[] {
    return documents.flatMap(({ violations }) => violations);
}
