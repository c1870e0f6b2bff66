/** How results are put into words: one place, so that lens, hover, status and message say the same. */
import type { FamilyReport, PropertyReport, SymmetryReport, TypeReport } from '../../engine/describe/report.js';
import type { ExploreDocument } from '../protocol.js';

/** From here on numbers are rounded: nobody reads fifty digits in a line above the code. */
const LARGE = 10n ** 15n;

const LONGEST_GENERATOR = 200;

/** `3,280`, or `≈ 1.27 × 10^89` for what nobody would read out. */
export function formatCount(count: bigint | number): string {
    const exact = BigInt(count);
    const digits = exact.toString();
    if (exact < LARGE) {
        return digits.replace(/\B(?=(\d{3})+$)/g, ',');
    }
    return `≈ ${formatMagnitude(exact)}`;
}

/** `1.27 × 10^89`: a count of four digits or more, rounded to three. */
export function formatMagnitude(count: bigint): string {
    const digits = count.toString();
    const leading = Math.round(Number(digits.slice(0, 4)) / 10).toString();
    // 9,996 rounds to 1.00 × 10^4.
    return `${leading.charAt(0)}.${leading.slice(1, 3)} × 10^${digits.length + leading.length - 4}`;
}

/** `1 orbit`, `5 orbits`. */
export function formatNumberOf(count: bigint | number, noun: string, plural = `${noun}s`): string {
    return `${formatCount(count)} ${BigInt(count) === 1n ? noun : plural}`;
}

/** What is said where the check of what was found has failed. */
export const REFUTED =
    'symmetries were found that this model does not have, as running it shows; this is a defect of Orbit and not of the ' +
    'model: symmetry is not used, please report it together with the model';

/** `C10 · 10 symmetries`, `no symmetry`; `at least` where there may be more, and what was not checked. */
export function formatSymmetryCount(report: SymmetryReport): string {
    const { order, structure, complete, refuted, verified, heldFixed } = report;
    if (refuted) {
        return 'symmetry is not used, by a defect of Orbit';
    }
    if (order === 1n) {
        const found =
            heldFixed === undefined ? 'no symmetry found in the time given' : `no symmetry found, ${HELD_FIXED}`;
        return complete ? 'no symmetry' : found;
    }
    const reason = heldFixed === undefined ? 'the search was stopped' : HELD_FIXED;
    const count = formatNumberOf(order, 'symmetry', 'symmetries');
    const found = complete ? `${structure} · ${count}` : `${structure} · at least ${count}, ${reason}`;
    return verified ? found : `${found}, not checked by running the model`;
}

const HELD_FIXED = 'what is too large is held fixed';

/** `C10 · 10 symmetries in 12 ms: 4 of 642 constraints worked out, nothing searched`. */
export function formatWork(report: SymmetryReport, elapsedMilliseconds: number): string {
    const { fragmentsEncoded, fragmentsReused, searches, treeNodes } = report.work;
    const all = formatNumberOf(fragmentsEncoded + fragmentsReused, 'constraint');
    const searched =
        searches === 0
            ? 'nothing searched'
            : `${formatNumberOf(searches, 'search', 'searches')} with ${formatNumberOf(treeNodes, 'node')}`;
    const found = `${formatSymmetryCount(report)} in ${Math.round(elapsedMilliseconds)} ms`;
    return `${found}: ${formatCount(fragmentsEncoded)} of ${all} worked out, ${searched}`;
}

/** `3,280 of 32,768 potential states are distinct`. */
export function formatPotentialStates(report: SymmetryReport): string {
    const { potentialStates, potentialOrbits } = report;
    if (potentialOrbits === undefined || potentialOrbits === potentialStates) {
        return formatNumberOf(potentialStates, 'potential state');
    }
    return `${formatCount(potentialOrbits)} of ${formatCount(potentialStates)} potential states are distinct`;
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
    const { statesPerOrbit } = reachable;
    const ratio = statesPerOrbit < 100 ? statesPerOrbit.toFixed(1) : formatCount(Math.round(statesPerOrbit));
    return `About ${ratio} reachable states to an orbit, an estimate from random walks.`;
}

