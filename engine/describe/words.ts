/** Results in words for all surfaces. It has no imports but types, because the panels use it. */
import { listed } from '../common/listed.js';
import type { PartialOrderOutcome } from '../explore/verdict.js';
import type { ParameterValue } from '../model/model.js';
import type {
    BrokenSymmetry,
    FairnessReport,
    FamilyReport,
    MembersReport,
    PropertyReport,
    SymmetryReport,
    TemplateReport,
    TypeReport,
} from './report.js';

/** `1,234,567`; digits of any length come as text. */
export function formatCount(count: number | bigint | string): string {
    return count.toString().replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `3,280`, or `≈ 1.27 × 10^89` from 10^15 on: for a line above the code. */
export function formatRoundedCount(count: number | bigint | string): string {
    const digits = count.toString();
    return digits.length <= 15 ? formatCount(digits) : `≈ ${formatMagnitude(digits)}`;
}

/** The same for the terminal, which has more room: `about 1.27 × 10^89` from 10^25 on. */
export function formatLargeCount(count: bigint | string): string {
    const digits = count.toString();
    return digits.length <= 25 ? formatCount(digits) : `about ${formatMagnitude(digits)}`;
}

/** `1.27 × 10^89`: four digits or more, rounded to three. */
function formatMagnitude(digits: string): string {
    const leading = Math.round(Number(digits.slice(0, 4)) / 10).toString();
    // 9,996 rounds to 1.00 × 10^4.
    return `${leading.charAt(0)}.${leading.slice(1, 3)} × 10^${digits.length + leading.length - 4}`;
}

/** `1 orbit`, `5 orbits`. */
/** `stubborn sets for deadlock; 27 % of the possible steps taken`. */
export function formatPartialOrder({ goals, fired, enabled }: PartialOrderOutcome): string {
    if (goals.length === 0) {
        return 'nothing to look for; properties of runs take all steps';
    }
    const share = enabled === 0 ? '' : `; ${formatShare({ fired, enabled })} of the possible steps taken`;
    return `stubborn sets for ${goals.join(', ')}${share}`;
}

/** `25 %` */
export function formatShare({ fired, enabled }: Pick<PartialOrderOutcome, 'fired' | 'enabled'>): string {
    return `${Math.round((100 * fired) / enabled)} %`;
}

export function formatNumberOf(count: number | bigint | string, noun: string, plural = `${noun}s`): string {
    return `${formatRoundedCount(count)} ${count.toString() === '1' ? noun : plural}`;
}

/** `5.1`, `1,234`: a mean of more than `mostWithFraction` is a whole number. */
export function formatMean(mean: number, mostWithFraction = 100): string {
    return mean < mostWithFraction ? mean.toFixed(1) : formatCount(Math.round(mean));
}

/** `12 ms`, `3.2 s`, `2 min 5 s` */
export function formatSeconds(seconds: number): string {
    const milliseconds = Math.round(seconds * 1000);
    if (milliseconds < 1000) {
        return `${milliseconds} ms`;
    }
    const whole = Math.round(seconds);
    if (whole < 120) {
        return `${seconds < 9.95 ? seconds.toFixed(1) : whole} s`;
    }
    return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** `640 KB`, `12 MB`: powers of 1024, in the largest unit that gives at least 1 after rounding. */
export function formatBytes(bytes: number, byteUnit = 'bytes'): string {
    const units = [byteUnit, 'KB', 'MB', 'GB', 'TB'];
    let value = bytes;
    let unit = 0;
    while (Math.round(value) >= 1024 && unit < units.length - 1) {
        value /= 1024;
        unit++;
    }
    return `${value < 9.95 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** A value as the model writes it; a cell without a value (an unused slot, a local that is no longer read) is `missing`. */
export function formatPlainValue(value: ParameterValue | undefined, missing: string): string {
    if (value === null || value === undefined) {
        return missing;
    }
    if (typeof value !== 'object') {
        return String(value);
    }
    const isList = (object: object): object is readonly ParameterValue[] => Array.isArray(object);
    return isList(value)
        ? `[${value.map(element => formatPlainValue(element, missing)).join(', ')}]`
        : `(${Object.entries(value)
              .map(([field, part]) => `${field}: ${formatPlainValue(part, missing)}`)
              .join(', ')})`;
}

/** A violation as documents carry it. */
interface ShownViolation {
    readonly kind: 'deadlock' | 'invariant' | 'property' | 'fault';
    readonly name: string;
    readonly invariant?: string;
    readonly trace: { readonly length: number };
    /** Of a temporal property: the index of the entry that the run comes back to, or the last one if it ends. */
    readonly loopStart?: number;
}

/**
 * `` Deadlock after 5 steps ``, `` `alone` is violated after 4 steps ``, `Fault in step 2`, or in an invariant
 * `` Fault in `alone` after 2 steps ``; `` `served` is violated by a run that repeats 3 steps for ever ``.
 */
export function formatViolation({ kind, name, invariant, trace, loopStart }: ShownViolation): string {
    const steps = trace.length - 1;
    const when = formatRunLength(steps);
    switch (kind) {
        case 'deadlock':
            return `Deadlock ${when}`;
        case 'fault':
            if (invariant !== undefined) {
                return `Fault in \`${invariant}\` ${when}`;
            }
            return steps === 0 ? 'Fault in an initial state' : `Fault in step ${steps}`;
        case 'invariant':
        case 'property':
            return `\`${name}\` is violated ${formatEnd({ trace, ...(loopStart !== undefined && { loopStart }) })}`;
    }
}

