/** From the file of a model to its expansion, with symmetries that are the same on every machine. */
import { propertyNames } from '../engine/model/model.js';
import { createWorkLimit, UNLIMITED } from '../engine/common/work-limit.js';
import { REFUTED } from '../engine/describe/words.js';
import type { Expansion, ExpansionSymmetry } from '../engine/verdict/expansion.js';
import { checkPropertyNames, DETECTION_SECONDS, linearizeFile, type LinearizedModel, searchFile } from './analysis.js';
import { CallError, UndecidedError } from './call-error.js';
import { readClaimsOf } from './claims-of-file.js';
import type { ExitCode } from './exit-code.js';
import type { CommandIo } from './io.js';
import type { ExpandInvocation } from './options/invocation.js';
import { styleFor } from './output.js';
import { refusedWithSlots } from './refused-with-slots.js';

interface ExpansionOfFile {
    readonly expansion: Expansion;
    readonly linearized: LinearizedModel;
}

interface ReducedModel {
    readonly linearized: LinearizedModel;
    /** Absent without reduction. */
    readonly symmetry?: ExpansionSymmetry;
}

/** The exit code if the model has errors, which are reported. Throws if it cannot be expanded in this way. */
export async function expansionOfFile(
    invocation: ExpandInvocation,
    io: CommandIo,
): Promise<ExpansionOfFile | ExitCode> {
    const reduced = await reducedModelOf(invocation, io);
    if (typeof reduced === 'number') {
        return reduced;
    }
    const { linearized, symmetry } = reduced;
    const { Expansion: ExpansionOf } = await import('../engine/verdict/expansion.js');
    const { model, sequential } = linearized;
    const options = { ...invocation, ...(invocation.por !== 'off' && { partialOrder: invocation.por }) };
    const expansion = io.finish(() => new ExpansionOf(model, sequential, symmetry, options), Infinity);
    if (!expansion.isUnique) {
        throw new UndecidedError(
            'limit/representative',
            'the symmetries of this model are too many to find one representative for all states of an orbit, so ' +
                'symmetric states would count as different; `--reduction none` uses no symmetry',
        );
    }
    if (expansion.allStepsBecause !== undefined && !invocation.quiet) {
        io.stderr.write(`all steps are taken: ${expansion.allStepsBecause}\n`);
    }
    return { expansion, linearized };
}

async function reducedModelOf(invocation: ExpandInvocation, io: CommandIo): Promise<ReducedModel | ExitCode> {
    const { file, reduction, certificateFile } = invocation;
    if (reduction === 'unique' && certificateFile === undefined) {
        return detectedModel(invocation, io);
    }
    const linearized = await linearizeFile(file, invocation, io);
    if (typeof linearized === 'number') {
        return linearized;
    }
    checkModel(linearized, invocation);
    return certificateFile === undefined
        ? { linearized }
        : { linearized, symmetry: await certifiedSymmetry(linearized, certificateFile, invocation, io) };
}

/** With the symmetries that a search finds, if it comes to its end: a search that time ends finds others elsewhere. */
async function detectedModel(invocation: ExpandInvocation, io: CommandIo): Promise<ReducedModel | ExitCode> {
    const { file, color, properties } = invocation;
    let limit = UNLIMITED;
    const settings = { detectionSeconds: DETECTION_SECONDS };
    const analyzed = await searchFile(file, invocation, settings, io, ({ findSymmetries }, model, options) => {
        limit = options.workLimit;
        return findSymmetries(model, options);
    });
    if (typeof analyzed === 'number') {
        return analyzed;
    }
    const { loaded, analysis } = analyzed;
    const { symmetry } = analysis;
    const linearized = { loaded, ...analysis };
    checkModel(linearized, invocation);
    if (symmetry.refuted) {
        io.stderr.write(`${styleFor(io.stderr, color, io.environment).colors.red(REFUTED)}\n`);
    }
    const { groupsKeeping, selectedProperties } = await import('../engine/verdict/usable-groups.js');
    const { keepsStart } = await import('../engine/symmetry/groups.js');
    const selected = selectedProperties(symmetry.constraints, properties);
    const rest = createWorkLimit({ now: io.now, budgetMilliseconds: DETECTION_SECONDS * 1000 });
    const { explorationGroup: group, startGroup } = io.finish(() => groupsKeeping(symmetry, selected, rest), Infinity);
    if (limit.isExhausted() || rest.isExhausted()) {
        throw new UndecidedError(
            'limit/time',
            'the search for symmetries has taken too long, and another machine might find others; `orbit verify ' +
                '--output FILE` writes those of one search to a file, and `--certificate FILE` uses them everywhere',
        );
    }
    const { constraints, values } = symmetry;
    const movesStart = group !== startGroup && !keepsStart(constraints, group);
    return {
        linearized,
        symmetry: {
            ...{ constraints, group },
            ...(movesStart && { startGroup }),
            ...(values !== undefined && { values }),
        },
    };
}

/** With those of a certificate, which are checked on the constraints, but not on states: `orbit verify` does that. */
async function certifiedSymmetry(
    linearized: LinearizedModel,
    certificateFile: string,
    { properties }: ExpandInvocation,
    io: CommandIo,
): Promise<ExpansionSymmetry> {
    const { problem: constraints, values, claims } = await readClaimsOf(linearized, certificateFile, io);
    const { claimedGroups } = await import('../engine/verify/claimed-groups.js');
    const { selectedProperties } = await import('../engine/verdict/usable-groups.js');
    const selected = selectedProperties(constraints, properties);
    const groups = io.finish(() => claimedGroups(constraints, claims, selected, UNLIMITED), Infinity);
    if (groups === undefined) {
        throw new CallError(
            'call/certificate',
            `'${certificateFile}' has no group that keeps what is checked and agrees with the model; ` +
                '`orbit verify --certificate` says more',
            certificateFile,
        );
    }
    return { constraints, ...groups, ...(values !== undefined && { values }) };
}

/** Throws a CallError if such a model cannot be expanded, or not in this way. */
function checkModel(
    { model, sequential }: LinearizedModel,
    { properties, instances, passes = [] }: ExpandInvocation,
): void {
    checkPropertyNames(properties, model);
    const temporal = sequential.properties.find(({ name }) => properties?.includes(name) ?? true);
    if (temporal !== undefined) {
        const aboutRuns = new Set(sequential.properties.map(({ name }) => name));
        const others = propertyNames(model).filter(name => !aboutRuns.has(name));
        const hint = others.map(name => `--property ${name}`).join(' ');
        throw new CallError(
            'call/temporal',
            `'${temporal.name}' is about runs, and here single states are looked at` +
                (hint === '' ? '' : `; \`${hint}\` checks everything else`),
        );
    }
    if (sequential.numbers !== undefined) {
        const message =
            'the model has numbers without end, of which a search keeps what it needs: single states are not expanded; ' +
            'with a bound, `0 .. 9`, they are';
        throw new CallError('call/numbers', message);
    }
    const { templates = [] } = sequential;
    const [template] = templates;
    if (template !== undefined && passes.length > 0) {
        throw refusedWithSlots(template, '--passes');
    }
    const missing = templates.find(({ name }) => instances?.has(name) !== true);
    if (missing !== undefined) {
        const { name, named } = missing;
        const [what, room] =
            named === undefined
                ? [`instances of '${name}' are created`, 'for how many']
                : [`'${name}' has values without end`, 'for how many, named ones included'];
        throw new CallError(
            'call/instances',
            `${what}, and states need room for them: \`--instances ${name}=COUNT\` says ${room}`,
        );
    }
}
