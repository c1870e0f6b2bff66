/** `orbit verify`: check symmetries independently of the search that found them, and write or check a certificate. */
import { invariant } from '../../engine/common/assert.js';
import { createRandom } from '../../engine/common/random.js';
import type { Problem } from '../../engine/common/problem.js';
import { type WorkLimit, createWorkLimit } from '../../engine/common/work-limit.js';
import type { ConstraintProblem } from '../../engine/constraints/constraint-problem.js';
import type { Model } from '../../engine/model/model.js';
import type { TemplateReport } from '../../engine/describe/report.js';
import type { Claims } from '../../engine/verify/claims.js';
import { toVerifyDocument } from '../../language-server/documents.js';
import { DETECTION_SECONDS, linearizeFile, reportProblems, searchFile, symmetriesAlone } from '../analysis.js';
import type { VerifyInvocation } from '../options/invocation.js';
import { readClaimsOf, subjectOf } from '../claims-of-file.js';
import { type CertificateSubject, formatCertificate } from './certificate.js';
import { asksForEverySize } from '../every-size.js';
import { CallError } from '../call-error.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type CommandIo, withRepeatableInput } from '../io.js';
import type { LoadedFile } from '../load.js';
import type { SortCertificate } from '../../family/sort-certificate.js';
import { checkSortClaims, sortClaimsOf } from './sort-claims.js';
import { checkOutput, styleFor, writeFile, writeJson } from '../output.js';
import { formatVerification, formatVerificationInALine } from '../text/verification.js';
import { verifyViews } from './verify-views.js';

/** Every state is tried if at most this many are reachable, else states of random walks. */
const MOST_STATES = 20_000;
const SAMPLED_STATES = 2_000;

/** The claims that a call checks, and the model that they are about. */
interface Claimed {
    readonly loaded: LoadedFile;
    readonly model: Model;
    readonly problem: ConstraintProblem;
    readonly subject: CertificateSubject;
    readonly claims: Claims;
    /** The claims for all values of the parameters. */
    readonly sorts?: SortCertificate;
    /** Whether the search was complete; absent for a certificate. */
    readonly complete?: boolean;
}

/** Ends with 0 if everything was checked and nothing refuted, and with 3 if a limit came first. */
export async function verify(invocation: VerifyInvocation, io: CommandIo): Promise<ExitCode> {
    const workLimit = createWorkLimit({
        now: io.now,
        budgetMilliseconds: (invocation.timeoutSeconds ?? DETECTION_SECONDS) * 1000,
    });
    const { file, certificateFile, outputFile } = invocation;
    if (outputFile !== undefined) {
        await checkOutput(outputFile, [file], io);
    }
    if (asksForEverySize(invocation)) {
        const exitCode = await verifyViews(invocation, workLimit, withRepeatableInput(io));
        if (exitCode !== undefined) {
            return exitCode;
        }
    }
    if (invocation.properties !== undefined) {
        throw new CallError('call/every', '`--property` is about all values of a parameter: `--param NAME=all`');
    }
    const claimed =
        certificateFile === undefined
            ? await detectClaims(invocation, io)
            : await readClaims(invocation, certificateFile, io);
    if (typeof claimed === 'number') {
        return claimed;
    }
    const { loaded, model, problem, subject, claims, sorts, complete } = claimed;
    const initialProblem = await findInitialProblem(problem, workLimit, io);
    if (initialProblem !== undefined) {
        await reportProblems(loaded, [initialProblem], EXIT.wrong, invocation, io);
        return EXIT.wrong;
    }
    const verification = await check(problem, claims, workLimit, io);
    const templates = await templatesOf(claimed);
    const uniform =
        sorts === undefined || loaded.checked === undefined
            ? undefined
            : await checkSortClaims(sorts, loaded.checked, loaded.fileOf);
    const hasObjections = uniform !== undefined && uniform.objections.length > 0;
    if (outputFile !== undefined && verification.verdict === 'verified' && !hasObjections) {
        await writeFile(outputFile, formatCertificate(subject, claims, templates, sorts), io);
    }
    const { literals, properties } = subject;
    const { sequential } = problem;
    const document = toVerifyDocument(
        {
            ...{ model, sequential, literals, properties, claims, verification, templates },
            ...(complete !== undefined && { complete }),
            ...(uniform !== undefined && { uniform }),
        },
        loaded.fileOf,
    );
    if (invocation.json) {
        writeJson(document, io);
    } else {
        const style = styleFor(io.stdout, invocation.color, io.environment);
        io.stdout.write((invocation.quiet ? formatVerificationInALine : formatVerification)(document, style));
    }
    if (hasObjections) {
        return EXIT.violated;
    }
    switch (verification.verdict) {
        case 'verified':
            return complete === false ? EXIT.undecided : EXIT.holds;
        case 'refuted':
            return EXIT.violated;
        case 'undecided':
            return EXIT.undecided;
    }
}

