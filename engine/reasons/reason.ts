/** Why a state is a violation, in a few lines for a reader: plain data, with the places that the lines speak of. */
import type { SourceRange } from '../common/source-range.js';
import type { InstanceNames } from '../explore/instance-names.js';

/** A line of a reason. What the text of the model says, or could say, stands in backticks. */
export interface ReasonLine {
    readonly text: string;
    /** The place that the line speaks of. */
    readonly range?: SourceRange;
    /** Lines that say the same of others, folded into one: `and 4 more, the same by rotation`. */
    readonly alike?: { readonly text: string; readonly lines: readonly ReasonLine[] };
}

/** The first line tells the most. */
export type Reason = readonly ReasonLine[];

/** The same with the names that the run gives to instances. */
export function withNames(reason: Reason, names: InstanceNames): Reason {
    return reason.map(line => ({
        ...line,
        text: names.inText(line.text),
        ...(line.alike !== undefined && {
            alike: { text: names.inText(line.alike.text), lines: withNames(line.alike.lines, names) },
        }),
    }));
}