/** `5 instances, 1 orbit, rotation`; a search that was stopped proves nothing of instances that it has not moved. */
export function formatFamily(family: FamilyReport, { complete }: Pick<SymmetryReport, 'complete'>): string {
    const { instances, orbits } = family;
    const count = formatNumberOf(instances, 'instance');
    if (instances < 2 || (!complete && orbits.length === instances)) {
        return count;
    }
    const action = `${count}, ${formatNumberOf(orbits.length, 'orbit')}, ${describeAction(family)}`;
    return complete ? action : `${action}, as far as was searched`;
}

/** `values interchangeable: S3`, `3 of 4 values interchangeable: S3`, `values permuted: C4`. */
export function formatValues({ structure, orbitSizes }: NonNullable<TypeReport['action']>): string {
    const moved = orbitSizes.filter(size => size > 1);
    const [size] = moved;
    if (size === undefined || moved.length > 1 || !isSymmetricOn(size, structure)) {
        return `values permuted: ${structure}`;
    }
    const count = orbitSizes.length === 1 ? '' : `${size} of ${orbitSizes.length - 1 + size} `;
    return `${count}values interchangeable: ${structure}`;
}

/** Whether a group that moves so many members in one orbit permutes them in every way. */
function isSymmetricOn(size: number, structure: string): boolean {
    return size === 2 || structure === `S${size}`;
}

/** `keeps 10 of 10 symmetries`. */
export function formatProperty(property: PropertyReport, report: SymmetryReport): string {
    if (report.order >= LARGE && property.order === report.order) {
        // Two rounded numbers that look the same would leave open whether they are.
        return `keeps all ${formatNumberOf(report.order, 'symmetry', 'symmetries')}`;
    }
    const least = report.complete || property.order === report.order ? '' : 'at least ';
    return `keeps ${least}${formatCount(property.order)} of ${formatNumberOf(report.order, 'symmetry', 'symmetries')}`;
}

/** What the group does to the instances of a family, in words where there are common ones. */
function describeAction({ structure, orbits }: FamilyReport): string {
    const movedOrbits = orbits.filter(orbit => orbit.length > 1);
    if (movedOrbits.length === 0) {
        return 'each on its own';
    }
    if (movedOrbits.length === 1) {
        const size = movedOrbits[0]?.length ?? 0;
        const isWhole = orbits.length === 1;
        if (isSymmetricOn(size, structure)) {
            return isWhole ? 'interchangeable' : `${size} of them interchangeable`;
        }
        if (structure === `C${size}`) {
            return isWhole ? 'rotation' : `rotation of ${size}`;
        }
        if (structure === `D${size}`) {
            return isWhole ? 'rotation and reflection' : `rotation and reflection of ${size}`;
        }
    }
    return structure;
}

/** Said only where the properties leave a smaller group to explore with. */
export function formatUsableGroup({ order, explored }: SymmetryReport): string | undefined {
    return explored.order === order ? undefined : `${formatCount(explored.order)} usable for the properties`;
}

/** What a finished exploration says in a lens. */
export interface ShownExploration {
    readonly document: ExploreDocument;
    /** Whether the model was edited since. */
    readonly isStale: boolean;
}

/** `532 orbits explored: holds, 4,096 states explored: holds`; undefined before the first exploration. */
export function formatExplorations(
    reduced: ShownExploration | undefined,
    unreduced: ShownExploration | undefined,
): string | undefined {
    const parts = [reduced && formatExploration(reduced), unreduced && formatExploration(unreduced)];
    return parts.filter(part => part !== undefined).join(', ') || undefined;
}

/** `532 orbits explored: holds`. */
export function formatExploration({ document, isStale }: ShownExploration): string {
    const { states, verdict, reduction } = document;
    const count = formatNumberOf(states, reduction.unique && reduction.strategy !== 'none' ? 'orbit' : 'state');
    return `${count} explored${isStale ? ' before the edit' : ''}: ${verdict}`;
}

/** A generator in cycle notation, cut between cycles where it is too long to be read. */
export function shortenCycles(cycles: string): string {
    if (cycles.length <= LONGEST_GENERATOR) {
        return cycles;
    }
    const end = cycles.lastIndexOf(')', LONGEST_GENERATOR);
    return `${cycles.slice(0, end < 0 ? LONGEST_GENERATOR : end + 1)} …`;
}