/** By what the claims say, whether it is verified or not. */
async function templatesOf({ model, problem, claims }: Claimed): Promise<readonly TemplateReport[]> {
    const { describeTemplates } = await import('../../engine/describe/describe-templates.js');
    const { literalPoints } = await import('../../engine/symmetry/model-symmetry.js');
    return describeTemplates(model, problem.sequential, literalPoints(problem), claims.generators);
}

/** Why there is no initial state; undefined if there is one, or if that is not known within the limit. */
async function findInitialProblem(
    { sequential }: ConstraintProblem,
    workLimit: WorkLimit,
    io: CommandIo,
): Promise<Problem | undefined> {
    const { InitialStates } = await import('../../engine/explore/initial/initial-states.js');
    const cursor = new InitialStates(sequential);
    io.finish(() => cursor.nextInto(new Int32Array(sequential.cells.length), workLimit), Infinity);
    return cursor.problem;
}

async function check(problem: ConstraintProblem, claims: Claims, workLimit: WorkLimit, io: CommandIo) {
    const { checkClaims } = await import('../../engine/verify/check-claims.js');
    const options = { workLimit, random: createRandom(1), mostStates: MOST_STATES, sampledStates: SAMPLED_STATES };
    return io.finish(() => checkClaims(problem, claims, options), Infinity);
}

/** The claims of a detection. */
async function detectClaims(invocation: VerifyInvocation, io: CommandIo): Promise<Claimed | ExitCode> {
    const detectionSeconds = Math.min(invocation.timeoutSeconds ?? Infinity, DETECTION_SECONDS);
    const analyzed = await searchFile(invocation.file, invocation, { detectionSeconds }, io, symmetriesAlone);
    if (typeof analyzed === 'number') {
        return analyzed;
    }
    const { loaded, analysis } = analyzed;
    const { constraints, encoding, complete, refuted } = analysis.symmetry;
    // Refuted symmetries are given up right after the search: there would be nothing to check.
    invariant(!refuted, 'what is detected agrees with the model');
    const sorts = loaded.checked && (await sortClaimsOf(loaded.checked));
    const { claimsOf } = await import('../../engine/verify/claims.js');
    return {
        loaded,
        model: analysis.model,
        problem: constraints,
        subject: await subjectOf(analysis.model, constraints, encoding.graph),
        claims: claimsOf(analysis.symmetry),
        ...(sorts !== undefined && { sorts }),
        complete,
    };
}

/** The claims of a certificate. The graph is encoded, without a search. */
async function readClaims(
    invocation: VerifyInvocation,
    certificateFile: string,
    io: CommandIo,
): Promise<Claimed | ExitCode> {
    const linearized = await linearizeFile(invocation.file, invocation, io);
    if (typeof linearized === 'number') {
        return linearized;
    }
    const { problem, subject, claims, sorts } = await readClaimsOf(linearized, certificateFile, io);
    const { loaded, model } = linearized;
    return { loaded, model, problem, subject, claims, ...(sorts !== undefined && { sorts }) };
}
