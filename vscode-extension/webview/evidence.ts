/** The runs that a result has to show: those of its violations, then those that are to exist. */
import { formatRun, isUnexpected } from '../../engine/describe/meant-words.js';
import { formatViolation, isRun } from '../../engine/describe/words.js';
import type { ExploreDocument, TraceEntryDocument, ViolationDocument } from '../../language-server/document-schema.js';

export interface Evidence {
    /** Of the violation, or of the run that is to exist. */
    readonly name: string;
    readonly title: string;
    readonly trace: readonly TraceEntryDocument[];
    readonly violation?: ViolationDocument;
}

/** Violations come first, so that they keep their numbers. */
export function evidenceIn({ violations, properties = [] }: ExploreDocument): readonly Evidence[] {
    return [
        ...violations.map((violation): Evidence => ({
            name: violation.name,
            title: formatViolation(violation) + (violation.expected === true ? ', as expected' : ''),
            trace: violation.trace,
            violation,
        })),
        ...properties
            .filter(isRun)
            .flatMap((run): Evidence[] =>
                run.trace === undefined
                    ? []
                    : [{ name: run.name, title: `\`${run.name}\` is ${formatRun(run)}`, trace: run.trace }],
            ),
    ];
}

/** The number of the one to begin with: what was asked for, else what is not as the text says, else the first. */
export function firstEvidence(found: readonly Evidence[], wanted: string | undefined): number {
    const isWrong = ({ violation }: Evidence): boolean => violation !== undefined && isUnexpected(violation);
    const [asked, wrong] = [found.findIndex(({ name }) => name === wanted), found.findIndex(isWrong)];
    return asked >= 0 ? asked : Math.max(0, wrong);
}