/** Tells the outcomes of runs that are to exist from those of properties. */
export function isRun<Outcome extends { readonly kind?: string }>(
    outcome: Outcome,
): outcome is Extract<Outcome, { readonly kind: 'run' }> {
    return outcome.kind === 'run';
}

/** The outcome of a property by its name, if it is not one of a run. */
export function propertyNamed<Outcome extends { readonly kind?: string; readonly name: string }>(
    outcomes: readonly Outcome[] | undefined,
    name: string | undefined,
): Exclude<Outcome, { readonly kind: 'run' }> | undefined {
    const found = outcomes?.find(outcome => outcome.name === name && !isRun(outcome));
    return found as Exclude<Outcome, { readonly kind: 'run' }> | undefined;
}

/** `after 4 steps`; of a temporal property `by a run that repeats 3 steps for ever`, `by a run that ends after 2 steps`. */
export function formatEnd({ trace, loopStart }: Pick<ShownViolation, 'trace' | 'loopStart'>): string {
    const last = trace.length - 1;
    const length = formatRunLength(last);
    if (loopStart === undefined) {
        return length;
    }
    return loopStart === last
        ? `by a run that ends ${length}`
        : `by a run that repeats ${formatNumberOf(last - loopStart, 'step')} for ever`;
}

/** `one of 4 interchangeable checked`: of the values of an outer `forall`; undefined if each of them was. */
export function formatMembersChecked({
    members = 1,
    membersChecked = 1,
}: {
    readonly members?: number;
    readonly membersChecked?: number;
}): string | undefined {
    if (membersChecked === 0 || membersChecked >= members) {
        return undefined;
    }
    return membersChecked === 1
        ? `one of ${formatCount(members)} interchangeable checked`
        : `${formatCount(membersChecked)} of ${formatCount(members)} checked, the others are alike`;
}

/** `after 4 steps`, `in an initial state`. */
export function formatRunLength(steps: number): string {
    return steps === 0 ? 'in an initial state' : `after ${formatNumberOf(steps, 'step')}`;
}

/** Says what a kind of fault means. */
export function describeFault(kind: string): string {
    return FAULTS[kind] ?? kind;
}

