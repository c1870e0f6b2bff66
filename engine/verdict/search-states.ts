/** The phase of a search that looks at each state, as its reductions have left it: by generated code if that is possible. */
import { compileModel } from '../compiled-search/compiled-model.js';
import { compileSearchOf, NO_WEBASSEMBLY } from '../compiled-search/compiled-search.js';
import { compiledSuccessors } from '../compiled-search/compiled-successors.js';
import { CoverageCounter, type Coverage } from '../explore/coverage.js';
import { Exploration, type ExplorationOptions } from '../explore/search.js';
import { interpretedSuccessors } from '../explore/successors.js';
import { unreachedSteps, type UnreachedStep } from '../explore/text-steps.js';
import type { Model } from '../model/model.js';
import { bitsOfCell, codeRangeOf } from '../sequential/expression/code-range.js';
import { printSequentialModel } from '../sequential/print.js';
import { asWritten } from '../sequential/reduced-model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import type { Reduced, ReductionFacts } from './reduction.js';

export interface StateSearchSettings extends ExplorationOptions {
    /** Whether the interpreter expands all states, even if generated code could. */
    readonly isInterpreted?: boolean;
    /** Whether to count how often each step is taken. The exploration is then several times slower. */
    readonly countsCoverage?: boolean;
}

export interface SearchedStates {
    readonly exploration: Exploration;
    /** The reason why the interpreter expands states; absent if generated code does. */
    readonly interpretedBecause?: string | undefined;
    /** The steps that no run takes; `undefined` before all states have been expanded. */
    readonly unreached: () => readonly UnreachedStep[] | undefined;
    /** The counts so far, if steps are counted. */
    readonly coverage?: (() => Coverage) | undefined;
    /** The searched model, the checked properties, the representatives, and the way in which states are stored, as text. */
    readonly identity: () => string;
}

export function searchStates(
    model: Model,
    sequential: SequentialModel,
    { parts, facts }: Reduced,
    { countsCoverage, isInterpreted = false, ...given }: StateSearchSettings,
): SearchedStates {
    const options = { ...given, ...parts };
    const { searched } = parts.passed ?? asWritten(sequential);
    const counter = countsCoverage === true ? new CoverageCounter(model, sequential, facts.coverage?.()) : undefined;
    const expanding =
        counter === undefined
            ? compiledSearch(searched, options, isInterpreted)
            : countedSuccessors(searched, counter, isInterpreted);
    const { memory, interpretedBecause, ...expands } = expanding;
    const exploration = new Exploration(sequential, { ...options, ...expands });
    return {
        exploration,
        ...(interpretedBecause !== undefined && { interpretedBecause }),
        unreached: () => unreachedIn(exploration, model, sequential, facts),
        ...(counter !== undefined && { coverage: () => counter.coverage() }),
        identity: () => identityOf(searched, options, memory),
    };
}

/** The code that expands states. */
interface Expanding extends Pick<ExplorationOptions, 'search' | 'successors'> {
    /** The layout of its memory, as plain data. */
    readonly memory: object;
    readonly interpretedBecause?: string;
}

/** The memory of an interpreted search follows from the model. */
const INTERPRETED = { kind: 'interpreted' };
const INTERPRETED_AS_ASKED = { kind: 'interpreted', reason: 'this was asked for' } as const;

function compiledSearch(searched: SequentialModel, options: ExplorationOptions, isInterpreted: boolean): Expanding {
    const code = isInterpreted ? INTERPRETED_AS_ASKED : compileSearchOf(searched, options);
    return code.kind === 'compiled'
        ? { search: code.search, memory: code.memory }
        : { memory: INTERPRETED, interpretedBecause: code.reason };
}

/** The successors of one state at a time, which are counted. */
function countedSuccessors(searched: SequentialModel, counter: CoverageCounter, isInterpreted: boolean): Expanding {
    const code = isInterpreted ? INTERPRETED_AS_ASKED : compileModel(searched);
    const compiled = code.kind === 'compiled' ? compiledSuccessors(code) : undefined;
    const because = code.kind === 'compiled' ? NO_WEBASSEMBLY : code.reason;
    return {
        successors: counter.counting(compiled ?? interpretedSuccessors(searched)),
        memory: INTERPRETED,
        ...(compiled === undefined && { interpretedBecause: because }),
    };
}

function identityOf(model: SequentialModel, { properties, canonicalizer }: ExplorationOptions, memory: object): string {
    const representatives = canonicalizer && [
        canonicalizer.strategy.name,
        canonicalizer.strategy.unique,
        canonicalizer.plan?.(),
    ];
    const stored = model.cells.map(cell => [bitsOfCell(cell), codeRangeOf(cell).least]);
    const details = JSON.stringify({ properties, representatives, memory, stored });
    return `${printSequentialModel(model)}${details}\n`;
}

/**
 * A step that no expanded state takes may be taken in a state that is symmetric to one: all of an orbit are, or none.
 */
function unreachedIn(
    exploration: Exploration,
    model: Model,
    sequential: SequentialModel,
    { summandOrbits }: ReductionFacts,
): readonly UnreachedStep[] | undefined {
    if (!exploration.isComplete || exploration.takesSomeSteps) {
        return undefined;
    }
    const own = unreachedSteps(model, sequential, summand => exploration.hasFired(summand));
    if (summandOrbits === undefined || own.length === 0) {
        return own;
    }
    const { orbit } = summandOrbits();
    const reached = new Set(orbit.filter((_, summand) => exploration.hasFired(summand)));
    return unreachedSteps(model, sequential, summand => reached.has(orbit[summand]));
}
