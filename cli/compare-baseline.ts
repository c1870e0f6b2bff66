/** A model's symmetries against a baseline: the groups that shrank, and the places to blame for it. */
import { AnalysisMemory } from '../engine/analysis-memory.js';
import type { Problem, RelatedLocation } from '../engine/common/problem.js';
import type { SourceRange } from '../engine/common/source-range.js';
import { createTextOf } from '../engine/common/source-text.js';
import { createWorkLimit } from '../engine/common/work-limit.js';
import type { BrokenSymmetry, SymmetryReport } from '../engine/describe/report.js';
import { REFUTED, formatLargeCount } from '../engine/describe/words.js';
import { quotePlace } from '../engine/explain/places.js';
import type { Model } from '../engine/model/model.js';
import { DETECTION_SECONDS } from './analysis.js';
import {
    type Baseline,
    type BaselineEntry,
    type BaselineGroup,
    baselineEntry,
    isSameEntry,
    knownEntry,
} from './baseline.js';
import { EXIT, type ExitCode } from './exit-code.js';
import type { CommandIo } from './io.js';
import type { LoadedFile } from './load.js';

export interface Compared {
    readonly exitCode: ExitCode;
    readonly problems: readonly Problem[];
    /** What the model has now; absent if that is not known for certain. */
    readonly entry?: BaselineEntry;
}

/** `name` is that of the model in the baseline. Without a baseline nothing is compared. */
export async function compareWithBaseline(
    { name, model, loaded }: { readonly name: string; readonly model: Model; readonly loaded: LoadedFile },
    baseline: Baseline | undefined,
    io: CommandIo,
): Promise<Compared> {
    const { analyze } = await import('../engine/pipeline.js');
    const memory = new AnalysisMemory();
    const textOf = createTextOf(uri => loaded.textOf(loaded.fileOf(uri)));
    const reportOf = (explain: boolean): SymmetryReport | undefined => {
        const workLimit = createWorkLimit({ now: io.now, budgetMilliseconds: DETECTION_SECONDS * 1000 });
        return io.finish(() => analyze(model, { now: io.now, workLimit, memory, textOf, explain }), Infinity).symmetry
            ?.report;
    };
    const report = reportOf(false);
    if (report === undefined) {
        return { exitCode: EXIT.holds, problems: [] };
    }
    const problem = (severity: Problem['severity'], code: string, message: string): Problem[] => [
        { severity, code, message, range: model.nameRange },
    ];
    if (report.refuted) {
        return { exitCode: EXIT.defect, problems: problem('error', 'symmetry/refuted', REFUTED) };
    }
    if (report.undescribed === true || (!report.complete && report.heldFixed === undefined)) {
        const message = `the symmetries were not found within ${DETECTION_SECONDS} s, so they are not compared`;
        return { exitCode: EXIT.undecided, problems: problem('error', 'limit/symmetry', message) };
    }
    const entry = baselineEntry(name, model, report);
    if (baseline === undefined) {
        return { exitCode: EXIT.holds, problems: [], entry };
    }
    const known = knownEntry(baseline, entry);
    if (typeof known === 'string') {
        const message = `${known}; --update-baseline adds it`;
        return { exitCode: EXIT.wrong, problems: problem('error', 'symmetry/no-baseline', message), entry };
    }
    const shrunk = shrunkParts(known, entry, report);
    if (shrunk.length > 0) {
        const explained = reportOf(true) ?? report;
        const problems = shrunk.map(part => shrunkProblem(part, explained, model));
        return { exitCode: EXIT.violated, problems, entry };
    }
    const [was, is] = [known, entry].map(describeGroup);
    const what = was === is ? 'its parts have changed' : `it has ${is} now, and ${was} in the baseline`;
    return {
        exitCode: EXIT.holds,
        problems: isSameEntry(known, entry)
            ? []
            : problem(
                  'information',
                  'symmetry/grown',
                  `no group of the model is smaller than in the baseline, but ${what}: --update-baseline records it`,
              ),
        entry,
    };
}

/** A group that is smaller than it was. */
interface ShrunkPart {
    /** ``the symmetries of `P` `` */
    readonly subject: string;
    readonly was: BaselineGroup;
    readonly is: BaselineGroup;
    /** The declaration; absent for the group as a whole. */
    readonly range?: SourceRange;
}

const TRIVIAL: BaselineGroup = { order: '1', structure: 'trivial' };

/** Families and types that are still declared; the whole group if none of them says it. */
function shrunkParts(was: BaselineEntry, is: BaselineEntry, { families, types }: SymmetryReport): ShrunkPart[] {
    const parts = [
        ...families.map(({ name, range }) => ({
            subject: `the symmetries of the instances of \`${name}\``,
            range,
            was: was.families[name],
            is: is.families[name] ?? TRIVIAL,
        })),
        ...types.map(({ name, range }) => ({
            subject: `the symmetries of the values of \`${name}\``,
            range,
            was: was.types[name],
            is: is.types[name] ?? TRIVIAL,
        })),
    ].flatMap(part => (part.was !== undefined && isSmaller(part.is, part.was) ? [{ ...part, was: part.was }] : []));
    const whole = { subject: 'the symmetries of the model', was, is };
    return parts.length === 0 && isSmaller(is, was) ? [whole] : parts;
}

function isSmaller(one: BaselineGroup, other: BaselineGroup): boolean {
    return BigInt(one.order) < BigInt(other.order);
}

/** At the first place that breaks the symmetry; at the declaration if no place is known. */
function shrunkProblem({ subject, was, is, range }: ShrunkPart, report: SymmetryReport, model: Model): Problem {
    const own = report.broken.filter(({ declaration }) => range !== undefined && isSame(declaration, range));
    const broken = own.length > 0 ? own : report.broken;
    const why = [
        ...new Set([...broken.map(({ message }) => message), ...(broken.length > 0 ? [] : otherReasons(report))]),
    ];
    const [first, ...others] = broken.flatMap(placesOf);
    return {
        severity: 'error',
        code: 'symmetry/shrunk',
        message: `${subject} shrank from ${describeGroup(was)} to ${describeGroup(is)}: ${why.join('; ')}`,
        range: first?.range ?? range ?? model.nameRange,
        ...(others.length > 0 && { related: others }),
    };
}

function otherReasons({ unexplained = [], heldFixed = [] }: SymmetryReport): readonly string[] {
    const reasons = [...heldFixed.map(({ message }) => message), ...unexplained];
    return reasons.length > 0 ? reasons : ['no declaration suggests more than there is'];
}

function placesOf({ locations, counterparts }: BrokenSymmetry): RelatedLocation[] {
    return [
        ...locations.map(place => ({ range: place.range, message: `${quotePlace(place)} breaks it` })),
        ...counterparts,
    ];
}

function isSame(one: SourceRange, other: SourceRange): boolean {
    return JSON.stringify(one) === JSON.stringify(other);
}

function describeGroup({ structure, order }: BaselineGroup): string {
    return `${structure} (${formatLargeCount(order)})`;
}