const FAULTS: Readonly<Record<string, string>> = {
    index: 'an index is outside its type',
    range: 'a value is outside its type',
    division: 'a number is divided by zero',
    overflow: 'a number is beyond 2^53',
    assert: 'an assertion does not hold',
    race: 'two processes that make one step together access one variable, and one of them writes it',
    undefined: 'an operation has no value here, as with `none` or with a negative number of bits',
    endless: 'a loop of a body repeats without end',
    case: 'a value does not have the field that is read',
    slots: 'there is no room for one more instance',
};

/** `Handler at most 4 at once`, by template: instances that live, and those that are named beside them. */
export function formatInstances(
    templates: readonly { readonly name: string; readonly mostLive: number; readonly mostNamed: number }[],
): string {
    return templates
        .map(({ name, mostLive, mostNamed }) => {
            const named = mostNamed > mostLive ? ` (${formatCount(mostNamed)} with those that are only named)` : '';
            return mostLive === 0 ? `no ${name}` : `${name} at most ${formatCount(mostLive)} at once${named}`;
        })
        .join(', ');
}

/** `Nonce at most 4 at once`, by type whose values have no end; those that the text names are among them. */
export function formatNames(names: readonly { readonly name: string; readonly mostNamed: number }[]): string {
    return names.map(({ name, mostNamed }) => `${name} at most ${formatCount(mostNamed)} at once`).join(', ');
}

/** `created in 2 places` */
export function formatCreation({ createdAt }: Pick<TemplateReport, 'createdAt'>): string {
    return createdAt.length === 0 ? 'never created' : `created in ${formatNumberOf(createdAt.length, 'place')}`;
}

/** `interchangeable · created in 2 places · at most 4 at once`; `mostLive` is that of an exploration, if there was one. */
export function formatTemplate(template: TemplateReport, mostLive: number | undefined): string {
    const { interchangeable } = template;
    return [
        interchangeable ? 'interchangeable' : 'not interchangeable',
        formatCreation(template),
        ...(mostLive === undefined ? [] : [`at most ${formatCount(mostLive)} at once`]),
    ].join(' · ');
}

/** The message for symmetries that the model refutes. */
export const REFUTED =
    'symmetries were found that this model does not have, as running it shows; this is a defect of Orbit and not of the ' +
    'model: symmetry is not used, please report it together with the model';

/** `C10 · 10 symmetries`, `no symmetry`; `at least` if there may be more, and whether they were checked. */
export function formatSymmetryCount(report: SymmetryReport): string {
    const { order, structure, complete, refuted, verified, heldFixed } = report;
    if (refuted) {
        return 'symmetry is not used, by a defect of Orbit';
    }
    if (order === '1') {
        const found =
            heldFixed === undefined ? 'no symmetry found in the time given' : `no symmetry found, ${HELD_FIXED}`;
        return complete ? 'no symmetry' : found;
    }
    const reason = heldFixed === undefined ? 'the search was stopped' : HELD_FIXED;
    const count = formatNumberOf(order, 'symmetry', 'symmetries');
    const found = complete ? `${structure} · ${count}` : `${structure} · at least ${count}, ${reason}`;
    return verified ? found : `${found}, not checked by running the model`;
}

const HELD_FIXED = 'what is too large to compare is kept in place';

/** `5 Phil in a ring`, `6 Worker interchangeable, values of Bit interchangeable`: what the group does, before its name. */
export function formatSymmetryInWords(report: SymmetryReport): string {
    const { order, refuted, complete, verified, heldFixed, factors } = report;
    if (refuted || order === '1') {
        return formatSymmetryCount(report);
    }
    const families = movedFamilies(report);
    const alike = (report.templates ?? []).filter(({ interchangeable }) => interchangeable);
    const created = alike.filter(({ named }) => named === undefined).map(({ name }) => name);
    const values = alike.filter(({ named }) => named !== undefined).map(({ name }) => name);
    const words = [
        ...groupedByName(families.filter(({ name }) => !created.includes(name))).map(nameMoved),
        ...created.map(name => `all ${name} interchangeable`),
        ...values.map(name => `values of ${name} interchangeable`),
        ...movedValues({ ...report, types: report.types.filter(({ name }) => !values.includes(name)) }, families),
    ];
    // What moves neither instances nor values of a declared type is said by the factors.
    const parts = words.length > 0 ? words : factors.map(({ permutes }) => permutes.replaceAll('`', ''));
    const said = parts.length > 0 ? parts : [`at least ${formatNumberOf(order, 'symmetry', 'symmetries')}`];
    const shown = said.length > MOST_SAID + 1 ? [...said.slice(0, MOST_SAID), `${said.length - MOST_SAID} more`] : said;
    const reason = heldFixed === undefined ? 'the search was stopped' : HELD_FIXED;
    const caveats = [...(complete ? [] : [reason]), ...(verified ? [] : ['not checked by running the model'])];
    return [...shown, ...caveats].join(', ');
}

