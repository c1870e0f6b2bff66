/**
 * `orbit verify --param N=all`: check views again that prove properties for all values of a parameter, independently of
 * the search that found them, and write or read them as a certificate:
 *
 *     params        the parameters, `all` for those with all values
 *     invariants    the invariants that hold for all of them, and `faults` for steps without faults
 *     viewSize      the members of a view beside those that its shared part names
 *     cells         what the codes of a view stand for: the shared cells, and by parameter those of a member
 *     views         all views, ascending as text (family/view-text.ts)
 */
import { isRecord } from '../../engine/common/record.js';
import type { WorkLimit } from '../../engine/common/work-limit.js';
import type { SizeParameter } from '../../language/instantiate.js';
import type { VerifyViewsDocument } from '../../language-server/document-schema.js';
import { checkPropertyNames, reportProblems } from '../analysis.js';
import { CallError } from '../call-error.js';
import { parseJson } from './certificate.js';
import { type LoadedFamily, narrowFamily } from '../every-size.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { CommandIo } from '../io.js';
import type { VerifyInvocation } from '../options/invocation.js';
import { readFile, styleFor, writeFile, writeJson } from '../output.js';
import { formatViewsVerification, formatViewsVerificationInALine } from '../text/every-size.js';

const FAULTS = 'faults';

/** The claims that a call checks. */
interface ViewClaims {
    readonly invariants: readonly string[];
    readonly viewSize: number;
    readonly views: readonly string[];
}

/** Undefined if the call is about one value after all. */
export async function verifyViews(
    invocation: VerifyInvocation,
    workLimit: WorkLimit,
    io: CommandIo,
): Promise<ExitCode | undefined> {
    const { file, certificateFile, outputFile, json, quiet } = invocation;
    const family = await narrowFamily(file, invocation, io, Infinity);
    if (family === undefined || typeof family === 'number') {
        return family;
    }
    const claims =
        certificateFile === undefined
            ? await findViews(family, invocation, workLimit, io)
            : readViews(await readFile(certificateFile, io), certificateFile, family);
    if (typeof claims === 'number') {
        return claims;
    }
    const { checkViews } = await import('../../family/check-views.js');
    const { narrow, title } = family;
    const { parameters } = family.family;
    const { invariants, viewSize, views } = claims;
    const check = io.finish(() => checkViews(narrow, viewSize, views, invariants, workLimit), Infinity);
    if ('problems' in check) {
        await reportProblems(family.loaded, check.problems, EXIT.wrong, invocation, io);
        return EXIT.wrong;
    }
    const { verdict, ...found } = check;
    if (outputFile !== undefined && verdict === 'verified') {
        await writeFile(outputFile, formatViews(family, claims), io);
    }
    const document: VerifyViewsDocument = {
        ...title,
        verdict,
        forAll: parameters.map(({ name }) => name),
        invariants,
        views: views.length,
        viewSize,
        extra: narrow.extra,
        ...found,
    };
    if (json) {
        writeJson(document, io);
    } else {
        const style = styleFor(io.stdout, invocation.color, io.environment);
        io.stdout.write((quiet ? formatViewsVerificationInALine : formatViewsVerification)(document, style));
    }
    return { verified: EXIT.holds, refuted: EXIT.violated, undecided: EXIT.undecided }[verdict];
}

/** The views of a search; the exit code if it proves nothing. */
async function findViews(
    { loaded, narrow, family, sample }: LoadedFamily,
    invocation: VerifyInvocation,
    workLimit: WorkLimit,
    io: CommandIo,
): Promise<ViewClaims | ExitCode> {
    const { properties } = invocation;
    checkPropertyNames(properties, sample);
    const { checkEverySize } = await import('../../family/every-size.js');
    const outcome = io.finish(
        () => checkEverySize(narrow, family, { properties, workLimit, now: io.now, mostRechecked: 0 }),
        Infinity,
    );
    if ('problems' in outcome) {
        await reportProblems(loaded, outcome.problems, EXIT.wrong, invocation, io);
        return EXIT.wrong;
    }
    if (outcome.proof === undefined) {
        io.stderr.write('orbit: there is nothing to verify: `orbit explore` with the same parameters says why\n');
        return outcome.verdict === 'violated' ? EXIT.violated : EXIT.undecided;
    }
    const { views, viewSize } = outcome.proof;
    const { layout } = narrow.largest;
    return { invariants: outcome.invariants, viewSize, views: views.textsOf(layout) };
}

function formatViews({ title, narrow, family }: LoadedFamily, { invariants, viewSize, views }: ViewClaims): string {
    const fields = {
        schemaVersion: '1',
        model: JSON.stringify(title.model),
        params: JSON.stringify(title.params),
        invariants: JSON.stringify([...invariants, FAULTS]),
        viewSize: String(viewSize),
        cells: JSON.stringify(cellsOf(narrow, family.parameters)),
        views: `[\n${views.map(view => `    ${JSON.stringify(view)}`).join(',\n')}\n  ]`,
    };
    return `{\n${Object.entries(fields)
        .map(([name, text]) => `  "${name}": ${text}`)
        .join(',\n')}\n}\n`;
}

function cellsOf(
    narrow: LoadedFamily['narrow'],
    parameters: readonly SizeParameter[],
): Readonly<Record<string, readonly string[]>> {
    const { layout } = narrow.largest;
    return {
        shared: layout.shared.keys,
        ...Object.fromEntries(parameters.map(({ name }, family) => [name, layout.ownKeys[family] ?? []])),
    };
}

/** The claims of a certificate. Throws a CallError for another file, and for the certificate of another model. */
function readViews(bytes: Uint8Array, file: string, { title, narrow, family }: LoadedFamily): ViewClaims {
    const fail = (message: string): never => {
        throw new CallError('call/certificate', `'${file}' ${message}`, file);
    };
    const document = parseJson(bytes);
    if (!isRecord(document) || document['schemaVersion'] !== 1 || !Array.isArray(document['views'])) {
        return fail('is no certificate of views');
    }
    const { model, params, invariants, viewSize, cells } = document;
    if (model !== title.model) {
        fail(`is about ${JSON.stringify(model)}, not '${title.model}'`);
    }
    if (JSON.stringify(params) !== JSON.stringify(title.params)) {
        fail(`was made for other parameters: ${JSON.stringify(params)}, not ${JSON.stringify(title.params)}`);
    }
    if (JSON.stringify(cells) !== JSON.stringify(cellsOf(narrow, family.parameters))) {
        fail('has other cells: the model has changed since');
    }
    const known = [...narrow.invariants.map(({ name }) => name), FAULTS];
    const isListOfNames = Array.isArray(invariants) && invariants.every(name => known.includes(String(name)));
    if (!isListOfNames || typeof viewSize !== 'number' || !Number.isInteger(viewSize) || viewSize < 1) {
        return fail('has no list of invariants of this model, or no size of views');
    }
    const refused = narrow.invariants.find(({ name, members }) => members === undefined && invariants.includes(name));
    if (refused !== undefined) {
        fail(`says that '${refused.name}' holds, which views cannot say`);
    }
    if (invariants.length === 0) {
        fail('has no invariants: it says nothing of the model');
    }
    const stated = invariants.map(String).filter(name => name !== FAULTS);
    return { invariants: stated, viewSize, views: document['views'].map(String) };
}
