/** The claims of a certificate about a model. Its graph is encoded to compare it, without a search for symmetries. */
import { UNLIMITED } from '../engine/common/work-limit.js';
import type { ConstraintProblem } from '../engine/constraints/constraint-problem.js';
import type { KnownValues } from '../engine/constraints/dead-steps.js';
import type { ColoredGraph } from '../engine/graph/colored-graph.js';
import type { Model } from '../engine/model/model.js';
import type { Claims } from '../engine/verify/claims.js';
import { toDocumentParameters } from '../language-server/documents.js';
import type { SortCertificate } from '../family/sort-certificate.js';
import type { LinearizedModel } from './analysis.js';
import { type CertificateSubject, readCertificate } from './commands/certificate.js';
import type { CommandIo } from './io.js';
import { readFile } from './output.js';

export interface ClaimsOfFile {
    readonly problem: ConstraintProblem;
    readonly values?: KnownValues;
    readonly subject: CertificateSubject;
    readonly claims: Claims;
    readonly sorts?: SortCertificate;
}

/** Throws a CallError if the file is no certificate of the model. */
export async function readClaimsOf(
    linearized: LinearizedModel,
    certificateFile: string,
    io: CommandIo,
): Promise<ClaimsOfFile> {
    const { constraintsOf } = await import('../engine/symmetry/constraints.js');
    const { encodeGraph } = await import('../engine/symmetry/graph-encoding.js');
    const { linearizeForSymmetries } = await import('../engine/sequential/numbers/enough-codes.js');
    const { model, sequential = linearized.sequential } =
        linearized.sequential.numbers === undefined ? linearized : linearizeForSymmetries(linearized.model);
    // A limit would leave out constraints, and the graph would differ from that of the certificate.
    const { encoding, graph } = io.finish(() => {
        const constraints = constraintsOf(sequential, UNLIMITED);
        return { encoding: constraints, graph: encodeGraph(constraints.problem, []).graph };
    }, Infinity);
    const { problem, placed, reachable } = encoding;
    const subject = await subjectOf(model, problem, graph);
    const bytes = await readFile(certificateFile, io);
    return {
        problem,
        ...(reachable !== undefined && { values: { placed, reachable } }),
        subject,
        ...readCertificate(bytes, certificateFile, subject),
    };
}

export async function subjectOf(
    model: Model,
    problem: ConstraintProblem,
    graph: ColoredGraph,
): Promise<CertificateSubject> {
    const { digestOf } = await import('../engine/graph/digest.js');
    const { literalPoints } = await import('../engine/symmetry/model-symmetry.js');
    const { literalName } = await import('../engine/describe/describe.js');
    const points = literalPoints(problem);
    return {
        model: model.name,
        params: toDocumentParameters(model),
        literals: Array.from(points.cellOfPoint, (_, point) => literalName(problem.sequential, points, point)),
        graph: { vertices: graph.vertexCount, edges: graph.edgeCount, digest: digestOf(graph) },
        properties: problem.properties.map(property => property.name),
    };
}