const MOST_SAID = 3;

/** Families that move on their own: one that only moves along with a family before it is left out. */
function movedFamilies({ families, order }: SymmetryReport): readonly FamilyReport[] {
    const moved = families.filter(({ orbits }) => orbits.some(orbit => orbit.length > 1));
    const shapes = new Set<string>();
    let left = BigInt(order);
    return moved.filter(({ structure, order: own, orbits }) => {
        const shape = JSON.stringify([structure, orbits.map(orbit => orbit.length).sort()]);
        const isAlong = shapes.has(shape) && left < BigInt(own);
        shapes.add(shape);
        left = isAlong || own === '0' ? left : left / BigInt(own);
        return !isAlong;
    });
}

/** A family, and how many are like it, with names that differ in numbers only. */
interface FamilyGroup {
    readonly family: FamilyReport;
    readonly count: number;
}

function groupedByName(families: readonly FamilyReport[]): readonly FamilyGroup[] {
    const groups = new Map<string, FamilyGroup>();
    for (const family of families) {
        const { name, instances, structure, orbits } = family;
        const key = JSON.stringify([stemOf(name), instances, structure, orbits.map(orbit => orbit.length)]);
        const known = groups.get(key);
        groups.set(key, { family: known?.family ?? family, count: (known?.count ?? 0) + 1 });
    }
    return [...groups.values()];
}

/** `Client` of `Client12`. */
function stemOf(name: string): string {
    return name.replaceAll(/\d+/g, '');
}

/** `5 Phil in a ring`, `37 times 4 Client* interchangeable`. */
function nameMoved({ family, count }: FamilyGroup): string {
    const { instances, structure, orbits } = family;
    const name = count === 1 ? family.name : `${stemOf(family.name)}*`;
    const moved = nameAction(name, instances, structure, orbits);
    return count === 1 ? moved : `${count} times ${moved}`;
}

function nameAction(name: string, instances: number, structure: string, orbits: FamilyReport['orbits']): string {
    const action = describeAction({ structure, orbits });
    const [size = 0, ...others] = orbits.map(orbit => orbit.length).filter(each => each > 1);
    const isPart = others.length === 0 && size < instances && isKnownOn(size, structure);
    return isPart
        ? `${size} of ${instances} ${name} ${action.replace(/^.* of them /, '')}`
        : `${instances} ${name}${/^\d/.test(action) ? ':' : ''} ${action.replace(/^a /, 'in a ')}`;
}

/** The values of types that move by themselves, and not as the names of instances. */
function movedValues({ types }: SymmetryReport, families: readonly FamilyReport[]): readonly string[] {
    const isOfFamily = (structure: string, sizes: readonly number[]): boolean =>
        families.some(
            family =>
                family.structure === structure &&
                sizes.every(size => size === 1 || family.orbits.some(orbit => orbit.length === size)),
        );
    return types.flatMap(({ name, action }) => {
        if (action === undefined || isOfFamily(action.structure, action.orbitSizes)) {
            return [];
        }
        return [
            `values of ${name} ${formatMovedValues(action)?.includes('interchangeable') === true ? 'interchangeable' : 'alike'}`,
        ];
    });
}

