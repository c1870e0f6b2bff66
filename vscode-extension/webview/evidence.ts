/** The runs that a result has to show: those of its violations, then those that are to exist. */
import { formatRun, formatViolation, isRun, isUnexpected } from '../../engine/describe/words.js';
import type { ExploreDocument, TraceEntryDocument, ViolationDocument } from '../../language-server/document-schema.js';

export interface Evidence {
    readonly title: string;
    readonly trace: readonly TraceEntryDocument[];
    readonly violation?: ViolationDocument;
}

/** Violations come first, so that they keep their numbers. */
export function evidenceIn({ violations, properties = [] }: ExploreDocument): readonly Evidence[] {
    return [
        ...violations.map((violation): Evidence => ({
            title: formatViolation(violation) + (violation.expected === true ? ', as expected' : ''),
            trace: violation.trace,
            violation,
        })),
        ...properties
            .filter(isRun)
            .flatMap((run): Evidence[] =>
                run.trace === undefined ? [] : [{ title: `\`${run.name}\` is ${formatRun(run)}`, trace: run.trace }],
            ),
    ];
}

/** The number of the one to begin with: what is not as the text says, else the run that was asked for, else the first. */
export function firstEvidence(result: ExploreDocument, property: string | undefined): number {
    const wrong = result.violations.findIndex(isUnexpected);
    const asked = (result.properties ?? []).filter(isRun).filter(({ trace }) => trace !== undefined);
    const own = asked.findIndex(({ name }) => name === property);
    return wrong >= 0 ? wrong : own >= 0 ? result.violations.length + own : 0;
}