/** `about 4.9x fewer states`: by an estimate, else the most that the group can give. */
export function formatGain({ explored, steps, reachable, templates }: SymmetryReport): string | undefined {
    const { order } = steps?.explored ?? explored;
    // Without bounds there would be no states to count.
    if (order === '1' || templates !== undefined) {
        return undefined;
    }
    return reachable === undefined
        ? `up to ${formatRoundedCount(order)}x fewer states`
        : `about ${formatMean(reachable.statesPerOrbit, 10)}x fewer states`;
}

/** `C10 · 10 symmetries in 12 ms: 4 of 642 constraints worked out, nothing searched`. */
export function formatWork(report: SymmetryReport, elapsedMilliseconds: number): string {
    const { fragmentsEncoded, fragmentsReused, searches, treeNodes } = report.work;
    const all = formatNumberOf(fragmentsEncoded + fragmentsReused, 'constraint');
    const searched =
        searches === 0
            ? 'nothing searched'
            : `${formatNumberOf(searches, 'search', 'searches')} with ${formatNumberOf(treeNodes, 'node')}`;
    const found = `${formatSymmetryCount(report)} in ${Math.round(elapsedMilliseconds)} ms`;
    return `${found}: ${formatRoundedCount(fragmentsEncoded)} of ${all} worked out, ${searched}`;
}

/** Factors after these are counted, not listed. */
const MOST_FACTORS = 6;

/** A list of what each direct factor permutes: ``- C5: the 5 instances of `P` can be rotated``; undefined if there are none. */
export function formatFactors({ factors }: SymmetryReport): string | undefined {
    const left = factors.length - MOST_FACTORS;
    const lines = factors.slice(0, MOST_FACTORS).map(({ structure, permutes }) => `- ${structure}: ${permutes}`);
    return lines.length === 0 ? undefined : [...lines, ...(left > 0 ? [`- … and ${left} more`] : [])].join('\n');
}

/** `About 9.8 reachable states to an orbit, an estimate from random walks.` */
export function formatReachable({ reachable }: SymmetryReport): string | undefined {
    if (reachable === undefined) {
        return undefined;
    }
    return `About ${formatMean(reachable.statesPerOrbit)} reachable states to an orbit, an estimate from random walks.`;
}

/** `5 instances, a ring`; an incomplete search proves nothing about instances that it has not moved. */
export function formatFamily(family: FamilyReport, { complete }: Pick<SymmetryReport, 'complete'>): string {
    const { instances, orbits } = family;
    const count = formatNumberOf(instances, 'instance');
    if (instances < 2 || (!complete && orbits.length === instances)) {
        return count;
    }
    const action = `${count}, ${describeAction(family)}`;
    return complete ? action : `${action}, as far as was searched`;
}

/** `values interchangeable`, `3 of 4 values interchangeable`, `values move with P`; undefined if there are no words for it. */
export function formatMovedValues(
    { structure, orbitSizes }: Pick<NonNullable<TypeReport['action']>, 'structure' | 'orbitSizes'>,
    families: readonly Pick<FamilyReport, 'name' | 'structure'>[] = [],
): string | undefined {
    const moved = orbitSizes.filter(size => size > 1);
    const [size] = moved;
    if (size !== undefined && moved.length === 1 && isSymmetricOn(size, structure)) {
        const count = orbitSizes.length === 1 ? '' : `${size} of ${orbitSizes.length - 1 + size} `;
        return `${count}values interchangeable`;
    }
    const family = families.find(each => each.structure === structure);
    return family && `values move with ${family.name}`;
}

/** Whether a group with an orbit of this size permutes it in every way. */
function isSymmetricOn(size: number, structure: string): boolean {
    return size === 2 || structure === `S${size}`;
}

/** Whether there is a word for what a group does on an orbit of this size. */
function isKnownOn(size: number, structure: string): boolean {
    return isSymmetricOn(size, structure) || structure === `C${size}` || structure === `D${size}`;
}

/**
 * `keeps 10 of 10 symmetries`; of one of a set `an image of few0`, of its first one `with few1 keeps …`; of several
 * members of a temporal property `one of 5 interchangeable processes is checked`.
 */
export function formatProperty(property: PropertyReport, report: SymmetryReport): string {
    return formatMembers(property.runs) ?? formatKeeps(property, report);
}

/** Undefined unless there are several members; `2 of 5 processes are checked, one of each orbit`. */
export function formatMembers(runs: MembersReport | undefined): string | undefined {
    if (runs === undefined || (runs.members < 2 && runs.orbits !== undefined)) {
        return undefined;
    }
    const { members, orbits, areProcesses } = runs;
    const noun = areProcesses === true ? 'processes' : 'members';
    switch (orbits) {
        case undefined:
            return 'its symmetries were not found in the time given';
        case 1:
            return `one of ${formatCount(members)} interchangeable ${noun} is checked`;
        case members:
            return `each of ${formatCount(members)} ${noun} is checked`;
        default:
            return `${formatCount(orbits)} of ${formatCount(members)} ${noun} are checked, one of each orbit`;
    }
}

/** The same with the group of the search: `…, with 24 symmetries that keep it (S4)`. */
export function formatPropertyAtLength(property: PropertyReport, report: SymmetryReport): string {
    const { stabilizer, orbits } = property.runs ?? {};
    const members = formatMembers(property.runs);
    return members === undefined || stabilizer === undefined || stabilizer.order === '1'
        ? formatProperty(property, report)
        : `${members}, with ${formatLargeCount(stabilizer.order)} symmetries that keep ` +
              `${orbits === 1 ? 'it' : 'the first one'} (${stabilizer.structure})`;
}

/** `keeps 10 of 10 symmetries`, also of a temporal property. */
export function formatKeeps(property: PropertyReport, report: SymmetryReport): string {
    if (property.alikeTo !== undefined) {
        return `an image of \`${property.alikeTo}\` by symmetry`;
    }
    const { alike } = property;
    return alike === undefined
        ? formatKept(property, report)
        : `with its ${nameImages(alike.names)} ${formatKept(alike, report)}`;
}

/** The other members of a set: `` image `few1` ``, `` images `few1`, `few2` and 3 more ``. */
export function nameImages([, ...others]: readonly string[], most = 4): string {
    const left = others.length - most;
    const named = (left > 1 ? others.slice(0, most) : others).map(name => `\`${name}\``).join(', ');
    return `${others.length === 1 ? 'image' : 'images'} ${named}${left > 1 ? ` and ${left} more` : ''}`;
}

/** `keeps 10 of 10 symmetries`; of numbers from 10^15 on their ratio, `keeps 1 in 10 symmetries`. */
export function formatKept({ order }: { readonly order: string }, report: SymmetryReport): string {
    if (report.order.length > 15 && order === report.order) {
        // Two equal rounded numbers might differ.
        return `keeps all ${formatNumberOf(report.order, 'symmetry', 'symmetries')}`;
    }
    const least = report.complete || order === report.order ? '' : 'at least ';
    const kept =
        order.length > 15
            ? `1 in ${formatRoundedCount(BigInt(report.order) / BigInt(order))}`
            : `${formatRoundedCount(order)} of ${formatRoundedCount(report.order)}`;
    return `keeps ${least}${kept} ${report.order === '1' ? 'symmetry' : 'symmetries'}`;
}

/** The action on the instances of a family: `interchangeable`, `3 of them a ring`, `2 exchangeable groups of 3, and 2 more`. */
function describeAction({ structure, orbits }: Pick<FamilyReport, 'structure' | 'orbits'>): string {
    const moved = orbits.map(orbit => orbit.length).filter(size => size > 1);
    const [size = 0] = moved;
    const fixed = orbits.length - moved.length;
    const alone = fixed === 0 ? '' : `, and ${fixed} more`;
    if (moved.length === 0) {
        return 'all different';
    }
    if (moved.length === 1 && isKnownOn(size, structure)) {
        const action = isSymmetricOn(size, structure) ? 'interchangeable' : describeRing(structure);
        return fixed === 0 ? action : `${size} of them ${action}`;
    }
    const [, members = '', groups = ''] = /^\(?S(\d+) wr [SC](\d+)\)?(?: x |$)/.exec(structure) ?? [];
    if (members !== '' && Number(members) * Number(groups) === Math.max(...moved)) {
        const others = orbits.flat().length - Math.max(...moved);
        return `${groups} exchangeable groups of ${members}${others === 0 ? '' : `, and ${others} more`}`;
    }
    if (
        moved.length > 1 &&
        structure.split(' x ').sort().join() ===
            moved
                .map(each => nameOfAll(each))
                .sort()
                .join()
    ) {
        return `${moved.slice(0, -1).join(', ')} and ${moved.at(-1)} interchangeable${alone}`;
    }
    return orbits.length === 1 ? 'alike' : `of ${orbits.length} kinds`;
}

/** The name of the group of all permutations. */
function nameOfAll(size: number): string {
    return size === 2 ? 'C2' : `S${size}`;
}

function describeRing(structure: string): string {
    return structure.startsWith('D') ? 'a mirrored ring' : 'a ring';
}

/**
 * `5 Link would be a ring without line 26`: a symmetry that declarations suggest and the text at these lines, from 1 on,
 * breaks.
 */
export function formatBroken(
    { subject, expected }: Pick<BrokenSymmetry, 'subject' | 'expected'>,
    lines: readonly number[],
    families: readonly Pick<FamilyReport, 'name' | 'instances'>[],
): string {
    const family = families.find(({ name }) => subject === `instances of ${name}`);
    const size = family?.instances ?? 0;
    const action =
        family === undefined || expected === nameOfAll(size)
            ? 'interchangeable'
            : isKnownOn(size, expected)
              ? describeRing(expected)
              : 'more alike';
    const who = family === undefined ? subject : `${size} ${family.name}`;
    const [last, ...before] = [...new Set(lines)].sort((one, other) => other - one);
    const where = before.length === 0 ? `line ${last}` : `lines ${before.reverse().join(', ')} and ${last}`;
    return `${who} would be ${action} without ${where}`;
}

/** `fair to each of 5, alike`, of a process, a label, an event or an assumption, or of the whole model. */
export function formatFair({ constraints, orbits }: Pick<FairnessReport, 'constraints' | 'orbits'>): string {
    if (constraints === 1) {
        return 'fair to one';
    }
    const kinds = orbits === 1 ? ', alike' : orbits === constraints ? ', all different' : `, of ${orbits} kinds`;
    return `fair to each of ${formatCount(constraints)}${orbits === undefined ? '' : kinds}`;
}

/** What an exploration with the verdict `holds` has found, as documents carry it. */
interface ShownHolds {
    readonly properties?: readonly { readonly kind?: string; readonly name: string }[];
    readonly violations?: readonly { readonly name: string; readonly expected?: true }[];
    readonly states: number;
    readonly allStates?: string;
    readonly checked?: readonly string[];
    readonly reduction: { readonly order: string; readonly unique: boolean; readonly strategy: string };
    readonly templates?: readonly unknown[];
    readonly names?: readonly unknown[];
    readonly numbers?: readonly unknown[];
    readonly por?: PartialOrderOutcome;
}

/** Of more properties the others are counted. */
const MOST_NAMED = 4;

/**
 * `no deadlock, alone, served hold in all 32,768 states; 3,280 explored (10x)`, without runs, and without what is violated as
 * the text says.
 */
export function formatHolds(document: ShownHolds): string {
    const { properties = [], violations = [] } = document;
    const others = new Set([
        ...properties.filter(isRun).map(({ name }) => name),
        ...violations.filter(({ expected }) => expected === true).map(({ name }) => name),
    ]);
    const checked = (document.checked ?? []).filter(name => !others.has(name));
    if (checked.length === 0 && others.size > 0) {
        return `all is as stated in ${formatWhere(document)}`;
    }
    const names = checked.map(name => (name === 'deadlock' ? 'no deadlock' : name));
    const left = names.length > MOST_NAMED ? names.splice(MOST_NAMED - 1).length : 0;
    const all = [...names, ...(left > 0 ? [`${left} more`] : [])].join(', ');
    const verb =
        checked.length === 0
            ? 'no fault'
            : checked.join() === 'deadlock'
              ? all
              : `${all} ${checked.length === 1 ? 'holds' : 'hold'}`;
    return `${verb} in ${formatWhere(document)}${document.numbers === undefined ? '' : ', for all numbers'}`;
}

/** `all 32,768 states; 3,280 explored (10x)`, `3,280 orbits`, `227 states, renamed ones not counted`. */
export function formatWhere({ states, allStates, reduction, templates, names, por }: ShownHolds): string {
    if (por !== undefined && por.because === undefined) {
        return `all states; ${formatRoundedCount(states)} explored`;
    }
    if ((templates ?? names) !== undefined && reduction.unique) {
        return `${formatNumberOf(states, 'state')}, renamed ones not counted`;
    }
    const all = allStates ?? (reduction.order === '1' ? String(states) : undefined);
    if (all === undefined) {
        return formatNumberOf(states, reduction.unique && reduction.strategy !== 'none' ? 'orbit' : 'state');
    }
    const whole = all === '1' ? 'its one state' : `all ${formatNumberOf(all, 'state')}`;
    return all === String(states)
        ? whole
        : `${whole}; ${formatRoundedCount(states)} explored (${formatFactor(all, states)})`;
}

/**
 * `; nothing down to depth 13`, of an exploration that a limit has ended: all states so many steps from the start are
 * checked and expanded, one step farther they are only stored.
 */
export function formatUndecided({
    depth,
    violations,
    unreached,
    properties,
}: {
    readonly depth: number;
    readonly violations: readonly unknown[];
    readonly unreached?: readonly unknown[];
    readonly properties?: readonly unknown[];
}): string {
    // Properties of runs, and explorations for one property each, have searches of their own.
    const isOne = unreached === undefined && properties === undefined;
    const isKnown = isOne && violations.length === 0 && depth > 2;
    return isKnown ? `; nothing down to depth ${formatCount(depth - 2)}` : '';
}

/** `10x`, `5.2x`: how many times more states there are than were explored. */
export function formatFactor(allStates: string, states: number): string {
    const factor = Number(allStates) / states;
    const rounded = (BigInt(allStates) + BigInt(states) / 2n) / BigInt(states);
    return `${factor < 9.95 ? factor.toFixed(1) : formatRoundedCount(rounded)}x`;
}

/** `S4 of the steps; the start keeps S3`. Undefined if all symmetries of the steps keep the start. */
export function formatSteps({ structure, steps }: Pick<SymmetryReport, 'structure' | 'steps'>): string | undefined {
    const kept = structure === 'trivial' ? 'none of them' : structure;
    return steps && `${steps.structure} of the steps; the start keeps ${kept}`;
}

/** The most members of a cycle that are named. */
const NAMED_MEMBERS = 4;

/** What a generator in cycle notation does first: `P[1] and P[2] change places`, with what of the same name moves, too. */
export function formatExample(cycles: string): string {
    const all = cycles.slice(1, -1).split(')(');
    const declarationOf = (cycle: string): string => cycle.split(/[[=. ]/, 1)[0];
    const alike = all.filter(cycle => declarationOf(cycle) === declarationOf(all[0]));
    const moves = alike.slice(0, 2).map(cycle => {
        // Names of several indices have spaces behind their commas.
        const members = cycle.split(/(?<!,) /).map(name => `\`${name}\``);
        const named = members.length > NAMED_MEMBERS ? [...members.slice(0, NAMED_MEMBERS - 1), 'others'] : members;
        return `${listed(named)} ${members.length === 2 ? 'change places' : 'move round by one'}`;
    });
    return listed(alike.length > 2 ? [...moves, 'so on'] : moves);
}
